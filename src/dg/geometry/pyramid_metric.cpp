#include "dg/geometry/pyramid_metric.hpp"

#include <algorithm>
#include <cmath>

namespace galerna::dg {
namespace {

/// The number of the node that lies at a point of the reference shape.
int node_at(const std::vector<basis::Point>& nodes, const basis::Point& point) {
  const auto distance = [&](const basis::Point& node) {
    return std::hypot(node[0] - point[0], node[1] - point[1], node[2] - point[2]);
  };
  return static_cast<int>(
      std::min_element(nodes.begin(), nodes.end(),
                       [&](const basis::Point& a, const basis::Point& b) { return distance(a) < distance(b); }) -
      nodes.begin());
}

/// Outward normal times measure of a flat side, over the product of the tangents along its coordinates.
double outward_factor(Shape shape, int side) {
  const auto at = basis::side_points(shape, side, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}});
  const Eigen::Map<const Eigen::Vector3d> origin(at[0].data()), first(at[1].data()), second(at[2].data());
  const auto outward = reference_normal(shape, side);
  const Eigen::Vector3d product = (first - origin).cross(second - origin);
  return product.dot(Eigen::Map<const Eigen::Vector3d>(outward.data())) / product.squaredNorm();
}

}  // namespace

SideCurl::SideCurl(Shape shape, int side, int geometry_order, int degree, const std::vector<basis::Point>& points)
    : factor_(outward_factor(shape, side)) {
  const Shape own = side_shape(shape, side);
  const std::vector<basis::Point> all = basis::lagrange_nodes(shape, geometry_order);
  for (const basis::Point& point : basis::side_points(shape, side, basis::lagrange_nodes(own, geometry_order)))
    nodes_.push_back(node_at(all, point));
  const std::vector<basis::Point> interpolation = basis::lagrange_nodes(own, degree);
  values_ = basis::lagrange_values(own, geometry_order, interpolation);
  for (int d = 0; d < 2; ++d) {
    slopes_[static_cast<std::size_t>(d)] = basis::lagrange_derivatives(own, geometry_order, interpolation, d);
    derivatives_[static_cast<std::size_t>(d)] = basis::lagrange_derivatives(own, degree, points, d);
  }
}

Eigen::MatrixXd SideCurl::normals(const Eigen::MatrixXd& x) const {
  Eigen::MatrixXd own(nodes_.size(), 3);
  for (std::size_t n = 0; n < nodes_.size(); ++n)  // places far away would cost digits
    own.row(static_cast<Eigen::Index>(n)) = x.row(nodes_[n]) - x.row(nodes_[0]);
  const Eigen::MatrixXd place = values_ * own, along_first = slopes_[0] * own, along_second = slopes_[1] * own;
  Eigen::MatrixXd result(derivatives_[0].rows(), 3);
  for (Eigen::Index n = 0; n < 3; ++n) {
    const Eigen::Index m = (n + 1) % 3, l = (n + 2) % 3;
    const Eigen::VectorXd first = half_product(place, along_first, l, m),
                          second = half_product(place, along_second, l, m);
    result.col(n) = factor_ * (derivatives_[1] * first - derivatives_[0] * second);
  }
  return result;
}

PyramidMetric::PyramidMetric(int geometry_order, const Operators& operators) : operators_(operators) {
  const int degree = potential_degree(operators.degree, geometry_order, true);
  const Eigen::Index others = operators.modes - 1;
  for (int side = 0; side < operators.sides(); ++side) {
    const auto s = static_cast<std::size_t>(side);
    const basis::Quadrature& rule = operators.side_rules[s];
    sides_.emplace_back(operators.shape, side, geometry_order, degree, rule.points);
    weighted_side_basis_.push_back(operators.side_basis[s].rightCols(others).transpose() *
                                   Eigen::Map<const Eigen::VectorXd>(rule.weights.data(), rule.size()).asDiagonal());
  }
  const Eigen::VectorXd weights =
      Eigen::Map<const Eigen::VectorXd>(operators.volume.weights.data(), operators.volume.size());
  Eigen::MatrixXd stiffness = Eigen::MatrixXd::Zero(others, others);
  for (const basis::Matrix& weighted : operators.weighted_derivatives)
    stiffness +=
        weighted.rightCols(others).transpose() * weights.cwiseInverse().asDiagonal() * weighted.rightCols(others);
  if (others > 0) stiffness_.compute(stiffness);
}

void PyramidMetric::look_at(const Eigen::MatrixXd& x) {
  normals_.clear();
  for (const SideCurl& side : sides_) normals_.push_back(side.normals(x));
}

void PyramidMetric::put_volume(std::span<double> contravariant, double sign) const {
  const Eigen::Index points = operators_.volume.size(), others = operators_.modes - 1;
  if (others == 0) return;  // there are no derivatives that it could be multiplied with
  // [point][i][n]
  Eigen::Map<basis::Matrix> values(contravariant.data(), points, 9);
  Eigen::MatrixXd missing = Eigen::MatrixXd::Zero(others, 3);
  for (std::size_t side = 0; side < sides_.size(); ++side)
    missing += sign * weighted_side_basis_[side] * normals_[side];
  for (std::size_t d = 0; d < 3; ++d)
    missing -= operators_.weighted_derivatives[d].rightCols(others).transpose() *
               values.middleCols(3 * static_cast<Eigen::Index>(d), 3);
  const Eigen::MatrixXd potential = stiffness_.solve(missing);
  for (std::size_t d = 0; d < 3; ++d) {
    Eigen::MatrixXd change = operators_.weighted_derivatives[d].rightCols(others) * potential;
    for (Eigen::Index q = 0; q < points; ++q) change.row(q) /= operators_.volume.weights[static_cast<std::size_t>(q)];
    values.middleCols(3 * static_cast<Eigen::Index>(d), 3) += change;
  }
}

std::array<double, 3> PyramidMetric::normal(int side, Eigen::Index q) const {
  const Eigen::MatrixXd& normals = normals_[static_cast<std::size_t>(side)];
  return {normals(q, 0), normals(q, 1), normals(q, 2)};
}

}  // namespace galerna::dg
