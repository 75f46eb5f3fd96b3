/// \file
/// A tree over points in space that finds those in a box.
#pragma once

#include <cstdint>
#include <vector>

#include "mesh/mesh.hpp"

namespace galerna::mesh {

/// A balanced k-d tree; it keeps a copy of the points.
class PointTree {
 public:
  explicit PointTree(std::vector<Point> points);

  /// Calls visit(index) for every point in the closed box, index into the points given.
  template <class Visit>
  void visit_box(const Point& lower, const Point& upper, const Visit& visit) const {
    visit_range(0, order_.size(), 0, lower, upper, visit);
  }

  /// The point nearest to `x` within `radius`, −1 where there is none; of equally near ones the first.
  Index nearest(const Point& x, double radius) const;

 private:
  void build(std::size_t begin, std::size_t end, std::size_t axis);

  template <class Visit>
  void visit_range(std::size_t begin, std::size_t end, std::size_t axis, const Point& lower, const Point& upper,
                   const Visit& visit) const {
    if (begin == end) return;
    const std::size_t middle = begin + (end - begin) / 2;
    const Point& x = points_[order_[middle]];
    if (lower[axis] <= x[axis]) visit_range(begin, middle, (axis + 1) % 3, lower, upper, visit);
    if (x[0] >= lower[0] && x[0] <= upper[0] && x[1] >= lower[1] && x[1] <= upper[1] && x[2] >= lower[2] &&
        x[2] <= upper[2])
      visit(static_cast<Index>(order_[middle]));
    if (upper[axis] >= x[axis]) visit_range(middle + 1, end, (axis + 1) % 3, lower, upper, visit);
  }

  std::vector<Point> points_;
  std::vector<std::size_t> order_;  ///< each range's middle splits it along an axis: x, y, z, x, …
};

}  // namespace galerna::mesh
