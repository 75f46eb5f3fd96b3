#include "solver/bench/kernel_costs.hpp"

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "dg/multiply_adds.hpp"
#include "dg/structures.hpp"

namespace galerna::solver {
namespace {

/// Numbers in a sum of kernels/long_sum.hpp.
constexpr int sum_numbers = 3;

/// Costs of the kernels of one set of elements.
class SetCosts {
 public:
  SetCosts(dg::FlowOperator& flow, const CostProblem& problem, const dg::ElementSet& set)
      : flow_(flow),
        problem_(problem),
        spec_(flow.spec()),
        set_(set),
        products_(dg::element_counts(set.operators, spec_.variable_count()),
                  {set.structure->by_lines || dg::is_tensor(set.operators), set.map == dg::ElementMap::affine,
                   spec_.diffuses()}),
        state_(numbers(set.operators.modes * spec_.variable_count())),
        traces_(numbers(set.operators.first_side_point(set.operators.sides()) * spec_.variable_count())) {}

  void add_to(std::map<std::string, KernelCost>& costs) const {
    const auto at = [&](const std::string& entry) -> KernelCost& { return costs[entry + set_.label]; };
    add_residuals(costs);
    if (set_.trace_kernel() == dg::TraceKernel::traces)
      at("traces") = per_element(state_ + traces_, products_.traces());
    if (set_.edges) at("edges").bytes = edges();
    if (spec_.diffuses())
      at("viscous") = per_element(state_ + 2 * traces_ + side_metric() + beyond(), products_.viscous());
    at("monitor") =
        with_sums(per_element(state_ + of_element({&set_.diameters_array, &set_.element_limits}), products_.values()),
                  1, set_.groups);
    const int variables = spec_.variable_count();
    if (problem_.steady)
      at("change") = with_sums(per_element(3 * state_ + volume(), set_.stands_by_itself() ? 0 : products_.values()),
                               2 + sum_numbers * variables, set_.blocks.count);
    if (spec_.error_control)
      at("embedded_error") = with_sums(per_element(3 * state_), 2 * sum_numbers * variables, set_.blocks.count);
    if (spec_.candidate) at("embedded_commit") = per_element(2 * state_);
    if (spec_.averages) at("accumulate") = per_element(3 * state_);
    if (spec_.filters())
      add_filter(costs);
    else if (spec_.limiter)
      add_limiter(at("limit"), costs);
  }

 private:
  double numbers(int count) const { return static_cast<double>(count * dg::bytes_of(spec_.precision)); }
  static double integers(double count) { return count * sizeof(std::int32_t); }
  double sides() const { return set_.operators.sides(); }

  /// Bytes of arrays of the set for an element; those that it does not have count for nothing.
  double of_element(std::initializer_list<const std::unique_ptr<device::Memory>*> arrays) const {
    std::size_t bytes = 0;
    for (const auto* array : arrays) bytes += *array ? (*array)->bytes() : 0;
    return static_cast<double>(bytes) / static_cast<double>(set_.blocks.padded());
  }
  double beyond() const { return integers(sides()); }
  double metric() const {
    return of_element({&set_.gradients, &set_.contravariant, &set_.inverse, &set_.normals,
                       set_.corrections ? &set_.corrections : &set_.means, &set_.side_gradients, &set_.tile_metric});
  }
  double side_metric() const {
    if (set_.map != dg::ElementMap::curved) return of_element({&set_.contravariant});
    return of_element({&set_.normals, &set_.side_gradients, &set_.tile_metric});
  }
  /// What integrals over the element take.
  double volume() const {
    return of_element({set_.determinants ? &set_.determinants : set_.inverse ? &set_.inverse : &set_.contravariant});
  }

  /// \param bytes, multiply_adds of an element
  KernelCost per_element(double bytes, double multiply_adds = 0) const {
    const auto elements = static_cast<double>(set_.blocks.items);
    return {elements * bytes, elements * 2 * multiply_adds};
  }
  /// Reductions leave so many numbers for each of `groups`.
  static KernelCost with_sums(KernelCost cost, int sums, std::int64_t groups) {
    cost.bytes += static_cast<double>(sums * groups) * sizeof(double);
    return cost;
  }

  /// Where traces end at others, a state is read for each side.
  double edges() const {
    return static_cast<double>(set_.edge_blocks.items) * (state_ + traces_ / sides() + integers(1));
  }

  KernelCost residual(const time::Stage& stage, bool follows) const {
    std::set<int> read(stage.inputs.begin(), stage.inputs.end()), written;
    read.insert(stage.at);
    for (const time::StageOutput& output : stage.outputs) written.insert(output.target);
    const bool simplices = set_.structure->simplices;
    const bool stored = set_.trace_kernel() == dg::TraceKernel::traces, next = follows && !simplices;
    const double traces = (stored ? 1 : 0) + (next ? 1 : 0) + (spec_.diffuses() ? 1 : 0);
    return per_element(static_cast<double>(read.size() + written.size()) * state_ + traces * traces_ + metric() +
                           beyond() + of_element({&set_.nodes, &set_.element_limits}),
                       products_.residual(!(simplices && stored), next));
  }

