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
    visit_range(0, order_.size(), 0, lower, upper, [&](std::size_t i) { visit(static_cast<Index>(order_[i])); });
  }

  /// The point nearest to `x` within `radius`, −1 where there is none; of equally near ones the first.
  Index nearest(const Point& x, double radius) const;

 private:
  static constexpr std::size_t bucket = 8;  ///< points that are not divided further

  void build(std::size_t begin, std::size_t end, std::size_t axis);

  /// visit(i) with positions in `points_`.
  template <class Visit>
  void visit_range(std::size_t begin, std::size_t end, std::size_t axis, const Point& lower, const Point& upper,
                   const Visit& visit) const {
    const auto visit_inside = [&](std::size_t i) {
      const Point& x = points_[i];
      if ((x[0] >= lower[0]) & (x[0] <= upper[0]) & (x[1] >= lower[1]) & (x[1] <= upper[1]) & (x[2] >= lower[2]) &
          (x[2] <= upper[2]))
        visit(i);
    };
    while (end - begin > bucket) {
      const std::size_t middle = begin + (end - begin) / 2;
      const double x = points_[middle][axis];
      const bool before = lower[axis] <= x, behind = upper[axis] >= x;
      axis = (axis + 1) % 3;
      if (before && behind) {
        visit_range(begin, middle, axis, lower, upper, visit);
        visit_inside(middle);
      }
      if (behind)
        begin = middle + 1;
      else
        end = middle;
    }
    for (std::size_t i = begin; i < end; ++i) visit_inside(i);
  }

  std::vector<Point> points_;       ///< each range's middle splits it along an axis: x, y, z, x, …
  std::vector<std::size_t> order_;  ///< which of the points given each is
};

}  // namespace galerna::mesh
