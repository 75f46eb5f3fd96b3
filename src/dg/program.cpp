#include "dg/program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace galerna::dg {
namespace {

using basis::Matrix;

/// Hexadecimal floating-point literal: exact.
std::string literal(double value) {
  return fmt::format("{:a}", value);
}

/// Writes the text of one program.
class Writer {
 public:
  Writer(const Spec& spec, const Operators& operators, const Target& target)
      : spec_(spec), operators_(operators), target_(target) {}

  /// Once, whether or not the header guards itself.
  void include(const std::string& header) {
    if (included_.insert(header).second) text_ += fmt::format("#include \"{}\"\n", header);
  }
  void line(const std::string& text) { text_ += text + "\n"; }

  /// constexpr table; in constant memory on the GPU.
  void table(const std::string& name, const std::vector<double>& values, const std::vector<std::size_t>& extents) {
    text_ += target_.kind == device::Kind::cuda ? "__constant__ constexpr Real " : "constexpr Real ";
    text_ += name;
    for (std::size_t extent : extents) text_ += fmt::format("[{}]", extent);
    text_ += " = {";
    for (std::size_t i = 0; i < values.size(); ++i) text_ += (i ? ", " : "") + literal(values[i]);
    text_ += "};\n";
  }

  void matrices(const std::string& name, const std::vector<Matrix>& matrices) {
    std::vector<double> values;
    for (const Matrix& m : matrices) values.insert(values.end(), m.data(), m.data() + m.size());
    table(name, values, {matrices.size() * static_cast<std::size_t>(matrices[0].rows() * matrices[0].cols())});
  }

  /// Types and tables that all kernels share.
  void common() {
    const bool single = spec_.precision == device::Precision::single_precision;
    line("namespace {");
    line("using namespace galerna::kernels;");
    line(fmt::format("using Real = {};", single ? "float" : "double"));
    if (target_.kind == device::Kind::cuda)
      line("using Value = Real;");
    else
      line(fmt::format("using Value = stdx::simd<Real, stdx::simd_abi::deduce_t<Real, {}>>;", target_.lanes));
    text_ += equations_text(spec_);
    matrices("volume_basis_table", {operators_.volume_basis});
    matrices("weighted_derivative_table", operators_.weighted_derivatives);
    matrices("side_basis_table", operators_.side_basis);
    table("side_weight_table", operators_.side.weights, {operators_.side.weights.size()});
    line("struct Tables {");
    line(fmt::format(
        "  static constexpr int degree = {}, modes = {}, volume_points = {}, sides = {}, side_points = {};",
        operators_.degree, operators_.modes, operators_.volume.size(), operators_.sides(), operators_.side.size()));
    line(fmt::format("  static constexpr Real side_scale = {};", literal(operators_.side_scale)));
    line("  static constexpr Real volume_basis(int q, int j) { return volume_basis_table[q * modes + j]; }");
    line("  static constexpr Real weighted_derivative(int d, int q, int j) {");
    line("    return weighted_derivative_table[(d * volume_points + q) * modes + j];");
    line("  }");
    line("  static constexpr Real side_basis(int side, int q, int j) {");
    line("    return side_basis_table[(side * side_points + q) * modes + j];");
    line("  }");
    line("  static constexpr Real side_weight(int q) { return side_weight_table[q]; }");
    line("};");
  }

  /// The Case struct; `members` are further lines in it.
  void case_struct(const std::vector<std::string>& members) {
    line("struct Case {");
    line("  using Real = ::Real;");
    line("  using Value = ::Value;");
    line(fmt::format("  static constexpr int width = {};", target_.lanes));
    // On the GPU low degrees are unrolled completely (tables become constants in the instructions); higher ones would
    // spill; loops over modes in fives keep enough loads in flight (measured on an H200).
    const bool low = operators_.degree <= 2;
    line(fmt::format("  static constexpr int unroll_points = {}, unroll_modes = {};",
                     low ? operators_.volume.size() : 1, low ? operators_.modes : 5));
    line("  using Equations = System;");
    line(fmt::format("  using Flux = {};", spec_.flux.type));
    line("  using Operators = Tables;");
    for (const std::string& member : members) line("  " + member);
    line("};");
    line("}  // namespace");
  }

