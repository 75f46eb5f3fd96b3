#include "polytopic/program.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/polytopic/arguments.hpp"

namespace galerna::polytopic {
namespace {

constexpr const char* parameters = "const V& x, const V& y, const V& z, const V& t";
constexpr const char* unused_parameters =
    "[[maybe_unused]] const V& x, [[maybe_unused]] const V& y, [[maybe_unused]] const V& z, [[maybe_unused]] const V& "
    "t";

class Writer {
 public:
  Writer(const Spec& spec, const std::set<int>& degrees, const Target& target)
      : spec_(spec), degrees_(degrees), target_(target) {}

  /// What all programs begin with. \param headers of kernels/polytopic with the kernels of this one
  /// \param in_double of double precision whatever the case's
  void types(const std::vector<std::string>& headers, bool in_double) {
    for (const std::string& header : headers) include(fmt::format("kernels/polytopic/{}.hpp", header));
    include(spec_.penalty.header);
    data();
    case_struct(in_double);
    line("}  // namespace");
  }

  /// `function` of kernels/polytopic for one item by one thread.
  void thread_entry(const std::string& name, const std::string& function) {
    entries_.push_back(name);
    if (on_host()) return host_loop(name, function);
    line(
        fmt::format("extern \"C\" __global__ void __launch_bounds__(128) {}(const __grid_constant__ "
                    "PolytopicArguments a) {{",
                    name));
    line("  const std::int64_t item = blockIdx.x * std::int64_t(blockDim.x) + threadIdx.x;");
    line(fmt::format("  if (item < a.count) galerna::kernels::polytopic::{}(a, item);\n}}", function));
  }

  /// `function` for each item by a team, for each degree. \param function with {} for the degree
  void team_entries(const std::string& name, const std::string& function) {
    for (const int degree : degrees_) {
      const std::string entry = entry_name(name, degree), call = fmt::format(fmt::runtime(function), degree);
      entries_.push_back(entry);
      if (on_host()) {
        host_loop(entry, call);
        continue;
      }
      line(
          fmt::format("extern \"C\" __global__ void __launch_bounds__({}) {}(const __grid_constant__ "
                      "PolytopicArguments a) {{",
                      kernels::polytopic::team_threads(basis::box_mode_count(spec_.space, degree)), entry));
      line(fmt::format("  galerna::kernels::polytopic::{}(a, blockIdx.x);\n}}", call));
    }
  }

  device::ProgramSource finish(const std::string& what) {
    device::ProgramSource source;
    source.title = fmt::format("advection-diffusion-reaction {}D{}, polytopes p = {}, {}, {}", spec_.space.dimension,
                               spec_.space.slab ? " slabs" : "", fmt::join(degrees_, ", "),
                               spec_.precision == device::Precision::single_precision ? "single" : "double", what);
    source.text = std::move(text_);
    source.entries = std::move(entries_);
    return source;
  }

 private:
  void include(const std::string& header) { line(fmt::format("#include \"{}\"", header)); }
  bool on_host() const { return target_.kind == device::Kind::host; }
  void line(const std::string& text) { text_ += text + "\n"; }

  void data() {
    line("namespace {");
    line("using namespace galerna::kernels;");
    line("using namespace galerna::kernels::polytopic;");
    mode_table();
    functions("diffusion", spec_.diffusion);
    functions("velocity", spec_.velocity);
    functions("divergence", spec_.divergence);
    functions("exact_gradient", spec_.exact_gradient);
    for (const auto& [name, function] : scalars())
      if (*function) line((*function)(std::string("formula_") + name));
    for (std::size_t b = 0; b < spec_.boundaries.size(); ++b)
      if (spec_.boundaries[b].data) line(spec_.boundaries[b].data(fmt::format("boundary_{}", b)));
    line("struct CaseData {");
    line(fmt::format("  static constexpr bool moves = {}, reacts = {};", !spec_.velocity.empty(),
                     static_cast<bool>(spec_.reaction)));
    vector_member("diffusion", spec_.diffusion);
    vector_member("velocity", spec_.velocity);
    vector_member("exact_gradient", spec_.exact_gradient);
    for (const auto& [name, function] : scalars()) scalar_member(name, static_cast<bool>(*function));
    divergence_member();
    boundary_members();
    line("};");
  }

  void case_struct(bool in_double) {
    const bool single = spec_.precision == device::Precision::single_precision && !in_double;
    const char* real = single ? "float" : "double";
    line("struct Case {");
    line(fmt::format("  using Real = {};", real));
    if (on_host())
      line(fmt::format(
          "  using Value = stdx::simd<Real, stdx::simd_abi::deduce_t<Real, {}>>;",
          in_double && spec_.precision == device::Precision::single_precision ? target_.lanes / 2 : target_.lanes));
    else
      line("  using Value = Real;");
    line(fmt::format("  static constexpr int dimension = {};", spec_.space.dimension));
    line(fmt::format("  static constexpr bool slab = {}, tensor = {};", spec_.space.slab, spec_.space.tensor));
    line("  static constexpr int mode(int direction, int j) { return mode_table[direction][j]; }");
    line("  using Data = CaseData;");
    line(fmt::format("  using Penalty = {};", spec_.penalty.type));
    line("};");
  }

  void host_loop(const std::string& name, const std::string& call) {
    line(fmt::format("extern \"C\" void {}(const void* arguments, std::int64_t begin, std::int64_t end) {{", name));
    line("  const auto& a = *static_cast<const PolytopicArguments*>(arguments);");
    line(fmt::format("  for (std::int64_t item = begin; item < end; ++item) galerna::kernels::polytopic::{}(a, item);",
                     call));
    line("}");
  }

