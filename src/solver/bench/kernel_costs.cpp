#include "solver/bench/kernel_costs.hpp"

#include <algorithm>
#include <optional>

#include "dg/blocks.hpp"
#include "dg/programs/kernel_counter.hpp"
#include "dg/structures.hpp"
#include "time/stepper.hpp"

namespace galerna::solver {
namespace {

using dg::KernelCount;

/// The stages of a step as time::Stepper launches them when it is profiled.
std::vector<dg::CountedStage> counted_stages(const time::Scheme& scheme) {
  std::vector<dg::CountedStage> stages;
  for (const time::Stage& stage : scheme.stages) {
    dg::CountedStage counted{stage.at, stage.inputs, {}, stages.size() + 1 < scheme.stages.size()};
    for (const time::StageOutput& output : stage.outputs) counted.outputs.push_back(output.target);
    stages.push_back(std::move(counted));
  }
  return stages;
}

/// Costs of the kernels of one set of elements.
class SetCosts {
 public:
  SetCosts(const CostProblem& problem, const dg::ElementSet& set)
      : problem_(problem),
        set_(set),
        structure_(*set.structure),
        counter_(counter(structure_.counted_as ? dg::find_structure(structure_.counted_as) : structure_, set.alone,
                         problem.target.kind)) {
    if (structure_.operations_as)
      operations_.emplace(counter(dg::find_structure(structure_.operations_as), true, device::Kind::host));
  }

  void add_to(std::map<std::string, KernelCost>& costs) {
    add_residuals(costs);
    if (set_.trace_kernel() == dg::TraceKernel::traces) at(costs, "traces") = per_element(counter_.traces());
    if (set_.trace_kernel() == dg::TraceKernel::edges)
      at(costs, "edges") = cost(counter_.edges(), 1, 0, static_cast<double>(set_.edge_blocks.items));
    if (problem_.spec.viscous) at(costs, "viscous") = per_element(counter_.viscous(), sides());
    at(costs, "monitor") = per_element(counter_.monitor());
    at(costs, "monitor").bytes +=
        number_of_sums(dg::monitor_groups(set_.blocks, structure_.tile, problem_.target.kind));
    if (problem_.steady) at(costs, "change") = with_sums(counter_.change(), 2 + problem_.spec.variable_count());
    if (problem_.spec.error_control)
      at(costs, "embedded_error") = with_sums(counter_.embedded_error(), 2 * problem_.spec.variable_count());
    if (problem_.spec.candidate) at(costs, "embedded_commit") = per_element(counter_.embedded_commit());
    if (problem_.spec.averages) at(costs, "accumulate") = per_element(counter_.accumulate());
    if (problem_.spec.limiter) add_limiter(costs);
  }

 private:
  dg::KernelCounter counter(const dg::Structure& structure, bool alone, device::Kind kind) const {
    return dg::KernelCounter::of_any_elements(problem_.spec, set_, structure, alone, kind,
                                              time::stage_shapes(problem_.scheme));
  }
  KernelCost& at(std::map<std::string, KernelCost>& costs, const std::string& entry) const {
    return costs[entry + set_.label];
  }
  double sides() const { return set_.operators.sides(); }
  static double number_of_sums(std::int64_t count) { return static_cast<double>(count) * sizeof(double); }

  KernelCost cost(const KernelCount& count, double integers, double sums, double items) const {
    const double bytes = (count.read + count.written) * dg::bytes_of(problem_.spec.precision) +
                         integers * sizeof(std::int32_t) + sums * sizeof(double);
    return {items * bytes, items * count.operations};
  }
  KernelCost per_element(const KernelCount& count, double integers = 0) const {
    return cost(count, integers, 0, static_cast<double>(set_.blocks.items));
  }
  /// Reductions leave so many sums for each block of elements.
  KernelCost with_sums(const KernelCount& count, int sums) const {
    KernelCost result = per_element(count);
    result.bytes += number_of_sums(sums * set_.blocks.count);
    return result;
  }

