#include "polytopic/assembly_programs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "kernels/polytopic/team.hpp"

namespace galerna::polytopic {
namespace {

constexpr const char* unused_parameters =
    "[[maybe_unused]] const V& x, [[maybe_unused]] const V& y, [[maybe_unused]] const V& z, [[maybe_unused]] const V& "
    "t";

class Writer : public device::ProgramWriter {
 public:
  Writer(const Spec& spec, const std::set<int>& degrees, const device::Target& target,
         std::string arguments = "PolytopicArguments")
      : ProgramWriter(target), spec_(spec), degrees_(degrees), arguments_(std::move(arguments)) {}

  /// What all programs begin with. \param headers of kernels/polytopic with the kernels of this one
  /// \param in_double of double precision whatever the case's
  void types(const std::vector<std::string>& headers, bool in_double) {
    for (const std::string& header : headers) include(fmt::format("kernels/polytopic/{}.hpp", header));
    include(spec_.penalty.header);
    data();
    config_struct(in_double);
    line("}  // namespace");
  }

  /// `function` of kernels/polytopic for one item by one thread. \param together whether threads without an item come
  /// along, to write what the others have \param bound on registers
  void thread_entry(const std::string& name, const std::string& function, bool together = false,
                    const std::string& bound = "") {
    const std::string call = fmt::format("galerna::kernels::polytopic::{}(a, item);", function);
    write({name, arguments_, fmt::format("{}{}", kernels::polytopic::thread_group, bound), call,
           fmt::format("const std::int64_t item = blockIdx.x * std::int64_t(blockDim.x) + threadIdx.x;\n  {}{}",
                       together ? "" : "if (item < a.count) ", call)});
  }

  /// For each degree, `team` for each item by a team, or `thread` where blocks are small, by a thread.
  void entries_by_size(const std::string& name, const std::string& team, const std::string& thread) {
    const std::set<int>& all = degrees_;
    for (const int degree : all)
      if (kernels::polytopic::fits_in_thread(basis::box_mode_count(spec_.space, degree)))
        thread_entry(entry_name(name, degree), fmt::format(fmt::runtime(thread), degree), true, bound_of(degree));
      else
        team_entry(name, team, degree);
  }

  /// `function` for each item by a team, for each degree. \param function with {} for the degree
  void team_entries(const std::string& name, const std::string& function) {
    for (const int degree : degrees_) team_entry(name, function, degree);
  }

  /// `eigenvalues_P` of degrees whose eigenvalues do not come with the volume.
  void eigenvalue_entries() {
    for (const int degree : degrees_) {
      const int modes = basis::box_mode_count(spec_.space, degree);
      if (kernels::polytopic::fits_in_thread(modes)) continue;
      if (kernels::polytopic::eigenvalue_fits_in_thread(modes))
        thread_entry(entry_name("eigenvalues", degree), fmt::format("thread_eigenvalues<Config, {}>", degree));
      else
        team_entry("eigenvalues", "grid_eigenvalues<Config, {}>", degree);
    }
  }

  /// `interface_P` by a thread or by as many warps as have registers for it.
  void interface_entries() {
    for (const int degree : degrees_) {
      const int modes = basis::box_mode_count(spec_.space, degree);
      if (kernels::polytopic::fits_in_thread(modes))
        thread_entry(entry_name("interface", degree),
                     fmt::format("small_interface<Config, {}, {}>", degree, item_threads()), true, bound_of(degree));
      else
        team_entry("interface", "interface_tiles<Config, {}>", degree);
    }
  }

  std::string item_threads() const { return fmt::format("ItemThreads<{}>", spec_.item_threads); }

  device::ProgramSource finish_case(const std::string& what) {
    const bool single = spec_.precision == device::Precision::single_precision;
    return finish(fmt::format("advection-diffusion-reaction {}D{}, polytopes p = {}, {}, {}", spec_.space.dimension,
                              spec_.space.slab ? " slabs" : "", fmt::join(degrees_, ", "), single ? "single" : "double",
                              what));
  }