  void mode_table() {
    const auto modes = basis::box_modes(spec_.space, *degrees_.rbegin());
    std::string rows;
    for (int d = 0; d < spec_.space.directions(); ++d) {
      std::string row;
      for (const auto& mode : modes)
        row += fmt::format("{}{}", row.empty() ? "" : ", ", mode[static_cast<std::size_t>(d)]);
      rows += fmt::format("{}{{{}}}", d ? ", " : "", row);
    }
    line(fmt::format("{}constexpr unsigned char mode_table[{}][{}] = {{{}}};", on_host() ? "" : "__constant__ ",
                     spec_.space.directions(), modes.size(), rows));
  }

  void functions(const std::string& name, const std::vector<FunctionText>& list) {
    for (std::size_t k = 0; k < list.size(); ++k) line(list[k](fmt::format("formula_{}_{}", name, k)));
  }

  std::vector<std::pair<const char*, const FunctionText*>> scalars() const {
    return {
        {"reaction", &spec_.reaction}, {"source", &spec_.source}, {"initial", &spec_.initial}, {"exact", &spec_.exact}};
  }

  void vector_member(const std::string& name, const std::vector<FunctionText>& list) {
    line(fmt::format("  template <class V, class Values> static void {}({}, Values& values) {{", name,
                     unused_parameters));
    if (list.empty()) line("    for (int k = 0; k < values.size(); ++k) values[k] = V(0);");
    for (std::size_t k = 0; k < list.size(); ++k)
      line(fmt::format("    values[{}] = formula_{}_{}<V>(x, y, z, t);", k, name, k));
    line("  }");
  }

  void scalar_member(const std::string& name, bool there) {
    line(fmt::format("  template <class V> static V {}({}) {{ return {}; }}", name, unused_parameters,
                     there ? fmt::format("formula_{}<V>(x, y, z, t)", name) : "V(0)"));
  }

  void divergence_member() {
    std::string sum = "V(0)";
    for (std::size_t k = 0; k < spec_.divergence.size(); ++k)
      sum += fmt::format(" + formula_divergence_{}<V>(x, y, z, t)", k);
    line(fmt::format("  template <class V> static V divergence({}) {{ return {}; }}", unused_parameters, sum));
  }

  void boundary_members() {
    line("  static BoundaryType boundary_type(int boundary) {");
    for (std::size_t b = 0; b < spec_.boundaries.size(); ++b)
      if (!spec_.boundaries[b].dirichlet) line(fmt::format("    if (boundary == {}) return BoundaryType::neumann;", b));
    line("    return BoundaryType::dirichlet;\n  }");
    line(fmt::format("  template <class V> static V boundary_data(int boundary, {}) {{", parameters));
    for (std::size_t b = 0; b < spec_.boundaries.size(); ++b)
      if (spec_.boundaries[b].data)
        line(fmt::format("    if (boundary == {0}) return boundary_{0}<V>(x, y, z, t);", b));
    line("    return V(0);\n  }");
  }

  const Spec& spec_;
  const std::set<int>& degrees_;
  const Target& target_;
  std::string text_;
  std::vector<std::string> entries_;
};

}  // namespace

bool certifies_with_volume(const Spec& spec, device::Kind kind) {
  return spec.penalty.eigenvalue && kind == device::Kind::host && spec.precision == device::Precision::double_precision;
}

std::string entry_name(const std::string& name, int degree) {
  return fmt::format("{}_{}", name, degree);
}

device::ProgramSource penalty_program(const Spec& spec, const std::set<int>& degrees, const Target& target) {
  std::vector<std::string> headers = {"extremes"};
  const bool certify = spec.penalty.eigenvalue && !certifies_with_volume(spec, target.kind);
  if (certify) headers.emplace_back("certify");
  Writer out(spec, degrees, target);
  out.types(headers, true);
  out.thread_entry("extremes", "extremes<Case>");
  out.thread_entry("penalties", "penalties<Case>");
  if (certify) out.team_entries("certify", "certify<Case, {}>");
  return out.finish("penalty");
}

device::ProgramSource assembly_program(const Spec& spec, const std::set<int>& degrees, const Target& target) {
  Writer out(spec, degrees, target);
  const bool certify = certifies_with_volume(spec, target.kind);
  out.types({certify ? "certified_volume" : "volume", "interface"}, false);
  if (certify) {
    out.team_entries("certified_volume", "certified_volume<Case, {}>");
    out.team_entries("facets", "facets<Case, {}>");
  } else {
    out.team_entries("diagonal", "diagonal<Case, {}, true>");
  }
  out.team_entries("right_hand_side", "diagonal<Case, {}, false>");
  out.team_entries("interface", "interface<Case, {}>");
  return out.finish("assembly");
}

device::ProgramSource error_program(const Spec& spec, const std::set<int>& degrees, const Target& target) {
  Writer out(spec, degrees, target);
  out.types({"balance", "errors"}, false);
  out.team_entries("errors", "errors<Case, {}>");
  out.team_entries("interface_errors", "interface_errors<Case, {}>");
  out.thread_entry("facet_fluxes", "facet_fluxes<Case>");
  out.thread_entry("contents", "contents<Case>");
  return out.finish("errors");
}

}  // namespace galerna::polytopic
