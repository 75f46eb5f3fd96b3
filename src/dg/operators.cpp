#include "dg/operators.hpp"

#include <algorithm>

namespace galerna::dg {

int default_face_quadrature(Shape shape, int degree) {
  return dimension(shape) == 3 ? 2 * degree : 2 * degree + 1;
}

Operators make_operators(Shape shape, int degree, int volume_quadrature, int face_quadrature) {
  Operators o;
  o.shape = shape;
  o.degree = degree;
  o.modes = basis::mode_count(shape, degree);
  o.volume = basis::quadrature(shape, volume_quadrature < 0 ? 2 * degree : volume_quadrature);
  o.volume_basis = basis::basis_values(shape, degree, o.volume.points);
  for (int d = 0; d < dimension(shape); ++d) {
    basis::Matrix derivative = basis::basis_derivatives(shape, degree, o.volume.points, d);
    for (int q = 0; q < o.volume.size(); ++q) derivative.row(q) *= o.volume.weights[static_cast<std::size_t>(q)];
    o.weighted_derivatives.push_back(std::move(derivative));
  }

  for (int side = 0; side < side_count(shape); ++side) {
    basis::Quadrature rule = basis::quadrature(
        side_shape(shape, side), face_quadrature < 0 ? default_face_quadrature(shape, degree) : face_quadrature);
    for (double& weight : rule.weights) weight /= reference_measure(rule.shape);
    o.side_basis.push_back(basis::basis_values(shape, degree, basis::side_points(shape, side, rule.points)));
    o.side_rules.push_back(std::move(rule));
  }
  o.side = o.side_rules.front();
  // |side| = d |K| |∇λ| and |det J| = d! |K| on a simplex, hence |side| / |det J| = |∇λ| / (d − 1)!.
  o.side_scale = dimension(shape) == 3 ? 0.5 : 1.0;
  return o;
}

int like_sides(Shape shape, Shape side) {
  int count = 0;
  for (int s = 0; s < side_count(shape); ++s) count += side_shape(shape, s) == side ? 1 : 0;
  return count;
}

int side_rank(Shape shape, int side) {
  int rank = 0;
  for (int s = 0; s < side; ++s) rank += side_shape(shape, s) == side_shape(shape, side) ? 1 : 0;
  return rank;
}

std::vector<Shape> side_kinds(Shape shape) {
  std::vector<Shape> kinds;
  for (int s = 0; s < side_count(shape); ++s)
    if (side_rank(shape, s) == 0) kinds.push_back(side_shape(shape, s));
  return kinds;
}

int Operators::first_side_point(int number) const {
  int points = 0;
  for (int s = 0; s < number; ++s) points += side_rules[static_cast<std::size_t>(s)].size();
  return points;
}

std::vector<std::vector<basis::Matrix>> Operators::vertex_derivatives() const {
  // ∂φ_j = Σ_i D_ij φ_i within the polynomials of degree ≤ p, so that higher derivatives are products of D.
  const basis::Quadrature rule = basis::quadrature(shape, 2 * degree);
  const basis::Matrix values = basis::basis_values(shape, degree, rule.points);
  const Eigen::VectorXd weights = Eigen::Map<const Eigen::VectorXd>(rule.weights.data(), rule.size());
  const auto differentiation = [&](int direction) -> basis::Matrix {
    return values.transpose() * weights.asDiagonal() * basis::basis_derivatives(shape, degree, rule.points, direction);
  };
  const bool space = dimension(shape) == 3;
  const basis::Matrix along_xi = differentiation(0), along_eta = differentiation(1);
  const basis::Matrix along_zeta = space ? differentiation(2) : basis::Matrix();
  const basis::Matrix at_vertices = basis::basis_values(shape, degree, basis::lagrange_nodes(shape, 1));
  std::vector<std::vector<basis::Matrix>> result;
  for (int k = 1; k <= std::max(degree, 1); ++k) {
    result.emplace_back();
    for (int t = 0; t < k; ++t)
      for (int s = 0; s <= (space ? t : 0); ++s) {
        basis::Matrix derivative = at_vertices;
        for (int i = 0; i < k - 1 - t; ++i) derivative = derivative * along_xi;
        for (int i = 0; i < t - s; ++i) derivative = derivative * along_eta;
        for (int i = 0; i < s; ++i) derivative = derivative * along_zeta;
        result.back().push_back(derivative.leftCols(std::min(modes, basis::mode_count(shape, k))));
      }
  }
  return result;
}

basis::Matrix Operators::side_means() const {
  basis::Matrix means(sides(), modes);
  for (int s = 0; s < sides(); ++s) {
    const basis::Quadrature& rule = side_rules[static_cast<std::size_t>(s)];
    const Eigen::VectorXd weights = Eigen::Map<const Eigen::VectorXd>(rule.weights.data(), rule.size());
    means.row(s) = weights.transpose() * side_basis[static_cast<std::size_t>(s)];
  }
  return means;
}

bool is_tensor(const Operators& operators) {
  return operators.shape == Shape::quadrilateral && operators.volume.size() == operators.modes &&
         operators.side.size() == operators.degree + 1;
}

kernels::ElementCounts element_counts(const Operators& o, int variables) {
  kernels::ElementCounts counts = {o.modes, o.volume.size(), o.sides(), o.side.size(), variables, dimension(o.shape)};
  if (o.has_unlike_sides()) {
    const Shape last = side_shape(o.shape, o.sides() - 1);
    counts.other_side_count = like_sides(o.shape, last);
    counts.other_side_point_count = o.side_rules.back().size();
  }
  return counts;
}

}  // namespace galerna::dg
