#include "dg/programs/limiter_program.hpp"

#include <fmt/format.h>

#include <cmath>

#include "kernels/element/arguments.hpp"

namespace galerna::dg {
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

void write_filter_tables(Writer& out, const Operators& operators) {
  out.matrices("filter_side_mean_table", {operators.side_means()});
  out.line(fmt::format("constexpr int mode_degree_table[{}] = {{{}}};", operators.modes,
                       fmt::join(basis::mode_degrees(operators.shape, operators.degree), ", ")));
  out.line("struct FilterTables {");
  out.line(
      "  static constexpr Real side_mean(int side, int j) { return filter_side_mean_table[side * Tables::modes + j]; "
      "}");
  out.line("  static constexpr int degree(int j) { return mode_degree_table[j]; }");
  out.line("};");
}

/// Values of the basis at all points, for kernels that go through them in loops (kernels/limiter/shared_element.hpp).
void write_point_tables(Writer& out, const Operators& operators) {
  const basis::Matrix& basis = operators.volume_basis;
  const std::vector<double> volume(basis.data(), basis.data() + basis.size());
  std::vector<double> sides;
  for (const basis::Matrix& m : operators.side_basis) sides.insert(sides.end(), m.data(), m.data() + m.size());
  out.table("loop_volume_basis_table", volume, {volume.size()}, true);
  out.table("loop_side_basis_table", sides, {sides.size()}, true);
  out.line("struct PointTables {");
  out.line(
      "  static constexpr Real volume_basis(int q, int j) { return loop_volume_basis_table[q * Tables::modes + j]; }");
  out.line("  static constexpr Real side_basis(int q, int j) { return loop_side_basis_table[q * Tables::modes + j]; }");
  out.line("};");
}

/// The class that looks at an element's own modes, with its constants, and what its viscosity is at most.
std::vector<std::string> write_own_sensor(const Spec& spec) {
  const std::optional<PerssonPeraire>& sensor = spec.limiter->persson_peraire;
  const auto constant = [](const std::string& name, double value) {
    return fmt::format("static constexpr double {} = {};", name, literal(value));
  };
  if (!sensor) return {"template <class C> using OwnSensor = DecaySensor<C>;", constant("largest_viscosity", 1)};
  return {"template <class C> using OwnSensor = PerssonPeraireSensor<C>;",
          constant("persson_peraire_s0", sensor->s0.value_or(-4 * std::log10(spec.degree))),
          constant("persson_peraire_kappa", sensor->kappa), constant("largest_viscosity", sensor->epsilon0)};
}

/// Members of Config for the sensors of kernels/filter.
std::vector<std::string> write_sensors(Writer& out, const Spec& spec, const Operators& operators) {
  write_filter_tables(out, operators);
  if (spec.filters())
    out.line(
        fmt::format("static_assert(HasEntropy<System>, \"{} needs entropy_ratio(u, reference), since the case says "
                    "shock.method = \\\"filter\\\": add it to the header, or take another method\");",
                    spec.equations.type));
  // Jumps of smooth solutions fall with the degree (docs/theory.md, Entropy filter).
  const double share = spec.degree == 1 ? 0.3 : spec.degree == 2 ? 0.12 : 0.065;
  // Where bounds are loose for long, values creep away; viscosity shall change little from step to step.
  const double ramp = spec.filters() ? 0.1 : 1;
  std::vector<std::string> members = write_own_sensor(spec);
  members.insert(members.end(), {"using Filter = FilterTables;",
                                 fmt::format("static constexpr double sensor_share = {};", literal(share)),
                                 fmt::format("static constexpr double sensor_ramp = {};", literal(ramp)),
                                 fmt::format("static constexpr bool smooth_ramp = {};", spec.limiter->newton)});
  return members;
}

/// Jumps below this part of the mean are no trouble (docs/theory.md, Sensor).
double sensor_floor(const Spec& spec) {
  if (spec.has_shock_viscosity()) return 0.02;
  if (spec.viscous) return 1e-4;
  return spec.degree > 1 || spec.senses() ? 4e-4 : 1e-6;
}

/// Members of Config for kernels/limiter.
std::vector<std::string> write_slopes(Writer& out, const Spec& spec, const Operators& operators) {
  const LimiterSpec& limiter = *spec.limiter;
  const bool tables = is_simplex(operators.shape);  // slopes of other elements are not limited
  if (tables) write_limit_tables(out, operators);
  out.line(
      fmt::format("static_assert(CanLimitIn<{}, System>, \"{} has not what limiting in these variables needs: "
                  "primitive_values(u), primitive_change(w, du) and conservative_change(w, dw), for characteristic "
                  "ones also pressure(u), wave_amplitudes(w, n, dw) and from_wave_amplitudes(w, n, waves)\");",
                  limiter.variables, spec.equations.type));
  return {tables ? "using Limits = LimitTables;" : "using Limits = void;",
          fmt::format("using LimitedVariables = {};", limiter.variables),
          fmt::format("using Limiter = {};", limiter.slopes->kernel.type),
          fmt::format("static constexpr bool boundary_bounds = {};", spec.bounds_slopes_at_boundary()),
          "static constexpr double bounds_ease = 0.1;",
          fmt::format("static constexpr bool vertex_neighbours = {};", limiter.slopes->around_vertices)};
}

}  // namespace

