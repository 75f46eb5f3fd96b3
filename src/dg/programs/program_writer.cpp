#include "dg/programs/program_writer.hpp"

#include <map>

#include "kernels/arguments.hpp"

namespace galerna::dg {
namespace {

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
  // Kernels of the CPU are inlined as a whole, with formulas of any length several times: compilers would take minutes.
  if (out.on_host()) out.line("  [[gnu::noinline]]");
  out.line("  static Array<V, System::variables> source(const Array<V, System::variables>& u, const Array<V, 3>& x,");
  out.line("                                            const V& t) {");
  out.line(fmt::format("    return {{{{{}}}}};", calls));
  out.line("  }");
  out.line("};");
}

/// `struct NAME` of kernels/formula_integrals.hpp.
void write_integrands(Writer& out, const std::string& name, const std::vector<FunctionText>& integrands,
                      bool gradients) {
  std::vector<std::string> calls;
  for (const FunctionText& integrand : integrands) {
    const std::string function = fmt::format("{}_{}", name, calls.size());
    out.line(integrand(function));
    calls.push_back(function + "<V>(x[0], x[1], x[2], t, u)");
  }
  out.line(fmt::format("struct {} {{", name));
  out.line(fmt::format("  static constexpr int count = {};", calls.size()));
  out.line(fmt::format("  static constexpr bool gradients = {};", gradients));
  out.line("  template <class V, class U>");
  if (out.on_host()) out.line("  [[gnu::noinline]]");  // as sources
  out.line("  static Array<V, count> values(const Array<V, 3>& x, const V& t, const U& u) {");
  out.line(fmt::format("    return {{{{{}}}}};", fmt::join(calls, ",\n             ")));
  out.line("  }");
  out.line("};");
}

/// Of integrals along boundaries, or of all others. \return entries
std::vector<Entry> write_integrals(Writer& out, const Spec& spec, bool of_sides) {
  const std::string name = of_sides ? "SideIntegrands" : "Integrands",
                    entry = of_sides ? "formula_side_integrals" : "formula_integrals";
  std::vector<FunctionText> integrands;
  bool gradients = false;
  for (const FormulaIntegral& integral : spec.integrals) {
    if (integral.boundary.has_value() != of_sides) continue;
    integrands.push_back(integral.integrand);
    gradients = gradients || integral.gradients;
  }
  if (integrands.empty()) return {};
  write_integrands(out, name, integrands, gradients);
  return {{entry, "FormulaIntegralArguments", fmt::format("{}<Config, {}>", entry, name)}};
}

}  // namespace

void include_formulas(Writer& out, const Spec& spec) {
  out.include("kernels/formulas.hpp");
  if (!spec.integrals.empty() || !spec.report_integrands.empty()) out.include("kernels/formula_integrals.hpp");
}

std::vector<Entry> state_entries(const Spec& spec) {
  std::vector<Entry> entries;
  if (spec.error_control) entries.push_back({"embedded_error", "EmbeddedArguments", "embedded_error<Config>"});
  if (spec.candidate) entries.push_back({"embedded_commit", "EmbeddedArguments", "embedded_commit<Config>"});
  if (spec.averages) entries.push_back({"accumulate", "AverageArguments", "accumulate<Config>"});
  return entries;
}

std::vector<Entry> control_entries(const std::string& variables, bool by_error) {
  const auto entry = [](const char* name, const char* arguments, const std::string& parameters) -> Entry {
    return {name, arguments, fmt::format("{}<{}>", name, parameters), "256"};
  };
  return {entry("begin_step", "ControlArguments", variables),
          entry("end_step", "ControlArguments", fmt::format("{}, {}", variables, by_error)),
          entry("next_step", "ControlArguments", variables), entry("integral_sums", "IntegralSumArguments", variables)};
}

std::vector<device::ProgramSource> control_programs(const Spec& spec, const device::Target& target) {
  EntryWriter out(target);
  for (const char* header : {"kernels/control.hpp", "kernels/integrals.hpp"}) out.include(header);
  out.line("using namespace galerna::kernels;");
  for (const Entry& entry : control_entries(fmt::format("{}", spec.variable_count()), spec.error_control))
    out.large_entry(entry);
  device::ProgramSource source;
  source.title = fmt::format("control of steps{}, {} variables", spec.error_control ? " by their error" : "",
                             spec.variable_count());
  source.shares_stack = true;
  return out.finish(source);
}

std::string literal(double value) {
  return fmt::format("{:a}", value);
}

