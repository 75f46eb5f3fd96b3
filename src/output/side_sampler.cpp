#include "output/side_sampler.hpp"

#include <cmath>

namespace galerna::output {

using mesh::Index;

SideSampler::SideSampler(const Solution& solution, int block, int side, const basis::Quadrature& rule)
    : solution_(solution),
      block_(solution.mesh->blocks[static_cast<std::size_t>(block)]),
      rule_(rule),
      sampler_(solution, block, basis::side_points(block_.shape, side, rule.points)),
      coefficients_(solution.coefficients.data() + coefficient_offsets(solution)[static_cast<std::size_t>(block)]) {
  const auto points = basis::side_points(block_.shape, side, rule.points);
  const auto corners = side_corners(block_.shape, side);
  const auto from = reference_corner(block_.shape, corners[0]), to = reference_corner(block_.shape, corners[1]);
  tangent_ = basis::Matrix::Zero(rule.size(), block_.nodes_per_element());
  for (std::size_t d = 0; d < 2; ++d) {
    modes_[d] = basis::basis_derivatives(block_.shape, solution.degree, points, static_cast<int>(d));
    nodes_[d] = basis::lagrange_derivatives(block_.shape, block_.order, points, static_cast<int>(d));
    tangent_ += 0.5 * (to[d] - from[d]) * nodes_[d];
  }
  // The reference normal points outward if it points away from the centre.
  const basis::Point centre = reference_centre(block_.shape);
  const double away = (to[1] - from[1]) * (from[0] - centre[0]) - (to[0] - from[0]) * (from[1] - centre[1]);
  outward_ = away > 0 ? 1 : -1;
}

std::array<double, 2> SideSampler::derivative(const basis::Matrix& by_node, Index position, int q) const {
  const Index* nodes = block_.nodes.data() + position * block_.nodes_per_element();
  std::array<double, 2> result = {0, 0};
  for (int node = 0; node < block_.nodes_per_element(); ++node)
    for (std::size_t d = 0; d < 2; ++d)
      result[d] += by_node(q, node) * solution_.mesh->nodes[static_cast<std::size_t>(nodes[node])][d];
  return result;
}

std::vector<double> SideSampler::gradients(Index position, int q) const {
  const std::size_t count = solution_.variables.size();
  const auto a = derivative(nodes_[0], position, q), b = derivative(nodes_[1], position, q);
  const double determinant = a[0] * b[1] - a[1] * b[0];
  // ∂ξ_r/∂x_d: rows of the inverse of the Jacobian (a b).
  const double inverse[2][2] = {{b[1] / determinant, -b[0] / determinant}, {-a[1] / determinant, a[0] / determinant}};
  std::vector<double> result(2 * count, 0.0);
  const Eigen::Index modes = modes_[0].cols();
  const double* c = coefficients_ + position * static_cast<Index>(count) * modes;
  for (std::size_t v = 0; v < count; ++v)
    for (std::size_t r = 0; r < 2; ++r) {
      double by_reference = 0;
      for (Eigen::Index j = 0; j < modes; ++j)
        by_reference += modes_[r](q, j) * c[static_cast<Eigen::Index>(v) * modes + j];
      for (std::size_t d = 0; d < 2; ++d) result[d * count + v] += by_reference * inverse[r][d];
    }
  return result;
}

std::vector<SidePoint> SideSampler::sample(Index position) const {
  std::vector<SidePoint> points(static_cast<std::size_t>(rule_.size()));
  std::vector<double> values;
  std::vector<mesh::Point> places;
  sampler_.variables(position, values);
  sampler_.places(position, places);
  // An element of negative orientation turns the normal round.
  const double sign = outward_ * orientation(*solution_.mesh, block_, position);
  const std::size_t count = solution_.variables.size();
  for (std::size_t q = 0; q < points.size(); ++q) {
    SidePoint& point = points[q];
    const auto t = derivative(tangent_, position, static_cast<int>(q));
    const double speed = std::hypot(t[0], t[1]);
    point.place = places[q];
    point.normal = {sign * t[1] / speed, -sign * t[0] / speed};
    point.length = speed * rule_.weights[q];
    point.variables.assign(values.begin() + static_cast<std::ptrdiff_t>(q * count),
                           values.begin() + static_cast<std::ptrdiff_t>((q + 1) * count));
    point.gradients = gradients(position, static_cast<int>(q));
  }
  return points;
}

}  // namespace galerna::output
