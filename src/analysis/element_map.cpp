#include "analysis/element_map.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/sampling.hpp"
#include "mesh/geometry.hpp"
#include "mesh/jacobian_form.hpp"

namespace galerna::analysis {
ElementMap::ElementMap(const mesh::Mesh& mesh, const mesh::ElementBlock& block, mesh::Index position)
    : mesh_(&mesh), block_(&block), nodes_(block.nodes.data() + position * block.nodes_per_element()) {}

const mesh::Point& ElementMap::node(int local) const {
  return mesh_->nodes[static_cast<std::size_t>(nodes_[local])];
}

bool in_reference(Shape shape, const basis::Point& point, double tolerance) {
  const auto [x, y, z] = point;
  const auto within = [tolerance](double value, double low, double high) {
    return value >= low - tolerance && value <= high + tolerance;
  };
  const bool in_triangle = x >= -tolerance && y >= -tolerance && x + y <= 1 + tolerance;
  switch (shape) {
    case Shape::line:
      return within(x, -1, 1);
    case Shape::triangle:
      return in_triangle;
    case Shape::quadrilateral:
      return within(x, -1, 1) && within(y, -1, 1);
    case Shape::tetrahedron:
      return x >= -tolerance && y >= -tolerance && z >= -tolerance && x + y + z <= 1 + tolerance;
    case Shape::hexahedron:
      return within(x, -1, 1) && within(y, -1, 1) && within(z, -1, 1);
    case Shape::prism:
      return in_triangle && within(z, -1, 1);
    case Shape::pyramid:
      return within(z, 0, 1) && within(x, z - 1, 1 - z) && within(y, z - 1, 1 - z);
    case Shape::point:
      return true;
  }
  return false;
}

ElementMap::Step ElementMap::evaluate(const basis::Point& r) const {
  Step step;
  step.place.setZero();
  step.jacobian.setIdentity();
  const auto at = [this](int local) { return Eigen::Map<const Eigen::Vector3d>(node(local).data()); };
  const bool straight = block_->order == 1;
  if (straight && (shape() == Shape::triangle || shape() == Shape::tetrahedron)) {
    step.place = at(0);
    for (int d = 0; d < dimension(shape()); ++d) {
      step.jacobian.col(d) = at(d + 1) - at(0);
      step.place += r[static_cast<std::size_t>(d)] * step.jacobian.col(d);
    }
  } else if (straight && shape() == Shape::quadrilateral) {
    step.place = 0.25 * ((1 - r[0]) * ((1 - r[1]) * at(0) + (1 + r[1]) * at(3)) +
                         (1 + r[0]) * ((1 - r[1]) * at(1) + (1 + r[1]) * at(2)));
    step.jacobian.col(0) = 0.25 * ((1 - r[1]) * (at(1) - at(0)) + (1 + r[1]) * (at(2) - at(3)));
    step.jacobian.col(1) = 0.25 * ((1 - r[0]) * (at(3) - at(0)) + (1 + r[0]) * (at(2) - at(1)));
  } else {
    const basis::Matrix values = basis::lagrange_values(shape(), block_->order, {r});
    for (int i = 0; i < values.cols(); ++i) step.place += values(0, i) * at(i);
    for (int d = 0; d < dimension(shape()); ++d) {
      const basis::Matrix derivatives = basis::lagrange_derivatives(shape(), block_->order, {r}, d);
      step.jacobian.col(d).setZero();
      for (int i = 0; i < derivatives.cols(); ++i) step.jacobian.col(d) += derivatives(0, i) * at(i);
    }
  }
  if (dimension(shape()) < 3) step.jacobian.row(2) = Eigen::RowVector3d(0, 0, 1);
  return step;
}

std::optional<basis::Point> ElementMap::to_reference(const mesh::Point& place, double tolerance) const {
  const auto found = newton(reference_centre(shape()), place, tolerance);
  if (found || block_->order == 1) return found;
  return newton(nearest_node(place), place, tolerance);
}

basis::Point ElementMap::nearest_node(const mesh::Point& place) const {
  int nearest = 0;
  double least = mesh::distance(place, node(0));
  for (int local = 1; local < block_->nodes_per_element(); ++local)
    if (const double distance = mesh::distance(place, node(local)); distance < least) nearest = local, least = distance;
  return basis::lagrange_nodes(shape(), block_->order)[static_cast<std::size_t>(nearest)];
}

std::optional<basis::Point> ElementMap::newton(basis::Point r, const mesh::Point& place, double tolerance) const {
  constexpr int most_steps = 30;
  constexpr double far = 5;  // in reference coordinates: a point that far outside does not come back
  const bool affine = block_->order == 1 && (shape() == Shape::triangle || shape() == Shape::tetrahedron);
  const int dimensions = dimension(shape());
  for (int i = 0; i < most_steps; ++i) {
    const Step step = evaluate(r);
    Eigen::Vector3d difference(place[0] - step.place[0], place[1] - step.place[1], place[2] - step.place[2]);
    if (dimensions < 3) difference[2] = 0;
    const Eigen::Vector3d change = step.jacobian.inverse() * difference;
    for (int d = 0; d < dimensions; ++d) r[static_cast<std::size_t>(d)] += change[d];
    const double size = change.head(dimensions).cwiseAbs().maxCoeff();
    if (!std::isfinite(size)) return std::nullopt;
    if (affine || size < 1e-13) break;
    for (double& coordinate : r)
      if (std::abs(coordinate) > far) coordinate = std::copysign(far, coordinate);
    if (i + 1 == most_steps && size > 1e-9) return std::nullopt;
  }
  if (!in_reference(shape(), r, tolerance)) return std::nullopt;
  return r;
}

ElementMap::Box ElementMap::box() const {
  Box box = {node(0), node(0)};
  const auto include = [&](const mesh::Point& x) {
    for (std::size_t d = 0; d < 3; ++d) {
      box.low[d] = std::min(box.low[d], x[d]);
      box.high[d] = std::max(box.high[d], x[d]);
    }
  };
  const int count = block_->nodes_per_element();
  if (block_->order == 1) {
    for (int local = 1; local < count; ++local) include(node(local));
  } else {
    const mesh::Table& control = mesh::control_points(shape(), block_->order);
    for (std::size_t i = 0; i < control.rows; ++i) {
      mesh::Point x{};
      for (int local = 0; local < count; ++local)
        for (std::size_t d = 0; d < 3; ++d) x[d] += control(i, static_cast<std::size_t>(local)) * node(local)[d];
      include(x);
    }
  }
  return box;
}

bool ElementMap::Box::contains(const mesh::Point& place) const {
  for (std::size_t d = 0; d < 3; ++d) {
    const double margin = 1e-9 * (high[d] - low[d]);
    if (place[d] < low[d] - margin || place[d] > high[d] + margin) return false;
  }
  return true;
}

}  // namespace galerna::analysis