 private:
  void team_entry(const std::string& name, const std::string& function, int degree) {
    const std::string function_name = fmt::format(fmt::runtime(function), degree);
    const Team team = team_of(assembly_for(spec_, target_), name, spec_, degree);
    const std::string bounds =
        team.groups > 0 ? fmt::format("{}, {}", team.threads, team.groups) : fmt::format("{}", team.threads);
    write({entry_name(name, degree), arguments_, bounds,
           fmt::format("galerna::kernels::polytopic::{}(a, item);", function_name),
           fmt::format("galerna::kernels::polytopic::{}(a, blockIdx.x);", function_name)});
  }
  /// Of threads with blocks of their own: three modes need 128 registers, more of them more.
  std::string bound_of(int degree) const { return basis::box_mode_count(spec_.space, degree) <= 3 ? ", 4" : ""; }

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
      for (const auto& [name, text] :
           {std::pair("boundary", spec_.boundaries[b].data), {"exchange", spec_.boundaries[b].exchange}})
        if (text) line(text(fmt::format("{}_{}", name, b)));
    const bool exchanges =
        std::any_of(spec_.boundaries.begin(), spec_.boundaries.end(), [](const auto& b) { return bool(b.exchange); });
    line("struct CaseData {");
    line(fmt::format("  static constexpr bool moves = {}, reacts = {}, exchanges = {};", !spec_.velocity.empty(),
                     static_cast<bool>(spec_.reaction), exchanges));
    vector_member("diffusion", spec_.diffusion);
    vector_member("velocity", spec_.velocity);
    vector_member("exact_gradient", spec_.exact_gradient);
    for (const auto& [name, function] : scalars()) scalar_member(name, static_cast<bool>(*function));
    divergence_member();
    boundary_members();
    line("};");
  }

  void config_struct(bool in_double) {
    const bool single = spec_.precision == device::Precision::single_precision && !in_double;
    const char* real = single ? "float" : "double";
    line("struct Config {");
    line(fmt::format("  using Real = {};", real));
    if (on_host())
      line(fmt::format(
          "  using Value = Pack<Real, {}>;",
          in_double && spec_.precision == device::Precision::single_precision ? target_.lanes / 2 : target_.lanes));
    else
      line("  using Value = Real;");
    line(fmt::format("  static constexpr int dimension = {};", spec_.space.dimension));
    line(fmt::format("  static constexpr bool slab = {}, tensor = {};", spec_.space.slab, spec_.space.tensor));
    line(fmt::format("  static constexpr int time_degree = {};", spec_.space.time_degree));
    line("  static constexpr int mode(int direction, int j) { return mode_table[direction][j]; }");
    line("  using Data = CaseData;");
    line(fmt::format("  using Penalty = {};", spec_.penalty.type));
    line("};");
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
      if (!spec_.boundaries[b].dirichlet)
        line(fmt::format("    if (boundary == {}) return BoundaryType::{};", b,
                         spec_.boundaries[b].exchange ? "robin" : "neumann"));
    line("    return BoundaryType::dirichlet;\n  }");
    boundary_member("boundary_data", "boundary", &Spec::Boundary::data);
    boundary_member("exchange", "exchange", &Spec::Boundary::exchange);
  }

  void boundary_member(const std::string& name, const std::string& function, FunctionText Spec::Boundary::*text) {
    line(
        fmt::format("  template <class V> static V {}([[maybe_unused]] int boundary, {}) {{", name, unused_parameters));
    for (std::size_t b = 0; b < spec_.boundaries.size(); ++b)
      if (spec_.boundaries[b].*text)
        line(fmt::format("    if (boundary == {1}) return {0}_{1}<V>(x, y, z, t);", function, b));
    line("    return V(0);\n  }");
  }

  const Spec& spec_;
  const std::set<int>& degrees_;
  std::string arguments_;  ///< of the entries
};

bool scatters(const Spec& spec, const device::Target&) {
  return spec.precision == device::Precision::double_precision && !spec.space.slab;
}

}  // namespace

