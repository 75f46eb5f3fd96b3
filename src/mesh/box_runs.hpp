/// \file
/// Boxes that lie one behind the other along a curve through space, and those among them that meet a box.
#pragma once

#include <algorithm>
#include <vector>

#include "mesh/geometry.hpp"

namespace galerna::mesh {

/// Makes the box so large that the point lies in it.
inline void include(Box& box, const Point& x) {
  for (std::size_t k = 0; k < 3; ++k) {
    box.lower[k] = x[k] < box.lower[k] ? x[k] : box.lower[k];
    box.upper[k] = x[k] > box.upper[k] ? x[k] : box.upper[k];
  }
}

/// Boxes around runs of neighbouring items, and around runs of these: small where the items follow a curve through
/// space, as elements and their boundary sides do after prepare(). Cheaper to build than a tree that sorts them.
class BoxRuns {
 public:
  static constexpr std::size_t fan = 8;  ///< items in a run, and runs in one of the next level

  explicit BoxRuns(std::vector<Box> items) : levels_{std::move(items)} {
    while (levels_.back().size() > fan) levels_.push_back(runs_of(levels_.back()));
  }

  /// Calls visit(index) for all items whose boxes have a point in common with `box`, in ascending order.
  template <class Visit>
  void visit(const Box& box, const Visit& visit) const {
    visit_range(levels_.size() - 1, 0, levels_.back().size(), box, visit);
  }

  static bool meet(const Box& a, const Box& b) {
    return (a.lower[0] <= b.upper[0]) & (b.lower[0] <= a.upper[0]) & (a.lower[1] <= b.upper[1]) &
           (b.lower[1] <= a.upper[1]) & (a.lower[2] <= b.upper[2]) & (b.lower[2] <= a.upper[2]);
  }

 private:
  static std::vector<Box> runs_of(const std::vector<Box>& below) {
    std::vector<Box> runs;
    runs.reserve((below.size() + fan - 1) / fan);
    for (std::size_t i = 0; i < below.size(); ++i) {
      if (i % fan == 0) runs.push_back(below[i]);
      include(runs.back(), below[i].lower);
      include(runs.back(), below[i].upper);
    }
    return runs;
  }

  template <class Visit>
  void visit_range(std::size_t level, std::size_t begin, std::size_t end, const Box& box, const Visit& visit) const {
    for (std::size_t i = begin; i < end; ++i) {
      if (!meet(levels_[level][i], box)) continue;
      if (level == 0)
        visit(i);
      else
        visit_range(level - 1, i * fan, std::min((i + 1) * fan, levels_[level - 1].size()), box, visit);
    }
  }

  std::vector<std::vector<Box>> levels_;  ///< [0] the items
};

}  // namespace galerna::mesh
