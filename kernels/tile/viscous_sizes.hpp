/// \file
/// Sizes of tile/viscous_residual.hpp, for the kernel and for its caller.
#pragma once

#include "kernels/tile/element_counts.hpp"

namespace galerna::kernels {

/// Of an even number of variables.
struct ViscousTileSizes : ElementCounts {
  // Where each operator's fragments begin (tile/residual.hpp). From modes: values and derivatives (one operator for
  // each direction) at volume points, values at the points of all sides. From volume points: weighted derivatives to
  // modes (one for each direction). From points of sides: what lifts to modes, and the same at volume points.
  constexpr int values() const { return 0; }
  constexpr int derivatives(int direction) const {
    return (1 + direction) * volume_points().eights() * modes().fours();
  }
  constexpr int trace_values() const { return derivatives(dimension); }
  constexpr int tests(int direction) const {
    return trace_values() + trace_points().eights() * modes().fours() +
           direction * modes().eights() * volume_points().fours();
  }
  constexpr int lift() const { return tests(dimension); }
  constexpr int point_lift() const { return lift() + modes().eights() * trace_points().fours(); }
  constexpr int operator_numbers() const {
    return (point_lift() + volume_points().eights() * trace_points().fours()) * 32;
  }

  // What a warp has of its eight elements in shared memory (tile/staging.hpp): tables of states, at the points of all
  // sides and of modes, gradients of reference coordinates, and normals.
  /// Pieces of 16 bytes from one element to the next; odd, which spreads them over the banks.
  constexpr int table_row(int states) const { return states * variables / 2 | 1; }
  constexpr int table_numbers(int states) const { return 8 * table_row(states) * 2; }
  constexpr int gradients() const { return 4 * table_numbers(trace_point_count()) + table_numbers(mode_count); }
  constexpr int normals() const { return gradients() + 8 * dimension * dimension; }
  constexpr int warp_numbers() const { return normals() + 8 * side_count * (dimension + 1); }
};

}  // namespace galerna::kernels
