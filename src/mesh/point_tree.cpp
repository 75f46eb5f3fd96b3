#include "mesh/point_tree.hpp"

#include <algorithm>
#include <numeric>

#include "mesh/geometry.hpp"

namespace galerna::mesh {

PointTree::PointTree(std::vector<Point> points) : points_(std::move(points)), order_(points_.size()) {
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  build(0, order_.size(), 0);
  std::vector<Point> ordered;
  ordered.reserve(points_.size());
  for (const std::size_t i : order_) ordered.push_back(points_[i]);
  points_ = std::move(ordered);
}

void PointTree::build(std::size_t begin, std::size_t end, std::size_t axis) {
  if (end - begin <= bucket) return;
  const std::size_t middle = begin + (end - begin) / 2;
  const auto at = [&](std::size_t i) { return order_.begin() + static_cast<std::ptrdiff_t>(i); };
  std::nth_element(at(begin), at(middle), at(end),
                   [&](std::size_t a, std::size_t b) { return points_[a][axis] < points_[b][axis]; });
  build(begin, middle, (axis + 1) % 3);
  build(middle + 1, end, (axis + 1) % 3);
}

Index PointTree::nearest(const Point& x, double radius) const {
  Point lower = x, upper = x;
  for (std::size_t k = 0; k < 3; ++k) lower[k] -= radius, upper[k] += radius;
  Index best = -1;
  double best_distance = radius;
  visit_range(0, order_.size(), 0, lower, upper, [&](std::size_t i) {
    const double d = distance(x, points_[i]);
    const auto index = static_cast<Index>(order_[i]);
    if (d > best_distance || (best >= 0 && d == best_distance && index > best)) return;
    best = index;
    best_distance = d;
  });
  return best;
}

}  // namespace galerna::mesh
