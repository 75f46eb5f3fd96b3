/// \file
/// What an element has, of which the sizes of tile kernels follow, for the kernels and for their caller.
#pragma once

#include "kernels/tile/columns.hpp"

namespace galerna::kernels {

struct ElementCounts {
  int mode_count, volume_point_count, side_count, side_point_count, variables, dimension;

  constexpr int trace_point_count() const { return side_count * side_point_count; }
  constexpr Columns modes() const { return {mode_count}; }
  constexpr Columns volume_points() const { return {volume_point_count}; }
  constexpr Columns trace_points() const { return {trace_point_count()}; }
};

template <class Config>
constexpr ElementCounts element_counts() {
  using Operators = typename Config::Operators;
  return {Operators::modes,       Operators::volume_points,     Operators::sides,
          Operators::side_points, Config::Equations::variables, Config::Equations::dimension};
}

}  // namespace galerna::kernels
