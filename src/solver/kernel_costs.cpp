#include "solver/kernel_costs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/error.hpp"
#include "device/device.hpp"
#include "device/program.hpp"
#include "dg/blocks.hpp"
#include "dg/memory_plan.hpp"
#include "dg/program.hpp"

namespace galerna::solver {
namespace {

constexpr double integer = sizeof(std::int32_t);
using Slopes = dg::LimiterSpec::Slopes;

/// The numbers of which all costs are made.
class Costs {
 public:
  Costs(const dg::Spec& spec, const dg::Operators& operators, const kernels::OperationCounts& operations,
        const CostSettings& settings)
      : spec_(spec),
        operations_(operations),
        settings_(settings),
        number_(dg::bytes_of(spec.precision)),
        variables_(spec.variable_count()),
        modes_(operators.modes),
        sides_(operators.sides()),
        points_(operators.side.size()),
        volume_points_(operators.volume.size()),
        d_(dimension(spec.shape)),
        state_(variables_ * modes_ * number_),
        traces_(sides_ * points_ * variables_ * number_),
        evaluation_(2 * variables_ * modes_) {}

  KernelCost traces() const { return {state_ + traces_, sides_ * points_ * evaluation_}; }

  KernelCost residual(const time::Stage& stage) const {
    const auto inputs = static_cast<double>(stage.inputs.size()), outputs = static_cast<double>(stage.outputs.size());
    std::set<int> read(stage.inputs.begin(), stage.inputs.end());
    if (!on_host() || modes_ > 1) read.insert(stage.at);
    KernelCost cost;
    cost.bytes = state_ * (static_cast<double>(read.size()) + outputs) + d_ * d_ * number_ + sides_ * integer +
                 (on_host() ? traces_ : 0) + (spec_.has_source() ? (d_ + 1) * d_ * number_ : 0);
    // Normals; traces of both sides where they are not stored; fluxes; their integrals.
    const double normal = 2 * d_ + 2 + d_, evaluations = on_host() ? 0 : 2 * evaluation_;
    const double side = normal + points_ * (evaluations + operations_.riemann + 1 + variables_ + evaluation_);
    const double point = evaluation_ + operations_.primitive + d_ * (operations_.flux + evaluation_);
    cost.flops = d_ * d_ + sides_ * side + (modes_ > 1 ? volume_points_ * point : 0) +
                 outputs * variables_ * modes_ * (1 + 2 * inputs);
    return cost;
  }

  /// Per boundary face; the boundary condition itself is not counted.
  KernelCost ghosts() const {
    KernelCost cost;
    const double states = state_ + d_ * d_ * number_ + integer;  // of the element inside
    const double face = (points_ * (3 + d_) + 1) * number_ + points_ * variables_ * number_;
    cost.bytes = states + face + 2 * variables_ * static_cast<double>(sizeof(double));
    cost.flops = d_ * d_ + 3 * d_ + 1 + points_ * (evaluation_ + operations_.riemann + 2 * variables_) + 4 * variables_;
    return cost;
  }

  KernelCost monitor() const {
    return {state_ + number_ + per_block(1),
            volume_points_ * (evaluation_ + operations_.admissible + operations_.wave_speed) + 2};
  }

  KernelCost change() const {
    return {3 * state_ + number_ + per_block(2 + variables_), variables_ * (3 * modes_ + 2)};
  }
  KernelCost embedded_error() const { return {3 * state_ + per_block(1), 5 * variables_ * modes_ + 1}; }
  KernelCost embedded_commit() const { return {2 * state_, 0}; }
  KernelCost begin_step() const { return {per_block(1), 0}; }
  KernelCost end_step() const {
    const bool embedded = settings_.embedded;
    const double rows = (settings_.steady ? 2 + variables_ : 0) + (embedded ? 1 : 0);
    return {per_block(rows), ((settings_.steady ? variables_ : 0) + (embedded ? 1 : 0)) / settings_.lanes};
  }

  KernelCost detect() const {
    KernelCost cost;
    cost.bytes = state_ + sides_ * integer + number_;
    cost.flops = 2 * (1 + sides_ * (1 + 4 * modes_) + 4);  // of density and energy
    if (spec_.degree >= 2) {
      cost.bytes += d_ * d_ * number_ + dg::limiter_derivatives(spec_) * number_;
      for (int k = 2; k <= spec_.degree; ++k) cost.flops += variables_ * sides_ * (derivatives_at_vertex(k) + 2 * k);
    }
    return cost;
  }

  KernelCost limit() const {
    const dg::LimiterSpec& limiter = *spec_.limiter;
    const bool hierarchical = limiter.slopes == Slopes::hierarchical,
               linear = limiter.slopes == Slopes::barth_jespersen;
    const bool directed = limiter.variables == "CharacteristicVariables";
    const double around = sides_ * settings_.vertex_slots * integer, share = settings_.limited_share;
    KernelCost cost;
    cost.bytes = state_ + share * variables_ * (modes_ - 1) * number_;
    if (linear) cost.bytes += (limiter.vertex_neighbours ? around : sides_ * integer) + (directed ? geometry() : 0);
    if (hierarchical)
      cost.bytes +=
          number_ + share * (around + geometry() + (spec_.degree > 1 ? dg::limiter_derivatives(spec_) * number_ : 0));
    const double prepare = variables_ + operations_.about + (directed ? direction() : 0);
    if (linear) cost.flops += prepare + (limiter.vertex_neighbours ? vertex_factors() : face_factors());
    if (hierarchical) cost.flops += share * (prepare + d_ * d_ + hierarchy());
    if (limiter.positivity)
      cost.flops += (volume_points_ + sides_ * points_) * (2 * modes_ + evaluation_ + operations_.pressure) +
                    variables_ + 2 + operations_.pressure;
    return cost;
  }

