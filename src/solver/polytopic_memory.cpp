#include "solver/polytopic_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "polytopic/multigrid.hpp"

namespace galerna::solver {
namespace {

device::MemoryPlan plan_with(const PolytopicMesh& mesh, const polytopic::Spec& spec, const std::vector<int>& degrees,
                             const device::Traits& traits, bool multigrid) {
  device::CountingDevice device(traits);
  polytopic::Discretization discretization(device, mesh.polytopes, spec, degrees);
  std::optional<polytopic::MultigridSolver> solver;
  std::vector<double> unknowns(static_cast<std::size_t>(discretization.unknowns()));
  if (multigrid) {
    solver.emplace(device, mesh.mesh, mesh.agglomeration, mesh.polytopes, spec, degrees);
    solver->set_up(discretization, 0, 1);
    const std::vector<double> load = unknowns;
    solver->solve(load, unknowns, {});
  }
  // Vectors that come and go between slabs and at the end.
  if (spec.space.slab) discretization.set_time(0, 1, unknowns);
  discretization.set_solution(unknowns);
  discretization.errors();
  discretization.balance();
  return device.plan();
}

}  // namespace

PlanOf plan_of(const PolytopicMesh& mesh, const polytopic::Spec& spec, const std::vector<int>& degrees,
               const device::Traits& traits, bool multigrid) {
  const auto known = std::make_shared<std::map<std::pair<int, device::Precision>, device::MemoryPlan>>();
  return [&mesh, spec, degrees, traits, multigrid, known](int degree, device::Precision precision) {
    const std::pair key(std::max(degree, 1), precision);
    if (const auto found = known->find(key); found != known->end()) return found->second;
    std::vector<int> lower = degrees;
    for (int& p : lower) p = std::min(p, key.first);
    polytopic::Spec other = spec;
    other.precision = precision;
    return known->emplace(key, plan_with(mesh, other, lower, traits, multigrid)).first->second;
  };
}

std::string forecast(const PolytopicMesh& mesh, const polytopic::Spec& spec, const std::vector<int>& degrees,
                     const device::Traits& traits, bool multigrid, std::size_t free) {
  const polytopic::Mesh& polytopes = mesh.polytopes;
  device::CountingDevice device(traits);
  const polytopic::Discretization discretization(device, polytopes, spec, degrees);
  std::string text = fmt::format("{} degrees of freedom, {} non-zeros{}\n", discretization.unknowns(),
                                 discretization.value_count(), spec.space.slab ? " of a slab" : "");
  text += memory_table(plan_with(mesh, spec, degrees, traits, multigrid), polytopes.polytopes);
  if (free == 0) return text;
  int largest = 0;
  while (largest < highest_polytopic_degree &&
         plan_with(mesh, spec, std::vector<int>(degrees.size(), largest + 1), traits, multigrid).peak() <= free)
    ++largest;
  return text + (largest > 0 ? fmt::format("the largest order that fits: {}\n", largest) : "no order fits\n");
}

}  // namespace galerna::solver