std::vector<Entry> write_formulas(Writer& out, const Spec& spec) {
  std::vector<Entry> entries;
  const auto write = [&](const std::string& entry, const std::string& name, const StateFunctions& state) {
    write_state_functions(out, name, state);
    out.line(fmt::format("struct {} {{", name));
    write_state_member(out, name, state);
    out.line("};");
    entries.push_back({entry, "FormulaArguments", fmt::format("{}<Config, {}>", entry, name)});
  };
  if (spec.initial) write("project", "InitialState", *spec.initial);
  if (spec.exact) write("errors", "ExactState", *spec.exact);
  for (const bool of_sides : {false, true})
    for (const Entry& entry : write_integrals(out, spec, of_sides)) entries.push_back(entry);
  if (!spec.integrals.empty())
    entries.push_back({"formula_integral_sum", "IntegralSumArguments", "integral_sums<1>", "256"});
  if (!spec.report_integrands.empty()) {
    write_integrands(out, "ReportIntegrands", spec.report_integrands, false);
    entries.push_back({"report_integrals", "FormulaArguments", "report_integrals<Config, ReportIntegrands>"});
  }
  return entries;
}

std::vector<std::string> write_sources(Writer& out, const Spec& spec, const Operators& operators, int geometry_order) {
  basis::Matrix weighted = operators.volume_basis;
  for (int q = 0; q < operators.volume.size(); ++q)
    weighted.row(q) *= operators.volume.weights[static_cast<std::size_t>(q)];
  const basis::Matrix lagrange = basis::lagrange_values(operators.shape, geometry_order, operators.volume.points);
  out.matrices("weighted_basis_table", {weighted});
  out.matrices("source_lagrange_table", {lagrange});
  out.line("struct SourceTables {");
  out.line(fmt::format("  static constexpr int nodes = {};", lagrange.cols()));
  out.line(
      "  static constexpr Real weighted_basis(int q, int j) { return weighted_basis_table[q * Tables::modes + j]; }");
  out.line("  static constexpr Real lagrange(int q, int i) { return source_lagrange_table[q * nodes + i]; }");
  out.line("};");
  std::vector<std::string> parts;
  if (spec.equations.source) parts.emplace_back("System");
  if (!spec.source.empty()) {
    write_formula_source(out, spec.source);
    parts.emplace_back("FormulaSource");
  }
  return {fmt::format("using Sources = SourceList<{}>;", fmt::join(parts, ", ")), "using SourcePoints = SourceTables;"};
}

void include_boundaries(Writer& out, const Spec& spec) {
  for (const BoundaryCondition& boundary : spec.boundaries) out.include(boundary.kernel.header);
  if (spec.senses()) out.include("kernels/filter/boundary_summary.hpp");
}

std::vector<std::string> boundary_members(Writer& out, const Spec& spec, bool stored_traces) {
  std::string list;
  for (std::size_t b = 0; b < spec.boundaries.size(); ++b) {
    const BoundaryCondition& condition = spec.boundaries[b];
    const std::string data = fmt::format("Boundary{}", b);
    if (condition.takes_data) write_boundary_data(out, data, condition);
    const std::string type = condition.kernel.type + (condition.takes_data ? "<" + data + ">" : "");
    out.line(fmt::format("static_assert(HasGhost<{}, System>, \"{} needs ghost<Equations>(inside, at)\");", type,
                         condition.kernel.type));
    list += (b ? ", " : "") + type;
  }
  return {fmt::format("static constexpr bool stored_traces = {}, viscous = {};", stored_traces, spec.diffuses()),
          fmt::format("using Boundaries = BoundaryList<{}>;", list),
          fmt::format("using ViscousBoundaries = ViscousBoundaryList<{}>;", list)};
}

std::vector<Entry> boundary_entries(const Spec& spec, int dimension, bool stored_traces) {
  if (spec.boundaries.empty()) return {};
  const int threads = kernels::threads_per_face(dimension, stored_traces);
  std::vector<Entry> entries = {{"ghosts", "GhostArguments", "ghosts<Config>", "128", threads}};
  if (spec.bounds_slopes_at_boundary())
    entries.push_back({"boundary_means", "BoundaryMeanArguments", "boundary_means<Config>"});
  if (spec.senses()) entries.push_back({"boundary_summary", "BoundarySummaryArguments", "boundary_summary<Config>"});
  if (spec.diffuses())
    entries.push_back({"boundary_fluxes", "GhostArguments", "boundary_fluxes<Config>", "128", threads});
  return entries;
}

}  // namespace galerna::dg
