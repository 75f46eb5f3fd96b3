/// \file
/// The points of an element's sides, counted through side by side. Where all sides are alike (Operators::side_points),
/// these are quotients; prisms and pyramids have sides of two kinds and tables of Config::Operators:
///   all_side_points, side_at(point), first_side_point(side)   which points are whose
///   side_kind(side)                 0 or 1: which of the arrays of traces (ElementArguments::faces) is the side's
///   side_rank(side), like_sides(kind)   the side's number among those of its kind, and how many these are
/// Shapes in space that are no simplices have turned_point(side, orientation, q), the element's own point q of a side
/// as the face counts it, and orientations(kind), how many ways a side may be turned.
#pragma once

#include "kernels/layout.hpp"

namespace galerna::kernels {

template <class Operators>
concept HasUnlikeSides = requires {
  Operators::all_side_points;
};

template <class Operators>
constexpr int all_side_points() {
  if constexpr (HasUnlikeSides<Operators>)
    return Operators::all_side_points;
  else
    return Operators::sides * Operators::side_points;
}

template <class Operators>
constexpr int first_side_point(int side) {
  if constexpr (HasUnlikeSides<Operators>)
    return Operators::first_side_point(side);
  else
    return side * Operators::side_points;
}

/// Points of one side.
template <class Operators>
constexpr int points_of_side(int side) {
  if constexpr (HasUnlikeSides<Operators>)
    return Operators::first_side_point(side + 1) - Operators::first_side_point(side);
  else
    return Operators::side_points;
}

/// A point of all sides: that of which side, and which of its points.
template <class Operators>
constexpr int side_at(int point) {
  if constexpr (HasUnlikeSides<Operators>)
    return Operators::side_at(point);
  else
    return point / Operators::side_points;
}
template <class Operators>
constexpr int point_on_side(int point) {
  if constexpr (HasUnlikeSides<Operators>)
    return point - Operators::first_side_point(Operators::side_at(point));
  else
    return point % Operators::side_points;
}

template <class Operators>
constexpr auto weight_on_side(int side, int q) {
  if constexpr (HasUnlikeSides<Operators>)
    return Operators::side_weight(side, q);
  else
    return Operators::side_weight(q);
}

template <class Operators>
constexpr int side_kind(int side) {
  if constexpr (HasUnlikeSides<Operators>)
    return Operators::side_kind(side);
  else
    return 0;
}
/// Points of a side of that kind; the first sides of prisms and pyramids are of one kind, their last of the other.
template <class Operators>
constexpr int points_of_kind(int kind) {
  return points_of_side<Operators>(kind == 0 ? 0 : Operators::sides - 1);
}
/// How many kinds of sides there are.
template <class Operators>
constexpr int side_kinds() {
  return HasUnlikeSides<Operators> ? 2 : 1;
}
template <class Operators>
constexpr int side_rank(int side) {
  if constexpr (HasUnlikeSides<Operators>)
    return Operators::side_rank(side);
  else
    return side;
}
template <class Operators>
constexpr int like_sides(int kind) {
  if constexpr (HasUnlikeSides<Operators>)
    return Operators::like_sides(kind);
  else
    return Operators::sides;
}

}  // namespace galerna::kernels
