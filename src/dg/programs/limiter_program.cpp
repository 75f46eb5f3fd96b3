#include "dg/programs/limiter_program.hpp"

#include <fmt/format.h>

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
  return {tables ? "using Limits = LimitTables;" : "using Limits = void;",
          fmt::format("using LimitedVariables = {};", limiter.variables),
          fmt::format("using Limiter = {};", limiter.slopes ? limiter.slopes->kernel.type : "NoSlopeLimiter"),
          fmt::format("static constexpr bool boundary_bounds = {};", spec.bounds_slopes_at_boundary()),
          fmt::format("static constexpr double bounds_ease = 0.1, sensor_floor = {};", literal(sensor_floor(spec))),
          fmt::format("static constexpr bool vertex_neighbours = {}, keeps_positive = {};",
                      limiter.slopes && limiter.slopes->around_vertices, limiter.positivity)};
}

void include_limiter(Writer& out, const LimiterSpec& limiter) {
  if (limiter.slopes) out.include(limiter.slopes->kernel.header);
  for (const char* header : {"kernels/limiter/limit.hpp", "kernels/limiter/detect.hpp"}) out.include(header);
  if (limiter.bounds_step) out.include("kernels/limiter/side_monitor.hpp");
}

std::vector<Entry> limiter_entries(const LimiterSpec& limiter) {
  std::vector<Entry> entries = {{"limit", "LimitArguments", "limit<Config>"}};
  if (limiter.bounds_step) entries.push_back({"side_monitor", "MonitorArguments", "side_monitor<Config>"});
  if (limiter.slopes && limiter.slopes->detects) entries.push_back({"detect", "LimitArguments", "detect<Config>"});
  return entries;
}

}  // namespace galerna::dg
