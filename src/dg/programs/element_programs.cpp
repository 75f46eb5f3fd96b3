#include "dg/programs/element_programs.hpp"

#include <algorithm>
#include <map>

#include "basis/turned_points.hpp"
#include "dg/geometry/step_limit.hpp"
#include "dg/programs/gather_program.hpp"
#include "dg/programs/limiter_program.hpp"
#include "dg/programs/program_writer.hpp"
#include "kernels/element/arguments.hpp"

namespace galerna::dg {
namespace {

/// Tables of kernels/element/tensor.hpp and kernels/line, members of ElementTables.
std::vector<std::string> write_line_tables(Writer& out, const Operators& o) {
  const int n = o.degree + 1;
  const basis::Quadrature line = basis::gauss_legendre(n);
  const std::vector<basis::Point> ends = {{-1, 0, 0}, {1, 0, 0}};
  const basis::Matrix modes = basis::basis_values(Shape::line, o.degree, line.points),
                      slopes = basis::basis_derivatives(Shape::line, o.degree, line.points, 0),
                      end_modes = basis::basis_values(Shape::line, o.degree, ends),
                      end_slopes = basis::basis_derivatives(Shape::line, o.degree, ends, 0);
  // ℓ_k = Σ_a ω_k P_a(x_k) P_a with the weights ω of the line, which is of length 2.
  const Eigen::VectorXd weights = Eigen::Map<const Eigen::VectorXd>(line.weights.data(), n);
  const basis::Matrix to_points = modes.transpose() * weights.asDiagonal();
  const auto table = [&](const std::string& name, const basis::Matrix& values) { out.matrices(name, {values}); };
  table("line_mode_table", modes);
  table("line_end_table", end_modes * to_points);
  table("line_slope_table", slopes * to_points);
  table("line_end_slope_table", end_slopes * to_points);
  table("line_lift_table", 0.5 * end_modes * modes.transpose());
  return {fmt::format("  static constexpr Real line_mode(int i, int a) {{ return line_mode_table[i * {} + a]; }}", n),
          fmt::format("  static constexpr Real line_end(int e, int i) {{ return line_end_table[e * {} + i]; }}", n),
          fmt::format("  static constexpr Real line_slope(int i, int k) {{ return line_slope_table[i * {} + k]; }}", n),
          fmt::format(
              "  static constexpr Real line_end_slope(int e, int k) {{ return line_end_slope_table[e * {} + k]; }}", n),
          fmt::format("  static constexpr Real line_lift(int e, int i) {{ return line_lift_table[e * {} + i]; }}", n),
          fmt::format("  static constexpr Real end_lift = {};", literal(0.5 * end_modes.row(0).squaredNorm()))};
}

/// The points of lines and their weights, members of ElementTables.
std::vector<std::string> write_line_points(Writer& out, const Operators& o) {
  const basis::Quadrature line = basis::gauss_legendre(o.degree + 1);
  std::vector<double> places;
  for (const basis::Point& point : line.points) places.push_back(point[0]);
  out.table("line_place_table", places, {places.size()});
  out.table("line_weight_table", line.weights, {line.weights.size()});
  return {"  static constexpr Real line_place(int i) { return line_place_table[i]; }",
          "  static constexpr Real line_weight(int i) { return line_weight_table[i]; }"};
}

/// Coordinates at which bilinear maps are evaluated, members of ElementTables.
std::vector<std::string> write_point_tables(Writer& out, const Operators& o) {
  std::vector<double> volume, sides;
  for (const basis::Point& point : o.volume.points) volume.insert(volume.end(), {point[0], point[1]});
  for (int side = 0; side < o.sides(); ++side)
    for (const basis::Point& point : basis::side_points(o.shape, side, o.side.points))
      sides.insert(sides.end(), {point[0], point[1]});
  out.table("volume_point_table", volume, {volume.size()});
  out.table("side_point_table", sides, {sides.size()});
  return {"  static constexpr Real volume_point(int q, int d) { return volume_point_table[q * 2 + d]; }",
          "  static constexpr Real side_point(int side, int q, int d) {",
          "    return side_point_table[(side * side_points + q) * 2 + d];", "  }"};
}

/// Entries that are not zero of the matrices D_d with ∂φ_j/∂ξ_d = Σ_i (D_d)_ij φ_i, members of ElementTables.
std::vector<std::string> write_derivative_matrices(Writer& out, const Operators& o) {
  const Operators exact = make_operators(o.shape, o.degree);
  std::vector<double> entries;
  std::vector<int> directions, rows, columns;
  int last_row = -1;
  for (int d = 0; d < dimension(o.shape); ++d) {
    const basis::Matrix matrix =
        exact.volume_basis.transpose() * exact.weighted_derivatives[static_cast<std::size_t>(d)];
    for (int i = 0; i < matrix.rows(); ++i)
      for (int j = 0; j < matrix.cols(); ++j) {
        if (std::abs(matrix(i, j)) < 1e-11) continue;
        entries.push_back(matrix(i, j));
        directions.push_back(d);
        rows.push_back(i);
        columns.push_back(j);
        last_row = std::max(last_row, i);
      }
  }
  const std::size_t count = entries.size();
  if (count == 0) {
    entries = {0};
    directions = rows = columns = {0};
  }
  out.table("derivative_entry_table", entries, {entries.size()});
  std::vector<std::string> members = {
      fmt::format("  static constexpr int derivative_entries = {}, derivative_modes = {};", count, last_row + 1),
      "  static constexpr Real derivative_entry(int e) { return derivative_entry_table[e]; }"};
  const auto integers = [&](const std::string& name, const std::vector<int>& values) {
    out.line(
        fmt::format("constexpr int derivative_{}_table[{}] = {{{}}};", name, values.size(), fmt::join(values, ", ")));
    members.push_back(
        fmt::format("  static constexpr int derivative_{0}(int e) {{ return derivative_{0}_table[e]; }}", name));
  };
  integers("direction", directions);
  integers("row", rows);
  integers("column", columns);
  return members;
}

/// Tables of kernels/element/dense.hpp with viscosity, members of ElementTables.
std::vector<std::string> write_viscous_tables(Writer& out, const Operators& o) {
  std::vector<double> derivatives, to_side;
  std::vector<int> first_lifts;
  const auto append = [](std::vector<double>& to, const basis::Matrix& m) {
    to.insert(to.end(), m.data(), m.data() + m.size());
  };
  for (std::size_t side = 0; side < o.side_rules.size(); ++side) {
    const basis::Quadrature& rule = o.side_rules[side];
    const Eigen::VectorXd weights = Eigen::Map<const Eigen::VectorXd>(rule.weights.data(), rule.size());
    const basis::Matrix& at = o.side_basis[side];
    const auto points = basis::side_points(o.shape, static_cast<int>(side), rule.points);
    for (int d = 0; d < dimension(o.shape); ++d)
      append(derivatives, basis::basis_derivatives(o.shape, o.degree, points, d));
    first_lifts.push_back(static_cast<int>(to_side.size()));
    append(to_side, at * at.transpose() * weights.asDiagonal());
  }
  out.table("side_derivative_table", derivatives, {derivatives.size()});
  out.table("lift_to_side_table", to_side, {to_side.size()});
  const bool unlike = o.has_unlike_sides();
  if (unlike) out.integer_table("first_lift_table", first_lifts);
  std::vector<std::string> members = {
      "  static constexpr Real side_derivative(int side, int d, int q, int j) {",
      fmt::format(
          "    return side_derivative_table[({}) * modes + j];",
          unlike ? fmt::format("{} * first_side_point(side) + d * points_of_side<Tables>(side) + q", dimension(o.shape))
                 : fmt::format("(side * {} + d) * side_points + q", dimension(o.shape))),
      "  }",
      "  static constexpr Real lift_to_side(int side, int q, int k) {",
      unlike ? "    return lift_to_side_table[first_lift_table[side] + q * points_of_side<Tables>(side) + k];"
             : "    return lift_to_side_table[(side * side_points + q) * side_points + k];",
      "  }",
  };
  // Derivatives of the rational modes of pyramids are no combinations of modes.
  if (o.shape != Shape::pyramid)
    for (const std::string& member : write_derivative_matrices(out, o)) members.push_back(member);
  return members;
}

/// The points of sides as faces count them, members of ElementTables.
std::vector<std::string> write_turned_points(Writer& out, const Operators& o) {
  std::vector<int> turned, starts, counts;  // of each kind of sides: [orientation][point]
  std::vector<std::string> points;
  for (Shape kind : side_kinds(o.shape)) {
    const auto rule = std::find_if(o.side_rules.begin(), o.side_rules.end(),
                                   [&](const basis::Quadrature& r) { return r.shape == kind; });
    starts.push_back(static_cast<int>(turned.size()));
    counts.push_back(basis::orientation_count(kind));
    for (int orientation = 0; orientation < basis::orientation_count(kind); ++orientation) {
      const std::vector<int> of = basis::turned_points(*rule, orientation);
      turned.insert(turned.end(), of.begin(), of.end());
    }
  }
  out.integer_table("turned_point_table", turned);
  out.integer_table("first_turned_point_table", starts);
  out.integer_table("orientation_count_table", counts);
  return {"  static constexpr int turned_point(int side, int orientation, int q) {",
          "    return turned_point_table[first_turned_point_table[galerna::kernels::side_kind<Tables>(side)] +",
          "                              orientation * points_of_side<Tables>(side) + q];", "  }",
          "  static constexpr int orientations(int kind) { return orientation_count_table[kind]; }"};
}

/// Whether compilers would need minutes for a GPU's kernels with each number of the operators in an instruction: prisms
/// and pyramids from p = 4 on, with viscosity, which has gradients beside, from p = 3. Loops are about half as fast.
bool too_large_to_write_out(const Operators& o, bool viscous) {
  const int numbers = o.modes * (o.volume.size() + o.first_side_point(o.sides()));
  return dimension(o.shape) == 3 && numbers * (viscous ? 3 : 1) > 6000;
}

/// Tables that the element kernels have beside those of all kernels: `struct ElementTables`.
void write_element_tables(Writer& out, const SetPlan& set, const Spec& spec, bool in_loops) {
  const bool viscous = spec.diffuses();
  const Operators& operators = set.operators;
  const auto directions = static_cast<std::size_t>(dimension(operators.shape));
  std::vector<double> normals;
  for (int side = 0; side < operators.sides(); ++side)
    for (std::size_t d = 0; d < directions; ++d) normals.push_back(reference_normal(operators.shape, side)[d]);
  out.table("volume_weight_table", operators.volume.weights, {operators.volume.weights.size()});
  out.table("side_normal_table", normals, {normals.size()});
  std::vector<std::string> members;
  const auto add = [&](const std::vector<std::string>& more) {
    members.insert(members.end(), more.begin(), more.end());
  };
  const bool by_lines = set.structure->by_lines;
  if (is_tensor(operators) || by_lines) add(write_line_tables(out, operators));
  if (by_lines) add(write_line_points(out, operators));
  if (set.map == ElementMap::bilinear) add(write_point_tables(out, operators));
  if (directions == 3 && !is_simplex(operators.shape)) add(write_turned_points(out, operators));
  if (viscous && !is_tensor(operators) && !by_lines) add(write_viscous_tables(out, operators));
  if (in_loops) members.push_back("  static constexpr bool in_loops = true;");
  if (spec.has_shock_viscosity()) add(write_shock_viscosity(out, operators));
  if (viscous)
    members.push_back(fmt::format("  static constexpr int diffusion_factor = {};",
                                  diffusion_factor(operators.shape, operators.degree)));
  out.line("struct ElementTables : Tables {");
  out.line("  static constexpr Real volume_weight(int q) { return volume_weight_table[q]; }");
  out.line(
      fmt::format("  static constexpr Real side_normal(int side, int d) {{ return side_normal_table[side * {} + d]; }}",
                  directions));
  for (const std::string& member : members) out.line(member);
  out.line("};");
}

void include_element_kernels(Writer& out, const Spec& spec, const SetPlan& set) {
  for (const char* header :
       {"element/residual", "element/traces", "element/change", "element/integrals", "error_estimate"})
    out.include(fmt::format("kernels/{}.hpp", header));
  if (spec.limiter) include_limiter(out, *spec.limiter);
  if (set.trace_kernel() == TraceKernel::edges) out.include("kernels/element/edges.hpp");
  for (const char* header : set.structure->headers_beside) out.include(header);
  if (spec.averages) out.include("kernels/average.hpp");
  out.include(out.on_host() ? "kernels/packs/monitor.hpp" : "kernels/monitor.hpp");
}

/// Members of the Config of a set's kernels.
std::vector<std::string> element_members(Writer& out, const KernelRequest& request, const SetPlan& set) {
  const Spec& spec = request.spec;
  std::vector<std::string> members;
  if (spec.has_source()) members = write_sources(out, spec, set.operators, set.order);
  if (spec.limiter)
    for (const std::string& member : write_limiter(out, spec, set.operators)) members.push_back(member);
  members.push_back(fmt::format("static constexpr bool affine = {}, bilinear = {}, tensor = {}, viscous = {};",
                                set.map == ElementMap::affine, set.map == ElementMap::bilinear,
                                is_tensor(set.operators), spec.diffuses()));
  if (set.map == ElementMap::trilinear) members.push_back("static constexpr bool trilinear = true;");
  members.push_back(
      fmt::format("static constexpr double penalty = {};", literal(spec.penalty.value_or(set.operators.sides()))));
  if (request.structure.members)
    for (const std::string& member : request.structure.members(request)) members.push_back(member);
  return members;
}

/// Kernels of a set that do not depend on the case's formulas: residual_I_O for each (inputs, outputs) of the time
/// scheme's stages, traces, monitor, change; embedded_error and embedded_commit as simplex_core_programs().
std::vector<device::ProgramSource> element_core_programs(const Spec& spec, const SetPlan& set,
                                                         const device::Target& target,
                                                         const std::set<std::pair<int, int>>& stage_shapes) {
  const Structure& structure = *set.structure;
  const KernelRequest request = {spec, set.operators, structure, target, stage_shapes};
  Writer out(spec, set.operators, target);
  include_element_kernels(out, spec, set);
  out.include_equations();
  const bool in_loops = !out.on_host() && structure.in_loops && too_large_to_write_out(set.operators, spec.diffuses());
  if (in_loops) out.leave_constant_memory();
  out.common();
  write_element_tables(out, set, spec, in_loops);
  out.config_struct(element_members(out, request, set), "ElementTables");
  for (const Entry& entry : structure.entries(request)) out.large_entry(entry);
  if (set.trace_kernel() == TraceKernel::edges) out.entry({"edges", "EdgeArguments", "edge_traces<Config>"});
  out.entry(monitor_entry(spec, structure, target));
  out.large_entry({"change", "ElementChangeArguments", "element_change<Config>"});
  out.entry({"integrals", "ElementIntegralArguments", "element_integrals<Config>"});
  if (spec.limiter)
    for (const Entry& entry : limiter_entries(spec, target)) out.entry(entry);
  for (const Entry& entry : state_entries(spec)) out.entry(entry);
  return out.finish("element solver");
}

}  // namespace

std::vector<device::ProgramSource> element_case_programs(const Spec& spec, const Operators& operators,
                                                         const basis::Quadrature& side_rule, bool with_formulas,
                                                         const device::Target& target) {
  Writer out(spec, operators, target);
  out.include("kernels/boundary/ghosts.hpp");
  if (spec.bounds_slopes_at_boundary()) out.include("kernels/limiter/boundary.hpp");
  if (with_formulas) include_formulas(out, spec);
  out.include_equations();
  include_boundaries(out, spec);
  if (dimension(operators.shape) == 3 && !spec.bounds_slopes_at_boundary())
    out.face_tables(side_rule);
  else
    out.common();
  const std::vector<std::string> members = boundary_members(out, spec, true);
  std::vector<Entry> formulas;
  if (with_formulas) formulas = write_formulas(out, spec);
  out.config_struct(members);
  for (const Entry& entry : boundary_entries(spec, dimension(operators.shape), true)) out.entry(entry);
  for (const Entry& entry : formulas) out.large_entry(entry);
  return out.finish("element formulas");
}

std::map<Shape, const basis::Quadrature*> side_rules(const std::vector<SetPlan>& sets) {
  std::map<Shape, const basis::Quadrature*> rules;
  for (const SetPlan& set : sets)
    for (const basis::Quadrature& rule : set.operators.side_rules) rules[rule.shape] = &rule;
  return rules;
}

std::string face_label(const std::vector<SetPlan>& sets, Shape shape) {
  const bool first = side_rules(sets).begin()->first == shape;
  return first ? "" : fmt::format(", {}", plural_name(shape));
}

Programs make_programs(const std::vector<SetPlan>& sets, const Spec& spec, const device::Target& target,
                       const std::set<std::pair<int, int>>& stage_shapes) {
  const Operators& operators = sets.front().operators;
  const Structure& structure = *sets.front().structure;
  Programs programs;
  const auto add = [&](const std::vector<device::ProgramSource>& sources, const std::string& label) {
    for (const device::ProgramSource& source : sources) programs.labelled.push_back({source, label});
  };
  if (sets.front().stands_by_itself()) {
    add(simplex_core_programs(spec, operators, structure, target, stage_shapes), "");
    add(simplex_case_programs(spec, operators, target, structure.stores_traces), "");
    if (steps_by_one_kernel(structure, spec.degree, sets.front().elements))
      programs.sequence = sequence_program(spec, operators, structure, target, stage_shapes);
  } else {
    for (const SetPlan& set : sets) add(element_core_programs(spec, set, target, stage_shapes), set.label);
    for (const auto& [shape, rule] : side_rules(sets)) {
      const std::string label = face_label(sets, shape);
      add(element_case_programs(spec, operators, *rule, label.empty(), target), label);
    }
  }
  add(control_programs(spec, target), "");
  if (target.kind == device::Kind::cuda) add({gather_program()}, "");
  return programs;
}

std::vector<device::ProgramSource> sources_of(const Programs& programs) {
  std::vector<device::ProgramSource> sources;
  for (const auto& [source, label] : programs.labelled) sources.push_back(source);
  if (programs.sequence) sources.push_back(programs.sequence->source);
  return sources;
}

}  // namespace galerna::dg