std::vector<std::string> write_limiter(Writer& out, const Spec& spec, const Operators& operators) {
  const LimiterSpec& limiter = *spec.limiter;
  if (limiter.positivity)
    out.line(
        fmt::format("static_assert(HasPressure<System>, \"{} needs pressure(u), or primitive(u) with pressure, since "
                    "the case says positivity = true\");",
                    spec.equations.type));
  std::vector<std::string> members;
  if (spec.senses()) members = write_sensors(out, spec, operators);
  if (limiter.viscosity) members.emplace_back("static constexpr bool shock_viscosity = true;");
  if (limiter.slopes) {
    members = write_slopes(out, spec, operators);
  } else {
    write_point_tables(out, operators);
    members.push_back("using LoopTables = PointTables;");
  }
  members.push_back(fmt::format("static constexpr double sensor_floor = {};", literal(sensor_floor(spec))));
  members.push_back(fmt::format("static constexpr bool watches_points = {};", limiter.watches_all_points()));
  members.push_back(fmt::format("static constexpr bool keeps_positive = {};", limiter.positivity));
  return members;
}

void include_limiter(Writer& out, const LimiterSpec& limiter) {
  if (limiter.entropy_filter) out.include("kernels/filter/entropy_filter.hpp");
  if (limiter.slopes)
    for (const std::string& header : {limiter.slopes->kernel.header, std::string("kernels/limiter/detect.hpp")})
      out.include(header);
  if (limiter.viscosity) out.include("kernels/shock/shock_viscosity.hpp");
  if (limiter.persson_peraire) out.include("kernels/shock/persson_peraire.hpp");
  if (limiter.newton) out.include("kernels/shock/near_vacuum.hpp");
  if (!limiter.entropy_filter) out.include("kernels/limiter/limit.hpp");
  if (limiter.bounds_step) out.include("kernels/limiter/point_monitor.hpp");
}

std::vector<std::string> write_shock_viscosity(Writer& out, const Operators& operators) {
  std::vector<basis::Point> points = operators.volume.points;
  for (std::size_t side = 0; side < operators.side_rules.size(); ++side) {
    const auto of_side = basis::side_points(operators.shape, static_cast<int>(side), operators.side_rules[side].points);
    points.insert(points.end(), of_side.begin(), of_side.end());
  }
  out.matrices("corner_value_table", {basis::lagrange_values(operators.shape, 1, points)});
  return {fmt::format("  static constexpr int corners = {};", corner_count(operators.shape)),
          "  static constexpr Real corner_value(int point, int c) { return corner_value_table[point * corners + c]; }"};
}

Entry monitor_entry(const Spec& spec, const Structure& structure, const device::Target& target) {
  if (spec.limiter && spec.limiter->watches_all_points())
    return {"monitor", "MonitorArguments", "point_monitor<Config>"};
  return structure.monitor(target);
}

std::vector<Entry> limiter_entries(const Spec& spec, const device::Target& target) {
  const LimiterSpec& limiter = *spec.limiter;
  const int threads = target.kind == device::Kind::host ? 1 : kernels::threads_per_element(spec.variable_count());
  const std::string bounds = fmt::format("{}", kernels::group_block);
  std::vector<Entry> entries;
  const auto add = [&](std::initializer_list<Entry> more) { entries.insert(entries.end(), more); };
  if (spec.senses())
    add({{"summarize", "SummaryArguments", "summarize<Config>"}, {"sense", "FilterArguments", "sense<Config>"}});
  if (limiter.entropy_filter)
    add({{"extremes", "FilterArguments", "extremes<Config>", bounds, threads},
         {"filter", "FilterArguments", "filter<Config>", bounds, threads}});
  else if (limiter.slopes)
    add({{"limit", "LimitArguments", "limit<Config>"}});
  else if (limiter.positivity)
    add({{"limit", "LimitArguments", "limit_positivity<Config>", bounds, threads}});
  if (limiter.viscosity)
    add({{"element_viscosity", "ElementViscosityArguments", "element_viscosity<Config>"},
         {"vertex_viscosity", "VertexViscosityArguments", "vertex_viscosity<Config>"},
         {"corner_viscosity", "CornerViscosityArguments", "corner_viscosity<Config>"}});
  if (limiter.newton) entries.push_back({"near_vacuum", "FilterArguments", "near_vacuum<Config>", bounds, threads});
  if (limiter.watches_sides()) entries.push_back({"side_monitor", "MonitorArguments", "side_monitor<Config>"});
  if (limiter.slopes && limiter.slopes->detects) entries.push_back({"detect", "LimitArguments", "detect<Config>"});
  return entries;
}

}  // namespace galerna::dg
