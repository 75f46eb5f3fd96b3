#include "dg/simplex_programs.hpp"

#include <fmt/format.h>

#include "dg/program_writer.hpp"
#include "dg/structures.hpp"

namespace galerna::dg {
std::string residual_entry(int inputs, int outputs) {
  return fmt::format("residual_{}_{}", inputs, outputs);
}

Target target_of(const device::Device& device, device::Precision precision) {
  return {device.kind(), device.lanes(precision), device.matrix_units()};
}

namespace {

void write_limit_tables(Writer& out, const Operators& operators) {
  // Tables of (k, s) one behind the other.
  std::vector<double> derivatives;
  for (const auto& components : operators.vertex_derivatives())
    for (const basis::Matrix& m : components) derivatives.insert(derivatives.end(), m.data(), m.data() + m.size());
  const bool space = dimension(operators.shape) == 3;
  out.table("vertex_derivative_table", derivatives, {derivatives.size()});
  out.matrices("side_mean_table", {operators.side_means()});
  out.line("struct LimitTables {");
  out.line(fmt::format("  static constexpr int modes_up_to(int k) {{ return {}; }}",
                       space ? "(k + 1) * (k + 2) * (k + 3) / 6" : "(k + 1) * (k + 2) / 2"));
  out.line("  static constexpr int start(int k) {");
  out.line("    int sum = 0;");
  out.line(fmt::format("    for (int l = 1; l < k; ++l) sum += {} * modes_up_to(l);",
                       space ? "l * (l + 1) / 2 * 4" : "l * 3"));
  out.line("    return sum;");
  out.line("  }");
  out.line("  static constexpr Real vertex_derivative(int k, int s, int vertex, int j) {");
  out.line(fmt::format("    return vertex_derivative_table[start(k) + (s * {} + vertex) * modes_up_to(k) + j];",
                       corner_count(operators.shape)));
  out.line("  }");
  out.line("  static constexpr Real side_mean(int side, int j) { return side_mean_table[side * Tables::modes + j]; }");
  out.line("};");
}

/// Jumps below this part of the mean are no trouble (docs/theory.md, Sensor).
double sensor_floor(const Spec& spec) {
  if (spec.viscous) return 1e-4;
  return spec.degree > 1 ? 4e-4 : 1e-6;
}

}  // namespace

std::vector<std::string> write_limiter(Writer& out, const Spec& spec, const Operators& operators) {
  const LimiterSpec& limiter = *spec.limiter;
  const bool tables = is_simplex(operators.shape);  // slopes of other elements are not limited
  if (tables) write_limit_tables(out, operators);
  const std::string& name = spec.equations.type;
  out.line(
      fmt::format("static_assert(CanLimitIn<{}, System>, \"{} has not what limiting in these variables needs: "
                  "primitive_values(u), primitive_change(w, du) and conservative_change(w, dw), for characteristic "
                  "ones also pressure(u), wave_amplitudes(w, n, dw) and from_wave_amplitudes(w, n, waves)\");",
                  limiter.variables, name));
  if (limiter.positivity)
    out.line(
        fmt::format("static_assert(HasPressure<System>, \"{} needs pressure(u), or primitive(u) with pressure, since "
                    "the case says positivity = true\");",
                    name));
  const char* names[] = {"none", "barth_jespersen", "hierarchical"};
  return {
      tables ? "using Limits = LimitTables;" : "using Limits = void;",
      fmt::format("using LimitedVariables = {};", limiter.variables),
      fmt::format("static constexpr SlopeLimiter limiter = SlopeLimiter::{};", names[static_cast<int>(limiter.slopes)]),
      fmt::format("static constexpr bool boundary_bounds = {};", spec.bounds_slopes_at_boundary()),
      fmt::format("static constexpr double bounds_ease = 0.1, sensor_floor = {};", literal(sensor_floor(spec))),
      fmt::format("static constexpr bool vertex_neighbours = {}, keeps_positive = {};", limiter.vertex_neighbours,
                  limiter.positivity)};
}

void include_limiter(Writer& out) {
  for (const char* header : {"kernels/limiter/limit.hpp", "kernels/limiter/detect.hpp"}) out.include(header);
}

std::vector<Entry> limiter_entries(const LimiterSpec& limiter) {
  std::vector<Entry> entries = {{"limit", "LimitArguments", "limit<Config>"}};
  if (limiter.slopes == LimiterSpec::Slopes::hierarchical)
    entries.push_back({"detect", "LimitArguments", "detect<Config>"});
  return entries;
}

namespace {

/// Kernels that a time step consists of, except the residuals.
std::vector<Entry> step_entries(const Spec& spec, const Structure& structure, const Target& target) {
  std::vector<Entry> entries = {structure.monitor(target)};
  if (target.kind == device::Kind::host) entries.push_back({"traces", "TraceArguments", "pack_traces<Config>"});
  if (spec.limiter)
    for (const Entry& entry : limiter_entries(*spec.limiter)) entries.push_back(entry);
  entries.push_back({"change", "ChangeArguments", "change<Config>"});
  entries.push_back({"integrals", "IntegralArguments", "integrals<Config>"});
  for (const Entry& entry : state_entries(spec)) entries.push_back(entry);
  for (const Entry& entry : control_entries()) entries.push_back(entry);
  return entries;
}

void include_step(Writer& out, const Spec& spec, const Structure& structure) {
  for (const char* header : structure.headers) out.include(header);
  for (const char* header :
       {"kernels/control.hpp", "kernels/change.hpp", "kernels/integrals.hpp", "kernels/error_estimate.hpp"})
    out.include(header);
  if (spec.averages) out.include("kernels/average.hpp");
  if (spec.limiter) include_limiter(out);
}

/// The members of Config that the kernels of a step need where there is a limiter or a source.
std::vector<std::string> step_members(Writer& out, const Spec& spec, const Operators& operators) {
  std::vector<std::string> members;
  if (spec.limiter) members = write_limiter(out, spec, operators);
  if (!spec.has_source()) return members;
  const std::vector<std::string> sources = write_sources(out, spec, operators, 1);
  members.insert(members.end(), sources.begin(), sources.end());
  return members;
}

}  // namespace

device::ProgramSource simplex_core_program(const Spec& spec, const Operators& operators, const Structure& structure,
                                           const Target& target, const std::set<std::pair<int, int>>& stage_shapes) {
  Writer out(spec, operators, target);
  const KernelRequest request = {spec, operators, structure, target, stage_shapes};
  include_step(out, spec, structure);
  out.include_equations();
  out.common();
  std::vector<std::string> members = step_members(out, spec, operators);
  if (structure.members)
    for (const std::string& member : structure.members(request)) members.push_back(member);
  out.config_struct(members);
  for (const Entry& entry : structure.entries(request)) out.entry(entry);
  for (const Entry& entry : step_entries(spec, structure, target)) out.entry(entry);
  return out.finish("solver");
}

device::ProgramSource simplex_case_program(const Spec& spec, const Operators& operators, const Target& target,
                                           bool stored_traces) {
  Writer out(spec, operators, target);
  out.include("kernels/boundary/ghosts.hpp");
  include_formulas(out, spec);
  out.include_equations();
  include_boundaries(out, spec);
  out.common();
  const std::vector<std::string> members = boundary_members(out, spec, stored_traces);
  const std::vector<Entry> formulas = write_formulas(out, spec);
  out.config_struct(members);
  for (const Entry& entry : boundary_entries(spec, dimension(operators.shape), stored_traces)) out.entry(entry);
  for (const Entry& entry : formulas) out.entry(entry);
  return out.finish("formulas");
}

bool steps_by_one_kernel(const Structure& structure, int degree, std::int64_t elements) {
  const auto [highest_degree, most_elements] = structure.steps_by_one_kernel;
  return degree <= highest_degree && elements <= most_elements;
}

Sequence sequence_program(const Spec& spec, const Operators& operators, const Structure& structure,
                          const Target& target, const std::set<std::pair<int, int>>& stage_shapes) {
  Writer out(spec, operators, target);
  include_step(out, spec, structure);
  for (const char* header : {"kernels/boundary/ghosts.hpp", "kernels/launch_sequence.hpp"}) out.include(header);
  out.include_equations();
  include_boundaries(out, spec);
  out.common();
  std::vector<std::string> members = step_members(out, spec, operators);
  for (const std::string& member : boundary_members(out, spec, structure.stores_traces)) members.push_back(member);
  out.config_struct(members);
  std::vector<Entry> entries = structure.entries({spec, operators, structure, target, stage_shapes});
  for (const Entry& entry : step_entries(spec, structure, target)) entries.push_back(entry);
  for (const Entry& entry : boundary_entries(spec, dimension(operators.shape), structure.stores_traces))
    entries.push_back(entry);
  out.sequence_entry(entries);
  Sequence result{out.finish("small mesh"), {}};
  for (const Entry& entry : entries) result.entries.push_back(entry.name);
  return result;
}

}  // namespace galerna::dg
