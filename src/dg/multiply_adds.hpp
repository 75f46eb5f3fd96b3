/// \file
/// Multiply–adds of a right-hand side, by formula.
#pragma once

#include "kernels/tile/element_counts.hpp"

namespace galerna::dg {

/// How the products of an element are taken.
struct ProductTraits {
  bool by_lines = false;  ///< line by line (sum factorization)
  bool affine = true;     ///< whether metric terms are constant in an element
  bool viscous = false;
};

/// Multiply–adds for an element by the products that take modes to points and points to modes: interpolation,
/// derivatives, integration, lifting. Fluxes, metric terms and the stage's update are not among them, nor is work that
/// a kernel repeats (traces of neighbours) or does in vain (padding on matrix units).
class MultiplyAdds {
 public:
  constexpr MultiplyAdds(const kernels::ElementCounts& counts, const ProductTraits& traits)
      : traits_(traits), dimension_(counts.dimension), variables_(counts.variables) {
    const double modes = counts.mode_count, volume_points = counts.volume_point_count;
    points_ = counts.first_point(counts.side_count);
    if (traits.by_lines) {
      // As many points as modes, n^d of them on lines of n: p + 1 = modes / points of the lines' ends.
      const double line = modes / counts.side_point_count;
      values_ = derivatives_ = to_modes_ = dimension_ * modes * line;
      sides_ = 2 * dimension_ * modes;
      between_sides_ = points_;
    } else {
      values_ = modes * volume_points;
      derivatives_ = dimension_ * values_;
      to_modes_ = traits.affine ? 0 : 2 * values_;  // the mass matrix
      sides_ = modes * points_;
      for (int side = 0; side < counts.side_count; ++side) {
        const double own = counts.first_point(side + 1) - counts.first_point(side);
        between_sides_ += own * own;
      }
    }
  }

  /// Values at volume points.
  constexpr double values() const { return variables_ * values_; }
  /// Traces at the points of all sides.
  constexpr double traces() const { return variables_ * (sides_ + (traits_.by_lines ? values_ : 0)); }
  /// \param own_traces whether the kernel evaluates the traces inside; \param next_traces and those of its result
  constexpr double residual(bool own_traces, bool next_traces) const {
    const double gradients = traits_.by_lines ? derivatives_ : derivatives_ * (traits_.affine ? 1 : 2);
    return variables_ * (values_ + derivatives_ + sides_ + to_modes_ + (own_traces ? sides_ : 0) +
                         (traits_.viscous ? dimension_ * sides_ + gradients : 0)) +
           (next_traces ? traces() : 0);
  }
  /// Viscous fluxes at the points of all sides.
  constexpr double viscous() const {
    return traces() + variables_ * (dimension_ * sides_ + between_sides_ * (traits_.affine ? 1 : dimension_));
  }

 private:
  ProductTraits traits_;
  double dimension_, variables_, points_ = 0;
  double values_ = 0, derivatives_ = 0, sides_ = 0, to_modes_ = 0;  ///< of a variable
  double between_sides_ = 0;                                        ///< from jumps to the points of their own side
};

}  // namespace galerna::dg