const std::vector<Assembly>& assemblies() {
  using Method = Assembly::Method;
  static const std::vector<Assembly> all = {
      {Method::moments, "moments", "moments of the coefficients, and interfaces, on matrix units",
       [](const Spec& spec, const device::Target& target) {
         return target.matrix_units && spec.precision == device::Precision::double_precision && !spec.space.slab;
       }},
      {Method::volume_first, "volume-first",
       "points in packs; eigenvalues come with the volume, whose points are gone through once",
       [](const Spec& spec, const device::Target& target) {
         return target.kind == device::Kind::host && spec.precision == device::Precision::double_precision &&
                spec.penalty.eigenvalue;
       }},
      {Method::points, "points", "the points of a polytope, or of an interface, one batch after the other",
       [](const Spec&, const device::Target&) { return true; }},
      {Method::sorted_slots, "sorted-slots", "a thread a simplex or facet, to slots that are sorted and added up",
       scatters},
      {Method::atomics, "atomics", "a thread a simplex or facet, by atomic additions", scatters}};
  return all;
}

const Assembly& assembly_for(const Spec& spec, const device::Target& target) {
  const auto& all = assemblies();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Assembly& row) {
    return row.fits(spec, target) && (spec.assembly.empty() ? !row.scattered() : row.name == spec.assembly);
  });
  if (found == all.end()) throw std::invalid_argument("no assembly " + spec.assembly);
  return *found;
}

namespace {

/// Whether an entry sums moments, those of a volume or of facets.
bool sums_moments(const Assembly& assembly, const std::string& entry) {
  static const std::set<std::string> entries = {"volume", "certified_volume", "facets"};
  return assembly.method == Assembly::Method::moments && entries.count(entry);
}

}  // namespace

bool by_threads(const Assembly& assembly, const std::string& entry, int modes) {
  if (entry == "eigenvalues") return kernels::polytopic::eigenvalue_fits_in_thread(modes);
  const bool of_interface = assembly.method == Assembly::Method::moments && entry == "interface";
  return (of_interface || sums_moments(assembly, entry)) && kernels::polytopic::fits_in_thread(modes);
}

kernels::polytopic::MomentSizes moment_sizes(const Spec& spec, int degree) {
  return {spec.space.dimension, degree, !spec.velocity.empty()};
}

Team team_of(const Assembly& assembly, const std::string& entry, const Spec& spec, int degree) {
  const int modes = basis::box_mode_count(spec.space, degree);
  if (sums_moments(assembly, entry)) {
    const kernels::polytopic::MomentSizes sizes = moment_sizes(spec, degree);
    return {sizes.threads() * sizes.teams(), sizes.teams(),
            kernels::polytopic::moment_groups(spec.space.dimension, modes, entry != "facets"), sizes.bytes()};
  }
  if (assembly.method == Assembly::Method::moments && entry == "interface") {
    const int teams = kernels::polytopic::interface_teams(modes);
    return {32 * kernels::polytopic::interface_warps(modes) * teams, teams,
            kernels::polytopic::interface_groups(modes)};
  }
  if (entry != "eigenvalues") return {kernels::polytopic::team_threads(modes), 1};
  const int lanes = kernels::polytopic::eigenvalue_lanes(modes), threads = std::max(lanes, 32);
  return {threads, threads / lanes};
}

std::string volume_entry(const Spec& spec) {
  return spec.penalty.eigenvalue ? "certified_volume" : "volume";
}

std::string entry_name(const std::string& name, int degree) {
  return fmt::format("{}_{}", name, degree);
}

device::ProgramSource pattern_program(device::Kind kind) {
  constexpr int group = kernels::polytopic::thread_group;
  constexpr device::ThreadEntry entries[] = {
      {"count_blocks", "PatternArguments", "count_blocks", group},
      {"fill_row", "PatternArguments", "fill_row", group},
      {"find_interface_blocks", "PatternArguments", "find_interface_blocks", group},
      {"sum_chunk", "PrefixSumArguments", "sum_chunk", group},
      {"add_beginning", "PrefixSumArguments", "add_beginning", group}};
  device::ProgramWriter out({kind});
  out.include("kernels/polytopic/pattern.hpp");
  out.include("kernels/prefix_sums.hpp");
  out.line("namespace {\nusing namespace galerna::kernels;\nusing namespace galerna::kernels::polytopic;\n}");
  out.write(entries);
  return out.finish("pattern of matrices on polytopes");
}

