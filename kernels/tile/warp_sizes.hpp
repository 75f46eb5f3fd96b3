/// \file
/// Sizes of tile/warp_residual.hpp, for the kernel and for its caller.
#pragma once

#include "kernels/tile/element_counts.hpp"

namespace galerna::kernels {

struct WarpTileSizes : ElementCounts {
  // Where each operator's fragments begin (tile/residual.hpp). From modes: values at volume points and at the points of
  // all sides. From volume points: weighted derivatives to modes (one for each direction). From points of sides: what
  // lifts to modes.
  constexpr int values() const { return 0; }
  constexpr int trace_values() const { return volume_points().eights() * modes().fours(); }
  constexpr int tests(int direction) const {
    return trace_values() + trace_points().eights() * modes().fours() +
           direction * modes().eights() * volume_points().fours();
  }
  constexpr int lift() const { return tests(dimension); }
  constexpr int operator_numbers() const { return (lift() + modes().eights() * trace_points().fours()) * 32; }

  // What a warp has of its eight elements in shared memory: modes, states at eight points of sides for each stage of
  // copies, normals, slots beyond the sides.
  /// Numbers from one mode to the next, [element][variable]; even, and so that the four threads of each of four
  /// elements find theirs in different banks where there are five variables.
  constexpr int mode_row() const { return 8 * variables + 2; }
  /// Of eight points of the sides, [element][point][variable].
  constexpr int stage_numbers() const { return element(8); }
  constexpr int element(int which) const { return which * 8 * variables; }
  /// Of the eight points number n.
  constexpr int stage(int n) const { return mode_count * mode_row() + n % stages * stage_numbers(); }
  constexpr int normals() const { return mode_count * mode_row() + stages * stage_numbers(); }
  constexpr int slots() const { return normals() + 8 * side_count * (dimension + 1); }
  constexpr int warp_numbers() const { return slots() + 8 * side_count / 2; }

  /// Eight points are copied while those before are computed with.
  static constexpr int stages = 3;
  static constexpr bool opposite = false;
};

}  // namespace galerna::kernels