  void add_residuals(std::map<std::string, KernelCost>& costs) {
    std::map<std::string, std::vector<KernelCost>> stages;
    for (const dg::CountedStage& stage : counted_stages(problem_.scheme)) {
      KernelCount count = counter_.residual(stage);
      if (operations_)
        count.operations = operations_->traces().operations + operations_->residual(stage).operations;
      else if (structure_.operations)
        count.operations = structure_.operations(counter_, set_, problem_.spec, stage);
      stages[dg::residual_entry(static_cast<int>(stage.inputs.size()), static_cast<int>(stage.outputs.size()))]
          .push_back(per_element(count, sides()));
    }
    for (const auto& [entry, all] : stages)
      for (const KernelCost& one : all) {
        at(costs, entry).bytes += one.bytes / static_cast<double>(all.size());
        at(costs, entry).flops += one.flops / static_cast<double>(all.size());
      }
  }

  void add_limiter(std::map<std::string, KernelCost>& costs) {
    const dg::LimiterSpec& limiter = *problem_.spec.limiter;
    const bool detects = limiter.slopes && limiter.slopes->detects;
    const double share = problem_.limited_share, around = sides() * problem_.vertex_slots;
    const double neighbours = !limiter.slopes                   ? 0
                              : detects                         ? share * (sides() + around)
                              : limiter.slopes->around_vertices ? sides() + around
                                                                : sides();
    const KernelCost none = per_element(counter_.limit(problem_.vertex_slots, false)),
                     all = per_element(counter_.limit(problem_.vertex_slots, true));
    KernelCost& limit = at(costs, "limit");
    limit.bytes = none.bytes + share * (all.bytes - none.bytes) +
                  static_cast<double>(set_.blocks.items) * neighbours * sizeof(std::int32_t) +
                  number_of_sums(4 * set_.blocks.count);
    limit.flops = none.flops + share * (all.flops - none.flops);
    if (detects) at(costs, "detect") = per_element(counter_.detect(), sides());
  }

  const CostProblem& problem_;
  const dg::ElementSet& set_;
  const dg::Structure& structure_;
  dg::KernelCounter counter_;
  std::optional<dg::KernelCounter> operations_;
};

/// Of kernels on boundary faces.
void add_boundary(std::map<std::string, KernelCost>& costs, const CostProblem& problem) {
  auto counter = dg::KernelCounter::of_boundary(problem.spec, {problem.sets.begin(), problem.sets.end()});
  const double fluxes = 2.0 * problem.spec.variable_count() * sizeof(double);  // of the step, read and written
  const auto add = [&](const std::string& entry, const KernelCount& count, std::int64_t faces) {
    costs[entry].bytes +=
        static_cast<double>(faces) * ((count.read + count.written) * dg::bytes_of(problem.spec.precision) +
                                      static_cast<double>(sizeof(std::int32_t)) + fluxes);
    costs[entry].flops += static_cast<double>(faces) * count.operations;
  };
  for (std::size_t b = 0; b < problem.boundary_faces.size(); ++b) {
    const int condition = static_cast<int>(b);
    add("ghosts", counter.ghosts(condition), problem.boundary_faces[b]);
    if (problem.spec.viscous) add("boundary_fluxes", counter.boundary_fluxes(condition), problem.boundary_faces[b]);
  }
}

}  // namespace

std::map<std::string, KernelCost> kernel_costs(const CostProblem& problem) {
  std::map<std::string, KernelCost> costs;
  std::int64_t blocks = 0, groups = 0;
  for (const dg::ElementSet& set : problem.sets) {
    SetCosts(problem, set).add_to(costs);
    blocks += set.blocks.count;
    groups += dg::monitor_groups(set.blocks, set.structure->tile, problem.target.kind);
  }
  if (!problem.spec.boundaries.empty()) add_boundary(costs, problem);
  // They go through the sums that the others leave.
  const std::int64_t rows =
      (problem.steady ? 2 + problem.spec.variable_count() : 0) + (problem.spec.error_control ? 1 : 0);
  const std::string& first = problem.sets.front().label;
  costs["begin_step" + first].bytes = static_cast<double>(groups) * sizeof(double);
  costs["end_step" + first].bytes = static_cast<double>(rows * blocks) * sizeof(double);
  return costs;
}

}  // namespace galerna::solver
