// Types and tables of a program's text.
#include "dg/geometry/step_limit.hpp"
#include "dg/programs/program_writer.hpp"

namespace galerna::dg {

/// Types of numbers, and the equations.
void Writer::types() {
  const bool single = spec_.precision == device::Precision::single_precision;
  line("namespace {");
  line("using namespace galerna::kernels;");
  line(fmt::format("using Real = {};", single ? "float" : "double"));
  if (target_.kind == device::Kind::cuda)
    line("using Value = Real;");
  else
    line(fmt::format("using Value = Pack<Real, {}>;", target_.lanes));
  text_ += equations_text(spec_);
}

void Writer::common() {
  const Operators& o = operators_;
  types();
  matrices("volume_basis_table", {o.volume_basis});
  matrices("weighted_derivative_table", o.weighted_derivatives);
  std::vector<double> values, weights;
  for (const basis::Matrix& m : o.side_basis) values.insert(values.end(), m.data(), m.data() + m.size());
  for (const basis::Quadrature& rule : o.side_rules)
    weights.insert(weights.end(), rule.weights.begin(), rule.weights.end());
  if (!o.has_unlike_sides()) weights = o.side.weights;
  table("side_basis_table", values, {values.size()});
  table("side_weight_table", weights, {weights.size()});
  if (o.has_unlike_sides()) unlike_side_tables();
  line("struct Tables {");
  line(fmt::format("  static constexpr int degree = {}, modes = {}, volume_points = {}, sides = {}, {} = {};", o.degree,
                   o.modes, o.volume.size(), o.sides(), o.has_unlike_sides() ? "all_side_points" : "side_points",
                   o.has_unlike_sides() ? o.first_side_point(o.sides()) : o.side.size()));
  line(fmt::format("  static constexpr bool simplex = {};", is_simplex(o.shape)));
  line(fmt::format("  static constexpr double wave_factor = {};", wave_factor(o.shape)));
  line(fmt::format("  static constexpr Real side_scale = {};", literal(o.side_scale)));
  line("  static constexpr Real volume_basis(int q, int j) { return volume_basis_table[q * modes + j]; }");
  line("  static constexpr Real weighted_derivative(int d, int q, int j) {");
  line("    return weighted_derivative_table[(d * volume_points + q) * modes + j];");
  line("  }");
  line("  static constexpr Real side_basis(int side, int q, int j) {");
  line(fmt::format("    return side_basis_table[({} + q) * modes + j];",
                   o.has_unlike_sides() ? "first_side_point(side)" : "side * side_points"));
  line("  }");
  side_tables();
  line("};");
}

/// Members of Tables: weights of sides, and what tells their points apart (kernels/side_points.hpp).
void Writer::side_tables() {
  if (!operators_.has_unlike_sides())
    return line("  static constexpr Real side_weight(int q) { return side_weight_table[q]; }");
  line(
      "  static constexpr Real side_weight(int side, int q) { return side_weight_table[first_side_point(side) + q]; }");
  for (const char* name : {"side_at", "first_side_point", "side_kind", "side_rank", "like_sides"})
    line(fmt::format("  static constexpr int {0}(int i) {{ return {0}_table[i]; }}", name));
}

void Writer::unlike_side_tables() {
  const Operators& o = operators_;
  std::vector<int> side_at, first, kind, rank, like;
  for (int side = 0; side <= o.sides(); ++side) first.push_back(o.first_side_point(side));
  for (int side = 0; side < o.sides(); ++side) {
    side_at.insert(side_at.end(),
                   static_cast<std::size_t>(first[static_cast<std::size_t>(side) + 1] - o.first_side_point(side)),
                   side);
    kind.push_back(side_shape(o.shape, side) == side_shape(o.shape, 0) ? 0 : 1);
    rank.push_back(side_rank(o.shape, side));
  }
  for (Shape shape : side_kinds(o.shape)) like.push_back(dg::like_sides(o.shape, shape));
  integer_table("side_at_table", side_at);
  integer_table("first_side_point_table", first);
  integer_table("side_kind_table", kind);
  integer_table("side_rank_table", rank);
  integer_table("like_sides_table", like);
}

void Writer::face_tables(const basis::Quadrature& rule) {
  types();
  table("side_weight_table", rule.weights, {rule.weights.size()});
  line("struct Tables {");
  line(fmt::format("  static constexpr int side_points = {};", rule.size()));
  line("  static constexpr Real side_weight(int q) { return side_weight_table[q]; }");
  line("};");
}

}  // namespace galerna::dg
