/// \file
/// Where metric terms of eight curved elements lie in memory, for the kernels of tile/ and for their caller: rows of a
/// number for each thread of a warp, or of two, in the order in which they are read.
#pragma once

#include "kernels/tile/element_counts.hpp"

namespace galerna::kernels {

/// Of elements whose sides have an even number of points.
struct MetricRows : ElementCounts {
  bool viscous;  ///< with what gradients at the points of sides take

  /// Outward normals times ds at eight points of the sides: [component][thread][one of its two points].
  constexpr int normals(int n) const { return n * dimension * 64; }
  /// |J|^{-½} there: [thread][one of its two points].
  constexpr int side_roots(int n) const { return normals(trace_points().eights()) + n * 64; }
  /// ∂ξ_d/∂x_k there: [d][k][thread][one of its two points].
  constexpr int side_gradients(int n) const {
    return side_roots(trace_points().eights()) + n * dimension * dimension * 64;
  }
  /// |J| ∂ξ_d/∂x_k at volume points, of a left operand of four: [d][k][thread].
  constexpr int contravariant(int four) const {
    return (viscous ? side_gradients(trace_points().eights()) : normals(trace_points().eights())) +
           four * dimension * dimension * 32;
  }
  /// 1/|J| there.
  constexpr int inverses(int four) const { return contravariant(volume_points().fours()) + four * 32; }
  /// ∫ φ_j dx of the modes of a left operand.
  constexpr int means(int four) const { return inverses(volume_points().fours()) + four * 32; }
  /// One over that of the constant mode.
  constexpr int inverse_mean() const { return means(modes().fours()); }
  constexpr int numbers() const { return inverse_mean() + 32; }
};

}  // namespace galerna::kernels