  /// Entry point `name` that calls `function` for each item with arguments of type `arguments`. On the GPU `bounds` are
  /// threads in a thread block and, if need be, thread blocks on a multiprocessor.
  void entry(const std::string& name, const std::string& arguments, const std::string& function,
             const std::string& bounds = "128") {
    entries_.push_back(name);
    if (target_.kind == device::Kind::cuda) {
      line(fmt::format("extern \"C\" __global__ void __launch_bounds__({}) {}(const __grid_constant__ {} a) {{", bounds,
                       name, arguments));
      line("  const std::int64_t thread = blockIdx.x * std::int64_t(blockDim.x) + threadIdx.x;");
      line(fmt::format("  galerna::kernels::{}(a, Item{{thread / {}, int(thread % {})}});", function, target_.lanes,
                       target_.lanes));
    } else {
      line(fmt::format("extern \"C\" void {}(const void* arguments, std::int64_t begin, std::int64_t end) {{", name));
      line(fmt::format("  const auto& a = *static_cast<const {}*>(arguments);", arguments));
      line("  for (std::int64_t block = begin; block < end; ++block)");
      line(fmt::format("    galerna::kernels::{}(a, Item{{block, 0}});", function));
    }
    line("}");
  }

  /// Entry point for thread blocks that work on tiles.
  void tile_entry(const std::string& name, const std::string& function, int threads) {
    entries_.push_back(name);
    // As many registers as allow 8 warps (from degree 5 on) to 16 (degree 3) on a multiprocessor: measured on an H200.
    const int warps = operators_.degree <= 3 ? 16 : operators_.degree == 4 ? 12 : 8;
    line(fmt::format("extern \"C\" __global__ void __launch_bounds__({}, {}) {}(const __grid_constant__ ResidualArguments "
                     "a) {{",
                     threads, warps * 32 / threads, name));
    line(fmt::format("  galerna::kernels::{}(a);", function));
    line("}");
  }

  device::ProgramSource finish(const std::string& what) {
    device::ProgramSource source;
    source.title = fmt::format("{}, {} p = {}, {}, {}", spec_.title, name(spec_.shape), spec_.degree,
                               spec_.precision == device::Precision::single_precision ? "single" : "double", what);
    source.text = std::move(text_);
    source.entries = std::move(entries_);
    if (spec_.user) source.headers = {spec_.user->header};
    return source;
  }

