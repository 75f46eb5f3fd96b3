#include "dg/general_program.hpp"

#include "dg/program_writer.hpp"

namespace galerna::dg {
namespace {

/// Outward normal of a side of the reference shape times the side's length.
std::array<double, 2> reference_normal(Shape shape, int side) {
  const auto ends = side_corners(shape, side);
  const auto from = reference_corner(shape, ends[0]), to = reference_corner(shape, ends[1]);
  std::array<double, 2> normal = {to[1] - from[1], from[0] - to[0]};
  double away = 0;
  const int corners = corner_count(shape);
  for (int c = 0; c < corners; ++c)
    for (std::size_t k = 0; k < 2; ++k) away += normal[k] * (from[k] - reference_corner(shape, c)[k]);
  if (away < 0) normal = {-normal[0], -normal[1]};
  return normal;
}

/// Tables that the general kernels have beside those of all kernels: `struct GeneralTables`.
void write_general_tables(Writer& out, const Operators& operators) {
  std::vector<double> normals;
  for (int side = 0; side < operators.sides(); ++side)
    for (double component : reference_normal(operators.shape, side)) normals.push_back(component);
  out.table("volume_weight_table", operators.volume.weights, {operators.volume.weights.size()});
  out.table("side_normal_table", normals, {normals.size()});
  out.line("struct GeneralTables : Tables {");
  out.line("  static constexpr Real volume_weight(int q) { return volume_weight_table[q]; }");
  out.line("  static constexpr Real side_normal(int side, int d) { return side_normal_table[side * 2 + d]; }");
  out.line("};");
}

}  // namespace

device::ProgramSource general_core_program(const Spec& spec, const ElementSet& set, const Target& target,
                                           const std::set<std::pair<int, int>>& stage_shapes) {
  Writer out(spec, set.operators, target);
  const bool host = target.kind == device::Kind::host;
  for (const char* header : {"general/residual", "general/traces", "general/change", "embedded", "control"})
    out.include(fmt::format("kernels/{}.hpp", header));
  out.include(host ? "kernels/batch/monitor.hpp" : "kernels/monitor.hpp");
  out.include(spec.equations.header);
  out.include(spec.flux.header);
  out.common();
  write_general_tables(out, set.operators);
  out.case_struct({fmt::format("static constexpr bool affine = {};", set.affine),
                   fmt::format("static constexpr int unroll_sides = {};", spec.degree <= 2 ? set.operators.sides() : 1)},
                  "GeneralTables");
  for (const auto& [inputs, outputs] : stage_shapes)
    out.entry(residual_entry(inputs, outputs), "GeneralArguments",
              fmt::format("general_residual<Case, {}, {}>", inputs, outputs));
  out.entry("traces", "GeneralArguments", "general_traces<Case>");
  out.entry("monitor", "MonitorArguments", host ? "batch_monitor<Case>" : "monitor<Case>");
  out.entry("change", "GeneralChangeArguments", "general_change<Case>");
  out.entry("embedded_error", "EmbeddedArguments", "embedded_error<Case>");
  out.entry("embedded_commit", "EmbeddedArguments", "embedded_commit<Case>");
  out.entry("begin_step", "ControlArguments", "begin_step", "1024");
  out.entry("end_step", "ControlArguments", "end_step<System::variables>", "1024");
  out.entry("next_step", "ControlArguments", "next_step<System::variables>", "1024");
  return out.finish("general solver");
}

device::ProgramSource general_case_program(const Spec& spec, const Operators& operators, const Target& target) {
  Writer out(spec, operators, target);
  out.include("kernels/general/ghosts.hpp");
  out.include("kernels/general/formulas.hpp");
  out.include(spec.equations.header);
  out.include(spec.flux.header);
  include_boundaries(out, spec);
  out.common();
  const std::string list = write_boundaries(out, spec);
  if (spec.initial) write_state(out, "InitialState", *spec.initial);
  if (spec.exact) write_state(out, "ExactState", *spec.exact);
  out.case_struct({fmt::format("using Boundaries = BoundaryList<{}>;", list)});
  if (!spec.boundaries.empty()) out.entry("ghosts", "GeneralGhostArguments", "general_ghosts<Case>");
  if (spec.initial) out.entry("initial", "StatesArguments", "formula_states<Case, InitialState>");
  if (spec.exact) out.entry("exact", "StatesArguments", "formula_states<Case, ExactState>");
  return out.finish("general formulas");
}

std::vector<device::ProgramSource> make_programs(const mesh::Mesh& mesh, const Spec& spec, const Target& target,
                                                 const std::set<std::pair<int, int>>& stage_shapes) {
  const std::vector<ElementSet> sets = make_element_sets(mesh, spec, target.kind, target.lanes, 0);
  const Operators& operators = sets.front().operators;
  if (has_triangle_kernels(mesh, spec))
    return {core_program(spec, operators, target, stage_shapes), case_program(spec, operators, target)};
  std::vector<device::ProgramSource> programs;
  for (const ElementSet& set : sets) programs.push_back(general_core_program(spec, set, target, stage_shapes));
  programs.push_back(general_case_program(spec, operators, target));
  return programs;
}

}  // namespace galerna::dg
