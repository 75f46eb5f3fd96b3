#include "solver/polytopic_memory.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace galerna::solver {
namespace {

device::MemoryPlan plan_with(const polytopic::Mesh& mesh, const polytopic::Spec& spec, std::vector<int> degrees,
                             const device::Traits& traits) {
  device::CountingDevice device(traits);
  polytopic::Discretization discretization(device, mesh, spec, std::move(degrees));
  // Vectors that come and go between slabs and at the end.
  const std::vector<double> unknowns(static_cast<std::size_t>(discretization.unknowns()));
  if (spec.space.slab) discretization.set_time(0, 1, unknowns);
  discretization.errors(unknowns);
  return device.plan();
}

}  // namespace

PlanOf plan_of(const polytopic::Mesh& mesh, const polytopic::Spec& spec, const std::vector<int>& degrees,
               const device::Traits& traits) {
  return [&mesh, spec, degrees, traits](int degree, device::Precision precision) {
    std::vector<int> lower = degrees;
    for (int& p : lower) p = std::min(p, std::max(degree, 1));
    polytopic::Spec other = spec;
    other.precision = precision;
    return plan_with(mesh, other, lower, traits);
  };
}

std::string forecast(const polytopic::Mesh& mesh, const polytopic::Spec& spec, const std::vector<int>& degrees,
                     const device::Traits& traits, std::size_t free) {
  const algebra::BlockPattern pattern = polytopic::make_pattern(mesh, spec.space, degrees);
  std::string text =
      fmt::format("{} degrees of freedom, {} non-zeros{}\n", algebra::first_unknowns(pattern.sizes).back(),
                  pattern.value_count(), spec.space.slab ? " of a slab" : "");
  text += memory_table(plan_with(mesh, spec, degrees, traits), mesh.polytopes);
  if (free == 0) return text;
  int largest = 0;
  for (int degree = 1; degree <= highest_polytopic_degree; ++degree)
    if (plan_with(mesh, spec, std::vector<int>(degrees.size(), degree), traits).peak() <= free) largest = degree;
  return text + (largest > 0 ? fmt::format("the largest order that fits: {}\n", largest) : "no order fits\n");
}

}  // namespace galerna::solver
