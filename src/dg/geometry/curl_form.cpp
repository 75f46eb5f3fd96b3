#include "dg/geometry/curl_form.hpp"

#include <algorithm>

namespace galerna::dg {

int potential_degree(int degree, int geometry_order, bool whole) {
  return std::max(degree + 1, geometry_order - (whole ? 0 : 1));
}

Eigen::VectorXd half_product(const Eigen::MatrixXd& x, const Eigen::MatrixXd& slope, Eigen::Index l, Eigen::Index m) {
  return 0.5 * (x.col(l).cwiseProduct(slope.col(m)) - x.col(m).cwiseProduct(slope.col(l)));
}

CurlForm::CurlForm(Shape shape, int geometry_order, const Operators& operators, bool whole) {
  const int degree = potential_degree(operators.degree, geometry_order, whole);
  // On each side lie as many nodes as its polynomials of that degree need.
  const std::vector<basis::Point> nodes = basis::lagrange_nodes(shape, degree);
  values_ = basis::lagrange_values(shape, geometry_order, nodes);
  for (int d = 0; d < 3; ++d) {
    slopes_[static_cast<std::size_t>(d)] = basis::lagrange_derivatives(shape, geometry_order, nodes, d);
    volume_[static_cast<std::size_t>(d)] = basis::lagrange_derivatives(shape, degree, operators.volume.points, d);
  }
  for (int side = 0; side < operators.sides(); ++side) {
    const auto at = basis::side_points(shape, side, operators.side_rules[static_cast<std::size_t>(side)].points);
    sides_.emplace_back();
    for (int d = 0; d < 3; ++d)
      sides_.back()[static_cast<std::size_t>(d)] = basis::lagrange_derivatives(shape, degree, at, d);
    reference_normals_.push_back(reference_normal(shape, side));
  }
}

void CurlForm::look_at(const Eigen::MatrixXd& x) {
  const Eigen::MatrixXd from_first = x.rowwise() - x.row(0);  // places far away would cost digits
  const Eigen::MatrixXd place = values_ * from_first;
  std::array<Eigen::MatrixXd, 3> along;  // [d]: [node][k]
  for (std::size_t d = 0; d < 3; ++d) along[d] = slopes_[d] * from_first;
  for (Eigen::Index n = 0; n < 3; ++n) {
    const Eigen::Index m = (n + 1) % 3, l = (n + 2) % 3;
    Eigen::MatrixXd& potential = potentials_[static_cast<std::size_t>(n)];
    potential.resize(place.rows(), 3);
    for (Eigen::Index d = 0; d < 3; ++d)
      potential.col(d) = half_product(place, along[static_cast<std::size_t>(d)], l, m);
  }
}

std::array<double, 3> CurlForm::cofactors(const Derivatives& derivatives, std::size_t i, Eigen::Index q) const {
  const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
  std::array<double, 3> result{};
  for (std::size_t n = 0; n < 3; ++n)
    result[n] = derivatives[k].row(q).dot(potentials_[n].col(static_cast<Eigen::Index>(j))) -
                derivatives[j].row(q).dot(potentials_[n].col(static_cast<Eigen::Index>(k)));
  return result;
}

void CurlForm::put_volume(std::span<double> contravariant, double sign) const {
  const Eigen::Index points = volume_[0].rows();
  std::size_t at = 0;
  for (Eigen::Index q = 0; q < points; ++q)
    for (std::size_t i = 0; i < 3; ++i)
      for (const double component : cofactors(volume_, i, q)) contravariant[at++] = sign * component;
}

std::array<double, 3> CurlForm::normal(int side, Eigen::Index q) const {
  const auto s = static_cast<std::size_t>(side);
  std::array<double, 3> result{};
  for (std::size_t i = 0; i < 3; ++i) {
    if (reference_normals_[s][i] == 0) continue;
    const auto part = cofactors(sides_[s], i, q);
    for (std::size_t n = 0; n < 3; ++n) result[n] += reference_normals_[s][i] * part[n];
  }
  return result;
}

}  // namespace galerna::dg
