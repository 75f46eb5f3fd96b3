#include "solver/polytopic/polytopic_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "algebra/fronts.hpp"
#include "base/error.hpp"
#include "base/index.hpp"
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

/// Who shares a block with whom.
algebra::BlockPattern pattern_of(const polytopic::Mesh& mesh, const basis::BoxSpace& space,
                                 const std::vector<int>& degrees) {
  std::vector<std::vector<std::int32_t>> neighbours(degrees.size());
  for (std::size_t k = 0; k < mesh.interfaces.size(); ++k)
    neighbours[at(mesh.interfaces[k])].push_back(mesh.interfaces[k ^ 1]);
  algebra::BlockPattern pattern{{}, {0}, {}, {}};
  for (std::size_t row = 0; row < degrees.size(); ++row) {
    pattern.sizes.push_back(basis::box_mode_count(space, degrees[row]));
    neighbours[row].push_back(static_cast<std::int32_t>(row));
    std::sort(neighbours[row].begin(), neighbours[row].end());
    pattern.columns.insert(pattern.columns.end(), neighbours[row].begin(), neighbours[row].end());
    pattern.rows.push_back(static_cast<std::int64_t>(pattern.columns.size()));
  }
  algebra::set_offsets(pattern);
  return pattern;
}

std::string megabytes(std::size_t bytes) {
  return fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6);
}

/// The plan with what the host holds for a direct solution, where the device is the host.
PlanOf with_factors(const PlanOf& plan, const PolytopicMesh& mesh, const basis::BoxSpace& space,
                    const std::vector<int>& degrees) {
  return [plan, &mesh, space, degrees](int degree, device::Precision precision) {
    std::vector<int> lower = degrees;
    for (int& p : lower) p = std::min(p, std::max(degree, 1));
    device::MemoryPlan result = plan(degree, precision);
    result.arrays.insert(result.arrays.begin(), {"direct solution", direct_bytes(mesh, space, lower)});
    return result;
  };
}

}  // namespace

std::size_t direct_bytes(const PolytopicMesh& mesh, const basis::BoxSpace& space, const std::vector<int>& degrees) {
  const algebra::BlockPattern pattern = pattern_of(mesh.polytopes, space, degrees);
  return at(pattern.value_count()) * sizeof(double) + algebra::plan_fronts(pattern).peak_bytes;
}

std::size_t peak_bytes(const PlanOf& plan, const PolytopicMesh& mesh, const polytopic::Spec& spec,
                       const std::vector<int>& degrees, device::Kind kind, bool multigrid) {
  const bool factors_beside = !multigrid && kind == device::Kind::host;
  return plan(*std::max_element(degrees.begin(), degrees.end()), spec.precision).peak() +
         (factors_beside ? direct_bytes(mesh, spec.space, degrees) : 0);
}

void require_polytopic_memory(const PlanOf& plan, const PolytopicMesh& mesh, const polytopic::Spec& spec,
                              const std::vector<int>& degrees, device::Kind kind, std::size_t free, bool multigrid) {
  const int largest = *std::max_element(degrees.begin(), degrees.end());
  if (free > 0) require_memory(plan, largest, spec.precision, mesh.polytopes.polytopes, free);
  if (multigrid) return;
  const bool on_host = kind == device::Kind::host && free > 0;
  const std::size_t factors = direct_bytes(mesh, spec.space, degrees),
                    left = on_host ? free - plan(largest, spec.precision).peak()
                                   : device::open_device("cpu")->memory_free();
  if (factors > left)
    throw SystemError(
        fmt::format("not enough memory for solver.type = \"direct\": its factors take {}, {} are free{}; take "
                    "\"multigrid\", a coarser mesh or a lower order",
                    megabytes(factors), megabytes(left), on_host ? " beside the rest" : " on the host"));
}

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
  const bool factors_beside = !multigrid && traits.kind == device::Kind::host;
  const auto plan_at = [&](const std::vector<int>& all) {
    const PlanOf plan = plan_of(mesh, spec, all, traits, multigrid);
    return (factors_beside ? with_factors(plan, mesh, spec.space, all) : plan)(
        *std::max_element(all.begin(), all.end()), spec.precision);
  };
  text += memory_table(plan_at(degrees), polytopes.polytopes);
  if (!multigrid && !factors_beside)
    text +=
        fmt::format("the direct solution takes {} of the host\n", megabytes(direct_bytes(mesh, spec.space, degrees)));
  if (free == 0) return text;
  int largest = 0;
  while (largest < highest_polytopic_degree && plan_at(std::vector<int>(degrees.size(), largest + 1)).peak() <= free)
    ++largest;
  return text + (largest > 0 ? fmt::format("the largest order that fits: {}\n", largest) : "no order fits\n");
}

}  // namespace galerna::solver
