#include "analysis/side_sampler.hpp"

#include <cmath>

namespace galerna::analysis {

using mesh::Index;

SideSampler::SideSampler(const Solution& solution, int block, int side, const basis::Quadrature& rule)
    : solution_(solution),
      block_(solution.mesh->blocks[static_cast<std::size_t>(block)]),
      rule_(rule),
      sampler_(solution, block, basis::side_points(block_.shape, side, rule.points)),
      gradients_(solution, block, basis::side_points(block_.shape, side, rule.points)) {
  const auto points = basis::side_points(block_.shape, side, rule.points);
  const auto corners = side_corners(block_.shape, side);
  const auto from = reference_corner(block_.shape, corners[0]), to = reference_corner(block_.shape, corners[1]);
  tangent_ = basis::Matrix::Zero(rule.size(), block_.nodes_per_element());
  for (std::size_t d = 0; d < 2; ++d) {
    const basis::Matrix nodes = basis::lagrange_derivatives(block_.shape, block_.order, points, static_cast<int>(d));
    tangent_ += 0.5 * (to[d] - from[d]) * nodes;
  }
  // The reference normal points outward if it points away from the centre.
  const basis::Point centre = reference_centre(block_.shape);
  const double away = (to[1] - from[1]) * (from[0] - centre[0]) - (to[0] - from[0]) * (from[1] - centre[1]);
  outward_ = away > 0 ? 1 : -1;
}

std::array<double, 2> SideSampler::tangent(Index position, int q) const {
  const Index* nodes = block_.nodes.data() + position * block_.nodes_per_element();
  std::array<double, 2> result = {0, 0};
  for (int node = 0; node < block_.nodes_per_element(); ++node)
    for (std::size_t d = 0; d < 2; ++d)
      result[d] += tangent_(q, node) * solution_.mesh->nodes[static_cast<std::size_t>(nodes[node])][d];
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
    const auto t = tangent(position, static_cast<int>(q));
    const double speed = std::hypot(t[0], t[1]);
    point.place = places[q];
    point.normal = {sign * t[1] / speed, -sign * t[0] / speed};
    point.length = speed * rule_.weights[q];
    point.variables.assign(values.begin() + static_cast<std::ptrdiff_t>(q * count),
                           values.begin() + static_cast<std::ptrdiff_t>((q + 1) * count));
    // Those of the polynomial inside the element; a discretization that corrects gradients at sides for the jumps there
    // adds its correction here.
    point.gradients.resize(2 * count);
    gradients_.evaluate(position, static_cast<int>(q), point.gradients.data());
  }
  return points;
}

std::vector<SidePoint> MeshSides::sample(const mesh::Side& side) {
  const mesh::Mesh::Location where = solution_.mesh->locate(side.element);
  auto& sampler = samplers_[{where.block, side.side}];
  if (!sampler) sampler = std::make_unique<SideSampler>(solution_, where.block, side.side, rule_);
  return sampler->sample(where.position);
}

}  // namespace galerna::analysis
