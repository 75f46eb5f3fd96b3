#include "mesh/side_surface.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/lattice.hpp"
#include "base/vectors.hpp"
#include "mesh/geometry.hpp"

namespace galerna::mesh {
namespace {

/// What `make` gives for a side of a shape, made once.
template <class Value, class Make>
const Value& kept(const std::array<int, 3>& key, const Make& make) {
  thread_local std::map<std::array<int, 3>, Value> all;
  const auto found = all.find(key);
  return found != all.end() ? found->second : all.emplace(key, make()).first->second;
}

const std::vector<int>& nodes_of(Shape shape, int order, int side) {
  return kept<std::vector<int>>({static_cast<int>(shape), order, side},
                                [&] { return side_in_order(shape, order, side); });
}

const Table& from_nodes(Shape shape, int order) {
  return kept<Table>({static_cast<int>(shape), order, 0}, [&] { return bernstein_from_nodes(shape, order); });
}

}  // namespace

std::array<double, 2> SideFrame::project(const Point& here) const {
  return {dot(here, along[0]), directions == 2 ? dot(here, along[1]) : 0};
}

SideSurface::SideSurface(const Mesh& mesh, const Side& side) {
  const ElementBlock& block = mesh.blocks[static_cast<std::size_t>(mesh.locate(side.element).block)];
  shape_ = side_shape(block.shape, side.side);
  order_ = block.order;
  const auto nodes = mesh.element_nodes(side.element);
  std::vector<Point> places;
  for (const int n : nodes_of(block.shape, order_, side.side))
    places.push_back(mesh.nodes[static_cast<std::size_t>(nodes[static_cast<std::size_t>(n)])]);
  origin_ = places[0];
  for (Point& x : places) x = minus(x, origin_);
  for (const Point& x : places) size_ = std::max(size_, norm(x));
  const Table& table = from_nodes(shape_, order_);
  for (std::size_t c = 0; c < table.rows; ++c) {
    Point coefficient{};
    for (std::size_t n = 0; n < places.size(); ++n) coefficient = plus(coefficient, times(table(c, n), places[n]));
    coefficients_.push_back(coefficient);
  }
}

Point SideSurface::sum(const Table& functions) const {
  Point x{};
  for (std::size_t c = 0; c < coefficients_.size(); ++c) x = plus(x, times(functions(0, c), coefficients_[c]));
  return x;
}

Point SideSurface::at(const Unit& u) const {
  return plus(origin_, sum(bernstein_values(shape_, order_, {u})));
}

std::optional<double> SideSurface::height_of_plane(const SideFrame& frame, const std::array<double, 2>& place,
                                                   const Point& shift) const {
  const Point along = minus(coefficients_[1], coefficients_[0]);
  const Point across =
      frame.directions == 1 ? cross(frame.along[0], frame.normal) : minus(coefficients_[2], coefficients_[0]);
  const Point normal = cross(along, across);
  const Point to =
      minus(plus(shift, coefficients_[0]), plus(times(place[0], frame.along[0]), times(place[1], frame.along[1])));
  const double slope = dot(normal, frame.normal);
  return std::abs(slope) > 1e-6 * norm(normal) ? std::optional(dot(normal, to) / slope) : std::nullopt;
}

std::optional<double> SideSurface::height(const SideFrame& frame, const std::array<double, 2>& place) const {
  constexpr double beyond = 0.25;  // of the side's length, behind which polynomials soon lead anywhere
  const Point shift = minus(origin_, frame.origin);
  if (order_ == 1 && shape_ != Shape::quadrilateral) return height_of_plane(frame, place, shift);
  Unit u = shape_ == Shape::triangle ? Unit{1. / 3, 1. / 3, 0} : Unit{0.5, 0.5, 0};
  for (int iteration = 0; iteration < 30; ++iteration) {
    const Point x = plus(shift, sum(bernstein_values(shape_, order_, {u})));
    const auto at = frame.project(x);
    const std::array<double, 2> left = {place[0] - at[0], place[1] - at[1]};
    if (std::hypot(left[0], left[1]) <= 1e-12 * size_) {
      const bool inside = u[0] >= -beyond && u[1] >= -beyond && u[0] <= 1 + beyond && u[1] <= 1 + beyond;
      return inside ? std::optional(dot(x, frame.normal)) : std::nullopt;
    }
    std::array<std::array<double, 2>, 2> slope = {{{1, 0}, {0, 1}}};  // [axis of u][direction of the frame]
    for (int axis = 0; axis < frame.directions; ++axis) {
      const Point d = sum(bernstein_derivatives(shape_, order_, {u}, axis));
      for (int k = 0; k < frame.directions; ++k)
        slope[static_cast<std::size_t>(axis)][static_cast<std::size_t>(k)] =
            dot(d, frame.along[static_cast<std::size_t>(k)]);
    }
    const double determinant = slope[0][0] * slope[1][1] - slope[0][1] * slope[1][0];
    u[0] += (left[0] * slope[1][1] - left[1] * slope[1][0]) / determinant;
    if (frame.directions == 2) u[1] += (left[1] * slope[0][0] - left[0] * slope[0][1]) / determinant;
    if (!(std::abs(u[0]) < 10 && std::abs(u[1]) < 10)) return {};
  }
  return {};
}

}  // namespace galerna::mesh