  void add_residuals(std::map<std::string, KernelCost>& costs) const {
    std::map<std::string, std::vector<KernelCost>> of_entry;
    const auto& stages = problem_.scheme.stages;
    for (std::size_t s = 0; s < stages.size(); ++s)
      of_entry[dg::residual_entry(static_cast<int>(stages[s].inputs.size()),
                                  static_cast<int>(stages[s].outputs.size()))]
          .push_back(residual(stages[s], s + 1 < stages.size() && !flow_.finishes()));
    for (const auto& [entry, all] : of_entry)
      for (const KernelCost& one : all) {
        costs[entry + set_.label].bytes += one.bytes / static_cast<double>(all.size());
        costs[entry + set_.label].flops += one.flops / static_cast<double>(all.size());
      }
  }

  /// As if no element were filtered.
  void add_filter(std::map<std::string, KernelCost>& costs) const {
    // Density's mean and that over the side, here and beyond it, besides trouble, which is read and written.
    const double jumps = numbers(3) + sides() * (numbers(3) + integers(2));
    const double around = numbers(1) + sides() * (numbers(1) + integers(1));
    costs["summarize" + set_.label] = per_element(state_ + numbers(1 + spec_.variable_count()) + sides() * numbers(1),
                                                  set_.operators.modes * sides());
    costs["sense" + set_.label] = per_element(jumps);
    costs["extremes" + set_.label] = per_element(around);
    costs["filter" + set_.label] =
        spec_.limiter->positivity ? per_element(state_ + numbers(1), products_.values()) : per_element(numbers(1));
  }

  void add_limiter(KernelCost& limit, std::map<std::string, KernelCost>& costs) const {
    const std::optional<dg::SlopeLimiter>& slopes = spec_.limiter->slopes;
    const bool detects = slopes && slopes->detects;
    const double share = problem_.limited_share, around = sides() * flow_.vertex_slots();
    const double neighbours = !slopes                   ? 0
                              : detects                 ? share * (sides() + around)
                              : slopes->around_vertices ? sides() + around
                                                        : sides();
    const double gradients = slopes ? of_element({set_.gradients ? &set_.gradients : &set_.contravariant}) : 0;
    const double derivatives =
        detects ? numbers(spec_.variable_count() *
                          (basis::mode_count(set_.operators.shape, std::max(0, spec_.degree - 1)) - 1))
                : 0;
    const double slopes_written = state_ - numbers(spec_.variable_count());
    limit = with_sums(per_element(state_ + gradients + integers(neighbours) + (detects ? numbers(1) : 0) +
                                  share * (derivatives + slopes_written)),
                      4, set_.blocks.count);  // two counts, read and written
    if (detects)
      costs["detect" + set_.label] = per_element(state_ + gradients + derivatives + numbers(1) + integers(sides()));
  }

  dg::FlowOperator& flow_;
  const CostProblem& problem_;
  const dg::Spec& spec_;
  const dg::ElementSet& set_;
  dg::MultiplyAdds products_;
  double state_, traces_;  ///< bytes of an element
};

/// Of kernels on boundary faces.
void add_boundary(std::map<std::string, KernelCost>& costs, const dg::FlowOperator& flow, std::int64_t faces) {
  const dg::Spec& spec = flow.spec();
  const dg::ElementSet& set = flow.sets().front();
  const int d = dimension(set.operators.shape), v = spec.variable_count();
  const int points = set.operators.side.size(), place = 3 + 2 * d;  // position, normals of the face and of the wall
  const bool stored = set.trace_kernel() != dg::TraceKernel::none;
  const int inside = stored ? points * v : set.operators.modes * v;
  const auto bytes = [&](int numbers) {
    return static_cast<double>(faces) *
           (static_cast<double>(numbers * dg::bytes_of(spec.precision)) + sizeof(std::int32_t) +
            2.0 * v * sizeof(double));  // the step's sums, read and written
  };
  costs["ghosts"].bytes = bytes(points * (place + v * (spec.diffuses() ? 2 : 1)) + inside);
  if (spec.diffuses()) costs["boundary_fluxes"].bytes = bytes(points * (place + v * (d + 2)) + inside);
}

}  // namespace

std::map<std::string, KernelCost> kernel_costs(dg::FlowOperator& flow, const CostProblem& problem) {
  std::map<std::string, KernelCost> costs;
  std::int64_t blocks = 0, groups = 0;
  for (const dg::ElementSet& set : flow.sets()) {
    SetCosts(flow, problem, set).add_to(costs);
    blocks += set.blocks.count;
    groups += set.groups;
  }
  const dg::Spec& spec = flow.spec();
  if (problem.boundary_faces > 0) add_boundary(costs, flow, problem.boundary_faces);
  // They go through the sums that the others leave.
  const std::int64_t variables = spec.variable_count(), rows = (problem.steady ? 2 + sum_numbers * variables : 0) +
                                                               (spec.error_control ? 2 * sum_numbers * variables : 0);
  costs["begin_step"].bytes = static_cast<double>(groups) * sizeof(double);
  costs["end_step"].bytes = static_cast<double>(rows * blocks) * sizeof(double);
  return costs;
}

}  // namespace galerna::solver