device::ProgramSource penalty_program(const Spec& spec, const std::set<int>& degrees, const device::Target& target) {
  std::vector<std::string> headers = {"extremes"};
  const bool certify = spec.penalty.eigenvalue && !assembly_for(spec, target).volume_first();
  if (certify) headers.emplace_back("certify");
  Writer out(spec, degrees, target);
  out.types(headers, true);
  out.thread_entry("extremes", "extremes<Config>");
  out.thread_entry("penalties", "penalties<Config>");
  if (certify) out.team_entries("certify", "certify<Config, {}>");
  return out.finish_case("penalty");
}

device::ProgramSource assembly_program(const Spec& spec, const std::set<int>& degrees, const device::Target& target) {
  Writer out(spec, degrees, target);
  const Assembly& assembly = assembly_for(spec, target);
  const bool moments = assembly.method == Assembly::Method::moments;
  std::vector<std::string> headers = {assembly.volume_first() && !moments ? "certified_volume" : "volume"};
  if (moments)
    headers.insert(headers.end(),
                   {"moment_block", "interface_tiles", "small_blocks", "thread_eigenvalue", "grid_eigenvalue"});
  if (!moments) headers.emplace_back("interface");
  out.types(headers, false);
  if (moments) {
    const std::string certify = fmt::format("{}", spec.penalty.eigenvalue);
    out.entries_by_size(volume_entry(spec), "moment_volume<Config, {}, " + certify + ">",
                        "small_volume<Config, {}, " + certify + ", " + out.item_threads() + ">");
    if (spec.penalty.eigenvalue) out.eigenvalue_entries();
    out.entries_by_size("facets", "moment_facets<Config, {}>", "small_facets<Config, {}, " + out.item_threads() + ">");
    out.interface_entries();
  } else if (assembly.volume_first()) {
    out.team_entries("certified_volume", "certified_volume<Config, {}>");
    out.team_entries("facets", "facets<Config, {}>");
  } else {
    out.team_entries("diagonal", "diagonal<Config, {}, true>");
  }
  if (!moments) out.team_entries("interface", "interface<Config, {}>");
  out.team_entries("right_hand_side", "diagonal<Config, {}, false>");
  return out.finish_case("assembly");
}

device::ProgramSource scattered_program(const Spec& spec, const std::set<int>& degrees, const device::Target& target) {
  Writer out(spec, degrees, target, "ScatteredArguments");
  out.types({"scattered"}, true);
  out.thread_entry("scatter_simplex", fmt::format("scatter_simplex<Config, {}>", *degrees.rbegin()));
  out.thread_entry("scatter_facet", fmt::format("scatter_facet<Config, {}>", *degrees.rbegin()));
  for (const char* entry : {"fill_keys", "sort_stage"}) out.thread_entry(entry, entry);
  out.thread_entry("add_duplicates", "add_duplicates<Config>");
  return out.finish_case("scattered");
}

device::ProgramSource error_program(const Spec& spec, const std::set<int>& degrees, const device::Target& target) {
  Writer out(spec, degrees, target);
  out.types({"balance", "errors"}, false);
  out.team_entries("errors", "errors<Config, {}>");
  out.team_entries("interface_errors", "interface_errors<Config, {}>");
  out.thread_entry("facet_fluxes", "facet_fluxes<Config>");
  out.thread_entry("contents", "contents<Config>");
  return out.finish_case("errors");
}

std::vector<device::ProgramSource> make_programs(const Spec& spec, const std::set<int>& degrees,
                                                 const device::Target& target) {
  return {pattern_program(target.kind), penalty_program(spec, degrees, target), assembly_program(spec, degrees, target),
          error_program(spec, degrees, target)};
}

}  // namespace galerna::polytopic