 private:
  const Spec& spec_;
  const Operators& operators_;
  const Target& target_;
  std::set<std::string> included_;
  std::string text_;
  std::vector<std::string> entries_;
};

constexpr const char* point_parameters = "const V& x, const V& y, const V& z, const V& t";

/// `struct NAME` with `state`, from one function for each variable.
void write_state_member(Writer& out, const std::string& name, const StateFunctions& state) {
  out.line(fmt::format("  template <class V> static Array<V, System::variables> state({}) {{", point_parameters));
  std::string calls;
  for (std::size_t v = 0; v < state.functions.size(); ++v)
    calls += fmt::format("{}{}_{}<V>(x, y, z, t)", v ? ", " : "", name, v);
  out.line(fmt::format("    const Array<V, System::variables> values = {{{{{}}}}};", calls));
  out.line(state.primitive ? "    return System::from_primitive(values);" : "    return values;");
  out.line("  }");
}

void write_state_functions(Writer& out, const std::string& name, const StateFunctions& state) {
  for (std::size_t v = 0; v < state.functions.size(); ++v) out.line(state.functions[v](fmt::format("{}_{}", name, v)));
}

void write_state(Writer& out, const std::string& name, const StateFunctions& state) {
  write_state_functions(out, name, state);
  out.line(fmt::format("struct {} {{", name));
  write_state_member(out, name, state);
  out.line("};");
}

/// Values NAME_x, NAME_y, … grouped into vectors NAME.
std::map<std::string, std::vector<std::string>> vector_values(const BoundaryCondition& condition) {
  std::map<std::string, std::vector<std::string>> vectors;
  for (const auto& [value, text] : condition.values)
    if (value.size() > 2 && value[value.size() - 2] == '_' && value.back() >= 'x' && value.back() <= 'z')
      vectors[value.substr(0, value.size() - 2)].push_back(value);
  return vectors;
}

/// `struct NAME`: the data of one boundary condition.
void write_boundary_data(Writer& out, const std::string& name, const BoundaryCondition& condition) {
  if (condition.state) write_state_functions(out, name, *condition.state);
  for (const auto& [value, text] : condition.values) out.line(text(name + "_" + value));
  out.line(fmt::format("struct {} {{", name));
  if (condition.state) write_state_member(out, name, *condition.state);
  for (const auto& [value, text] : condition.values)
    out.line(fmt::format("  template <class V> static V {}({}) {{ return {}_{}<V>(x, y, z, t); }}", value,
                         point_parameters, name, value));
  for (const auto& [vector, values] : vector_values(condition)) {
    std::string calls;
    for (std::size_t d = 0; d < values.size(); ++d)
      calls += fmt::format("{}{}<V>(x, y, z, t)", d ? ", " : "", values[d]);
    out.line(fmt::format("  template <class V> static Array<V, System::dimension> {}({}) {{ return {{{{{}}}}}; }}",
                         vector, point_parameters, calls));
  }
  out.line("};");
}

/// Tables of a rule's points for kernels/points.hpp: λ_0 … λ_d, [point][corner].
void write_barycentric(Writer& out, const std::string& name, const basis::Quadrature& rule, Shape shape) {
  const int corners = corner_count(shape);
  std::vector<double> barycentric;
  for (const basis::Point& point : rule.points) {
    double rest = 1;
    for (int d = 0; d + 1 < corners; ++d) rest -= point[static_cast<std::size_t>(d)];
    barycentric.push_back(rest);
    for (int d = 0; d + 1 < corners; ++d) barycentric.push_back(point[static_cast<std::size_t>(d)]);
  }
  out.table(name, barycentric, {barycentric.size()});
}

/// `static constexpr Real barycentric`, from the table of that name.
std::string barycentric_member(const std::string& table, Shape shape) {
  return fmt::format("  static constexpr Real barycentric(int q, int i) {{ return {}[q * {} + i]; }}", table,
                     corner_count(shape));
}

void write_formula_tables(Writer& out, const Operators& operators) {
  const basis::Quadrature& rule = operators.formula;
  out.matrices("formula_basis_table", {operators.formula_basis});
  out.table("formula_weight_table", rule.weights, {rule.weights.size()});
  write_barycentric(out, "barycentric_table", rule, operators.shape);
  out.line("struct FormulaTables {");
  out.line(fmt::format("  static constexpr int points = {};", rule.size()));
  out.line("  static constexpr Real weight(int q) { return formula_weight_table[q]; }");
  out.line("  static constexpr Real basis(int q, int j) { return formula_basis_table[q * Tables::modes + j]; }");
  out.line(barycentric_member("barycentric_table", operators.shape));
  out.line("};");
}

/// `struct FormulaSource` from one function for each variable.
void write_formula_source(Writer& out, const std::vector<FunctionText>& functions) {
  std::string calls;
  for (std::size_t v = 0; v < functions.size(); ++v) {
    const std::string name = fmt::format("Source_{}", v);
    out.line(functions[v](name));
    calls += fmt::format("{}{}<V>(x[0], x[1], x[2], t, u)", v ? ", " : "", name);
  }
  out.line("struct FormulaSource {");
  out.line("  template <class V>");
  out.line("  static Array<V, System::variables> source(const Array<V, System::variables>& u, const Array<V, 3>& x,");
  out.line("                                            const V& t) {");
  out.line(fmt::format("    return {{{{{}}}}};", calls));
  out.line("  }");
  out.line("};");
}

/// The members of Case for kernels/source.hpp.
std::vector<std::string> write_sources(Writer& out, const Spec& spec, const Operators& operators) {
  Matrix weighted = operators.volume_basis;
  for (int q = 0; q < operators.volume.size(); ++q)
    for (int j = 0; j < operators.modes; ++j) weighted(q, j) *= operators.volume.weights[static_cast<std::size_t>(q)];
  out.matrices("weighted_basis_table", {weighted});
  write_barycentric(out, "volume_barycentric_table", operators.volume, operators.shape);
  out.line("struct SourceTables {");
  out.line("  static constexpr Real weighted_basis(int q, int j) { return weighted_basis_table[q * Tables::modes + j]; }");
  out.line(barycentric_member("volume_barycentric_table", operators.shape));
  out.line("};");
  std::vector<std::string> parts;
  if (spec.user && spec.user->source) parts.emplace_back("System");
  if (!spec.source.empty()) {
    write_formula_source(out, spec.source);
    parts.emplace_back("FormulaSource");
  }
  return {fmt::format("using Sources = SourceList<{}>;", fmt::join(parts, ", ")), "using SourcePoints = SourceTables;"};
}

/// `struct LimitTables` and the members of Case that the limiter's kernels need.
std::vector<std::string> write_limiter(Writer& out, const LimiterSpec& limiter, const Operators& operators) {
  // Tables of (k, s) one behind the other; modes of degree ≤ k are (k + 1)(k + 2)/2.
  std::vector<double> derivatives;
  for (const auto& components : operators.vertex_derivatives())
    for (const basis::Matrix& m : components) derivatives.insert(derivatives.end(), m.data(), m.data() + m.size());
  out.table("vertex_derivative_table", derivatives, {derivatives.size()});
  out.matrices("side_mean_table", {operators.side_means()});
  out.line("struct LimitTables {");
  out.line("  static constexpr int modes_up_to(int k) { return (k + 1) * (k + 2) / 2; }");
  out.line("  static constexpr int start(int k) {");
  out.line("    int sum = 0;");
  out.line("    for (int l = 1; l < k; ++l) sum += l * 3 * modes_up_to(l);");
  out.line("    return sum;");
  out.line("  }");
  out.line("  static constexpr Real vertex_derivative(int k, int s, int vertex, int j) {");
  out.line("    return vertex_derivative_table[start(k) + (s * 3 + vertex) * modes_up_to(k) + j];");
  out.line("  }");
  out.line("  static constexpr Real side_mean(int side, int j) { return side_mean_table[side * Tables::modes + j]; }");
  out.line("};");
  const char* names[] = {"none", "barth_jespersen", "hierarchical"};
  return {"using Limits = LimitTables;", fmt::format("using LimitedVariables = {};", limiter.variables),
          fmt::format("static constexpr SlopeLimiter limiter = SlopeLimiter::{};", names[static_cast<int>(limiter.slopes)]),
          fmt::format("static constexpr bool vertex_neighbours = {}, keeps_positive = {};", limiter.vertex_neighbours,
                      limiter.positivity)};
}

/// Tiles know no positions, which sources need.
bool can_tile(const Spec& spec, const Target& target) {
  return target.matrix_units && spec.degree >= 2 && !spec.has_source();
}

}  // namespace

