/// \file
/// Sizes of tile/viscous_warp_residual.hpp, for the kernels and for their caller.
#pragma once

#include "kernels/tile/metric_rows.hpp"

namespace galerna::kernels {

/// Of tetrahedra whose sides have an even number of points each, all of them a multiple of eight.
struct ViscousWarpSizes : ElementCounts {
  bool curved;  ///< metric terms differ from point to point

  template <class Config>
  static constexpr ViscousWarpSizes of() {
    return {element_counts<Config>(), !Config::affine};
  }

  /// Whether the kernels are written for such elements.
  constexpr bool fit() const { return side_point_count % 2 == 0 && trace_point_count() % 8 == 0; }

  // Left operands of four points of the sides, 4k to 4k + 3.
  constexpr int first_four(int side) const { return side * side_point_count / 4; }
  constexpr int last_four(int side) const { return ((side + 1) * side_point_count - 1) / 4; }
  /// Of one side after the other; one that two sides share is among those of both.
  constexpr int side_fours() const {
    int fours = 0;
    for (int side = 0; side < side_count; ++side) fours += last_four(side) - first_four(side) + 1;
    return fours;
  }
  /// Those of all sides that meet eight points of them.
  constexpr int first_four_at(int n) const { return first_four(8 * n / side_point_count); }
  constexpr int last_four_at(int n) const { return last_four((8 * n + 7) / side_point_count); }
  /// The same in the order of results, where two operands share eight points.
  constexpr int first_eight_at(int n) const { return first_four_at(n) / 2; }
  constexpr int last_eight_at(int n) const { return last_four_at(n) / 2; }

  // Where each operator's fragments begin. Of the residual: from modes, values at volume points and reference gradients
  // there (one operator for each direction), of straight elements but for what states beyond the sides add to them;
  // from those states or, of curved elements, from jumps, what they add, eight points after eight; from volume points,
  // weighted derivatives to modes (one for each direction); from modes, values at the points of all sides; from these,
  // what lifts to modes; of curved elements from volume points weighted values to modes.
  constexpr int values() const { return 0; }
  constexpr int point_lift() const { return (1 + dimension) * from_modes(volume_points()); }
  /// Left operands of it.
  constexpr int point_lift_fours() const { return curved ? trace_points().fours() : side_fours(); }
  constexpr int tests(int direction) const {
    return point_lift() + volume_points().eights() * point_lift_fours() +
           direction * modes().eights() * volume_points().fours();
  }
  constexpr int trace_values() const { return tests(dimension); }
  constexpr int lift() const { return trace_values() + from_modes(trace_points()); }
  constexpr int projection() const { return lift() + modes().eights() * trace_points().fours(); }
  constexpr int residual_numbers() const {
    return (projection() + (curved ? modes().eights() * volume_points().fours() : 0)) * 32;
  }

  // Of the fluxes at sides, behind these: from modes, values at the points of all sides, of straight elements the part
  // of the lifted jumps that is the element's own, reference gradients; from states beyond the sides or from jumps what
  // is lifted at these points, eight of them after eight.
  constexpr int side_lift() const { return ((curved ? 1 : 2) + dimension) * from_modes(trace_points()); }
  constexpr int flux_numbers() const {
    int fours = 0;
    for (int n = 0; n < trace_points().eights(); ++n)
      fours += curved ? 2 * (last_eight_at(n) - first_eight_at(n) + 1) : last_four_at(n) - first_four_at(n) + 1;
    return (side_lift() + fours) * 32;
  }

  // What a warp has of its eight elements in shared memory: modes, the states beyond all sides, of straight elements
  // normals and gradients of reference coordinates, slots beyond the sides.
  /// As WarpTileSizes::mode_row().
  constexpr int mode_row() const { return 8 * variables + 2; }
  /// Of eight points of the sides, [element][point][variable].
  constexpr int stage_numbers() const { return element(8); }
  /// Where an element's numbers begin in them: four elements in different banks where there are five variables.
  constexpr int element(int which) const { return which * 8 * variables + (which + 2) / 4 * 4; }
  constexpr int stage(int n) const { return mode_count * mode_row() + n * stage_numbers(); }
  constexpr int normals() const { return stage(trace_points().eights()); }
  constexpr int metric() const { return normals() + (curved ? 0 : 8 * side_count * (dimension + 1)); }
  constexpr int slots() const { return metric() + (curved ? 0 : 8 * dimension * dimension); }
  constexpr int warp_numbers() const { return slots() + 8 * side_count / 2; }

  /// Of a multiprocessor with compute capability 9.0 or later.
  static constexpr int shared_numbers = 227 * 1024 / 8;
  /// How many of a kernel's operators are in shared memory: all that leave room for four warps. Others are read where
  /// they are.
  constexpr int numbers_in_shared(int operators) const {
    return (shared_numbers - operators) / warp_numbers() >= 4 ? operators : 0;
  }

  static constexpr bool opposite = true;

  /// Whether the place of the states beyond sides takes the residual while it is divided by the mass matrix: registers
  /// hold few modes twice.
  constexpr bool stage_takes_residual() const { return curved && mode_count > 20; }
  constexpr int staged_residual() const { return stage(0); }

  constexpr MetricRows metric_rows() const { return {*this, true}; }

 private:
  constexpr int from_modes(const Columns& points) const { return points.eights() * modes().fours(); }
};

}  // namespace galerna::kernels