 private:
  bool on_host() const { return settings_.kind == device::Kind::host; }
  double per_block(double numbers) const { return numbers * static_cast<double>(sizeof(double)) / settings_.lanes; }
  double geometry() const { return d_ * d_ * number_; }

  // The terms below follow the functions of kernels/limiter/ of the same names.
  static constexpr double slope_factor = 6;

  double direction() const {
    return operations_.primitive + sides_ * (2 * d_ * variables_ + operations_.primitive_change + 2 * d_) + 2 * d_ + 4 +
           d_;
  }
  double limit_linear() const { return 1 + d_ * (operations_.to + variables_ + operations_.from); }
  double face_factors() const {
    return limit_linear() + sides_ * (variables_ + operations_.difference) + sides_ * points_ * variables_ * 2 * d_ +
           variables_ * slope_factor;
  }
  double vertex_factors() const {
    const double bounds = settings_.vertex_slots * (variables_ + operations_.difference);
    return limit_linear() + sides_ * (bounds + variables_ * (2 * d_ + slope_factor));
  }
  static double modes_up_to(int k) { return (k + 1) * (k + 2) / 2; }
  static double derivatives_at_vertex(int k) {
    const double m = k - 1;
    return k * modes_up_to(k) * 2 + (m + 1) * (m * (3 * m + 1) + 2 * (m + 1));
  }
  double hierarchy() const {
    double sum = 0;
    for (int k = 1; k <= spec_.degree; ++k) {
      const double own = variables_ * sides_ * (derivatives_at_vertex(k) + 2 * k);
      const double around = settings_.vertex_slots * (variables_ + (k == 1 ? operations_.difference : operations_.to));
      const double scaled = (k + 1) * (operations_.to + variables_ + operations_.from);
      sum += own + sides_ * k * (around + variables_ + operations_.to + variables_ * slope_factor) + scaled;
    }
    return sum;
  }

  const dg::Spec& spec_;
  const kernels::OperationCounts& operations_;
  const CostSettings& settings_;
  double number_, variables_, modes_, sides_, points_, volume_points_, d_;
  double state_, traces_;  ///< bytes
  double evaluation_;      ///< operations of the state at a point from its modes, or of adding a point to all modes
};

}  // namespace

kernels::OperationCounts count_operations(const dg::Spec& spec) {
  device::ProgramSource source;
  source.title = spec.title + ", operations";
  source.entries = {"count"};
  source.text = "#include \"kernels/operations.hpp\"\n#include \"kernels/limiter/variables.hpp\"\n";
  for (const std::string& header : dg::equation_headers(spec)) source.text += fmt::format("#include \"{}\"\n", header);
  source.text += fmt::format("#include \"{}\"\nnamespace {{\nusing namespace galerna::kernels;\n{}}}\n",
                             spec.flux.header, dg::equations_text(spec));
  source.text += fmt::format(
      "extern \"C\" void count(const void* arguments, std::int64_t, std::int64_t) {{\n"
      "  OperationCounts& counts = **static_cast<OperationCounts* const*>(arguments);\n"
      "  count_operations<System, {}>(counts);\n",
      spec.flux.type);
  if (spec.user) source.headers = {spec.user->header};
  if (spec.limiter)
    source.text += fmt::format("  count_limiter_operations<System, {}>(counts);\n", spec.limiter->variables);
  source.text += "}\n";

  const auto host = device::open_device("cpu");
  const auto program = host->load(source);
  const auto kernel = host->kernel(*program, "count");
  kernels::OperationCounts counts;
  kernels::OperationCounts* const argument = &counts;
  host->launch(*kernel, {1, 1}, static_cast<const void*>(&argument), sizeof argument);
  host->synchronize();
  return counts;
}

std::map<std::string, KernelCost> kernel_costs(const dg::Spec& spec, const dg::Operators& operators,
                                               const time::Scheme& scheme, const kernels::OperationCounts& operations,
                                               const CostSettings& settings) {
  const Costs cost(spec, operators, operations, settings);
  std::map<std::string, KernelCost> costs;
  std::map<std::string, double> stages;
  for (const time::Stage& stage : scheme.stages) {
    const std::string entry =
        dg::residual_entry(static_cast<int>(stage.inputs.size()), static_cast<int>(stage.outputs.size()));
    const KernelCost one = cost.residual(stage);
    costs[entry].bytes += one.bytes;
    costs[entry].flops += one.flops;
    stages[entry] += 1;
  }
  for (const auto& [entry, count] : stages) {
    costs[entry].bytes /= count;
    costs[entry].flops /= count;
  }
  if (settings.kind == device::Kind::host) costs["traces"] = cost.traces();
  if (!spec.boundaries.empty()) costs["ghosts"] = cost.ghosts();
  costs["monitor"] = cost.monitor();
  costs["change"] = cost.change();
  costs["embedded_error"] = cost.embedded_error();
  costs["embedded_commit"] = cost.embedded_commit();
  costs["begin_step"] = cost.begin_step();
  costs["end_step"] = cost.end_step();
  if (spec.limiter) costs["limit"] = cost.limit();
  if (spec.limiter && spec.limiter->slopes == Slopes::hierarchical) costs["detect"] = cost.detect();
  return costs;
}

}  // namespace galerna::solver