std::string residual_entry(int inputs, int outputs) {
  return fmt::format("residual_{}_{}", inputs, outputs);
}

Target target_of(const device::Device& device, device::Precision precision) {
  return {device.kind(), device.lanes(precision), device.matrix_units()};
}

int tile_elements(const Spec& spec, const Target& target) {
  if (!can_tile(spec, target)) return 0;
  if (spec.tile) return *spec.tile;
  // In single precision half as many registers hold an element, and a thread for each is as fast.
  if (spec.degree < 3 || spec.precision == device::Precision::single_precision) return 0;
  return spec.degree == 3 ? 64 : 32;
}

std::vector<int> tile_choices(const Spec& spec, const Target& target) {
  if (!can_tile(spec, target)) return {0};
  std::vector<int> choices = {0, 32, 64};
  const auto preferred = std::find(choices.begin(), choices.end(), tile_elements(spec, target));
  std::rotate(choices.begin(), preferred, preferred + 1);
  return choices;
}

device::ProgramSource core_program(const Spec& spec, const Operators& operators, const Target& target,
                                   const std::set<std::pair<int, int>>& stage_shapes) {
  Writer out(spec, operators, target);
  const bool host = target.kind == device::Kind::host;
  const int tile = tile_elements(spec, target);
  const std::string structure = host ? "batch/" : tile > 0 ? "tile/" : "";
  out.include("kernels/" + structure + "residual.hpp");
  out.include("kernels/" + structure + "monitor.hpp");
  if (host) out.include("kernels/batch/traces.hpp");
  for (const char* header : {"kernels/control.hpp", "kernels/change.hpp", "kernels/embedded.hpp"}) out.include(header);
  if (spec.limiter) {
    out.include("kernels/limiter/limit.hpp");
    out.include("kernels/limiter/detect.hpp");
  }
  for (const std::string& header : equation_headers(spec)) out.include(header);
  out.include(spec.flux.header);
  out.common();
  std::vector<std::string> members;
  if (spec.limiter) members = write_limiter(out, *spec.limiter, operators);
  if (spec.has_source())
    for (const std::string& member : write_sources(out, spec, operators)) members.push_back(member);
  if (tile > 0) members.push_back(fmt::format("static constexpr int tile_elements = {};", tile));
  out.case_struct(members);
  for (const auto& [inputs, outputs] : stage_shapes)
    if (tile > 0)
      out.tile_entry(residual_entry(inputs, outputs), fmt::format("tile_residual<Case, {}, {}>", inputs, outputs),
                     tile * 4);
    else
      out.entry(residual_entry(inputs, outputs), "ResidualArguments",
                fmt::format("{}residual<Case, {}, {}>", host ? "batch_" : "", inputs, outputs),
                spec.degree == 2 ? "128, 3" : "128");
  if (host) out.entry("traces", "TraceArguments", "batch_traces<Case>");
  if (tile > 0)
    out.entry("monitor", "MonitorArguments", "tile_monitor<Case>", "256");
  else
    out.entry("monitor", "MonitorArguments", host ? "batch_monitor<Case>" : "monitor<Case>");
  if (spec.limiter) {
    out.entry("limit", "LimitArguments", "limit<Case>");
    if (spec.limiter->slopes == LimiterSpec::Slopes::hierarchical) out.entry("detect", "LimitArguments", "detect<Case>");
  }
  out.entry("change", "ChangeArguments", "change<Case>");
  out.entry("embedded_error", "EmbeddedArguments", "embedded_error<Case>");
  out.entry("embedded_commit", "EmbeddedArguments", "embedded_commit<Case>");
  out.entry("begin_step", "ControlArguments", "begin_step", "1024");
  out.entry("end_step", "ControlArguments", "end_step<System::variables>", "1024");
  out.entry("next_step", "ControlArguments", "next_step<System::variables>", "1024");
  return out.finish("solver");
}

