/// \file
/// Sizes of tile/warp_residual.hpp, for the kernel and for its caller.
#pragma once

#include "kernels/tile/metric_rows.hpp"

namespace galerna::kernels {

/// Of solids. Their sides have an even number of points here, since a thread has pairs of them, all of them then a
/// multiple of eight: where the rule has fewer, its last point stands again, without a weight.
struct WarpTileSizes : ElementCounts {
  bool curved;       ///< metric terms differ from point to point
  int number_bytes;  ///< of the numbers in memory, 8 or 4; those of operators and of products are double

  static constexpr WarpTileSizes of(ElementCounts counts, bool curved, int number_bytes) {
    counts.side_point_count += counts.side_point_count % 2;
    counts.other_side_point_count += counts.other_side_point_count % 2;
    return {counts, curved, number_bytes};
  }
  template <class Config>
  static constexpr WarpTileSizes of() {
    return of(element_counts<Config>(), !Config::affine, sizeof(typename Config::Real));
  }

  /// Whether a thread's registers hold what it adds up to the residual, two numbers for each of these.
  constexpr bool fit() const { return modes().eights() * variables <= 40; }

  // Where each operator's fragments begin (tile/residual.hpp). From modes: values at the points of all sides and at
  // volume points. From points of sides: what lifts to modes. From volume points: weighted derivatives to modes (one
  // for each direction).
  constexpr int trace_values() const { return 0; }
  constexpr int values() const { return trace_points().eights() * modes().fours(); }
  constexpr int lift() const { return values() + volume_points().eights() * modes().fours(); }
  constexpr int tests(int direction) const {
    return lift() + modes().eights() * trace_points().fours() + direction * modes().eights() * volume_points().fours();
  }
  /// Where curved: from volume points, weighted values to modes.
  constexpr int projection() const { return tests(dimension); }
  constexpr int operator_count() const {
    return projection() + (curved ? modes().eights() * volume_points().fours() : 0);
  }
  /// Those in shared memory; others would leave room for few warps and are read where they are.
  constexpr int shared_operators() const {
    if (mode_count <= (number_bytes == 8 ? 20 : 35)) return operator_count();
    return mode_count <= 35 ? tests(0) : values();
  }

  // What a warp has of its eight elements in shared memory: modes; the stage, where the states beyond sides are and
  // then inputs of the update; normals, gradients of reference coordinates, slots beyond the sides.
  /// Numbers from one mode to the next, [element][variable]; even, and so that the four threads of each of four
  /// elements find theirs in different banks where there are five variables.
  constexpr int mode_row() const { return 8 * variables + 16 / number_bytes; }
  constexpr int table() const { return mode_count * mode_row(); }
  constexpr int stage() const { return table(); }
  /// Of how many sides there is room for states: of all, or of two, where others leave room for few warps and eight
  /// points are on no more.
  constexpr int staged_sides() const {
    return mode_count <= 20 || side_point_count < 8 || other_side_count > 0 ? side_count : 2;
  }
  /// How many of these may still be under way when the first one is needed: none where eight points may be on two.
  constexpr int sides_ahead() const {
    return staged_sides() < side_count && side_point_count % 8 == 0 ? staged_sides() - 1 : 0;
  }
  /// From one element to the next, [point][variable]: neighbours in different banks.
  constexpr int staged_element() const {
    const int numbers = first_point(staged_sides()) * variables, apart = number_bytes == 8 ? 8 : 4;
    return numbers + (3 * apart - numbers % (2 * apart)) % (2 * apart);
  }
  constexpr int stage_numbers() const {
    const int sides = 8 * staged_element();
    return sides > table() ? sides : table();
  }
  /// Inputs of the update for which the stage has room.
  constexpr int staged_inputs() const { return stage_takes_residual() ? 0 : stage_numbers() / table(); }
  /// Whether the stage holds the residual while it is divided by the mass matrix: registers hold few modes twice.
  constexpr bool stage_takes_residual() const { return curved && mode_count > 20; }
  constexpr int staged_residual() const { return stage(); }
  constexpr int normals() const { return stage() + stage_numbers(); }
  constexpr int metric() const { return normals() + (curved ? 0 : 8 * side_count * (dimension + 1)); }
  constexpr int slots() const { return metric() + (curved ? 0 : 8 * dimension * dimension); }
  constexpr int warp_numbers() const { return slots() + 8 * side_count * 4 / number_bytes; }

  // What the warps of a thread block share before that: of sides that may be turned, at which place of the face each
  // point is, [kind][orientation][point]; the operators.
  constexpr int turned_points() const {
    return other_side_count > 0 ? 8 * (side_point_count + other_side_point_count) : 0;
  }
  constexpr int block_numbers() const { return turned_points() / 2 + shared_operators() * 32; }

  constexpr MetricRows metric_rows() const { return {*this, false}; }
};

}  // namespace galerna::kernels
