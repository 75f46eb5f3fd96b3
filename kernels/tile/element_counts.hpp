/// \file
/// What an element has, of which the sizes of tile kernels follow, for the kernels and for their caller.
#pragma once

#include "kernels/side_points.hpp"
#include "kernels/tile/columns.hpp"

namespace galerna::kernels {

struct ElementCounts {
  int mode_count, volume_point_count, side_count, side_point_count, variables, dimension;
  // Of prisms and pyramids, whose last sides are of another kind: how many these are, and points of one of them.
  int other_side_count = 0, other_side_point_count = 0;

  /// Points of all sides. Where these are of two kinds so many that they fill eights: the last side has more then.
  constexpr int trace_point_count() const {
    return other_side_count > 0 ? (first_point(side_count) + 7) / 8 * 8 : side_count * side_point_count;
  }
  constexpr int first_other_side() const { return side_count - other_side_count; }
  /// Points of the sides before one.
  constexpr int first_point(int side) const {
    const int others = side > first_other_side() ? side - first_other_side() : 0;
    return (side - others) * side_point_count + others * other_side_point_count;
  }
  /// Whose a point is, the last side's where there are more.
  constexpr int side_at(int point) const {
    int side = 0;
    for (int next = 1; next < side_count; ++next) side += point >= first_point(next) ? 1 : 0;
    return side;
  }
  constexpr Columns modes() const { return {mode_count}; }
  constexpr Columns volume_points() const { return {volume_point_count}; }
  constexpr Columns trace_points() const { return {trace_point_count()}; }
};

template <class Config>
constexpr ElementCounts element_counts() {
  using Operators = typename Config::Operators;
  ElementCounts counts = {Operators::modes,
                          Operators::volume_points,
                          Operators::sides,
                          points_of_kind<Operators>(0),
                          Config::Equations::variables,
                          Config::Equations::dimension};
  if constexpr (HasUnlikeSides<Operators>) {
    counts.other_side_count = like_sides<Operators>(1);
    counts.other_side_point_count = points_of_kind<Operators>(1);
  }
  return counts;
}

}  // namespace galerna::kernels