device::ProgramSource case_program(const Spec& spec, const Operators& operators, const Target& target) {
  Writer out(spec, operators, target);
  out.include("kernels/ghosts.hpp");
  out.include("kernels/formulas.hpp");
  for (const std::string& header : equation_headers(spec)) out.include(header);
  out.include(spec.flux.header);
  for (const BoundaryCondition& boundary : spec.boundaries) out.include(boundary.kernel.header);
  out.common();
  write_formula_tables(out, operators);

  std::string list;
  for (std::size_t b = 0; b < spec.boundaries.size(); ++b) {
    const BoundaryCondition& condition = spec.boundaries[b];
    const std::string data = fmt::format("Boundary{}", b);
    if (condition.takes_data) write_boundary_data(out, data, condition);
    if (spec.user && condition.kernel.header == spec.equations.header)
      out.line(fmt::format("static_assert(HasGhost<{0}, System>, \"{0} needs ghost<Equations>(inside, at)\");",
                           condition.kernel.type));
    list += (b ? ", " : "") + condition.kernel.type + (condition.takes_data ? "<" + data + ">" : "");
  }
  std::vector<std::string> members = {"using Formulas = FormulaTables;",
                                      fmt::format("using Boundaries = BoundaryList<{}>;", list)};
  if (spec.initial) {
    write_state(out, "InitialState", *spec.initial);
    members.push_back("using Initial = InitialState;");
  }
  if (spec.exact) {
    write_state(out, "ExactState", *spec.exact);
    members.push_back("using Exact = ExactState;");
  }
  out.case_struct(members);
  if (!spec.boundaries.empty()) out.entry("ghosts", "GhostArguments", "ghosts<Case>");
  if (spec.initial) out.entry("project", "FormulaArguments", "project<Case>");
  if (spec.exact) out.entry("errors", "FormulaArguments", "errors<Case>");
  return out.finish("formulas");
}

}  // namespace galerna::dg
