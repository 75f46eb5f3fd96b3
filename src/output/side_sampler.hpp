/// \file
/// A two-dimensional solution and its gradients at points of element sides, with normals and lengths.
#pragma once

#include <array>
#include <vector>

#include "output/sampling.hpp"

namespace galerna::output {

/// One point of a side.
struct SidePoint {
  mesh::Point place = {};
  std::array<double, 2> normal = {};  ///< unit, out of the element
  double length = 0;                  ///< |dx/dξ| times the point's weight: Σ length = length of the side
  std::vector<double> variables;      ///< [variable]
  std::vector<double> gradients;      ///< [direction][variable]: ∂u_v/∂x_d of the conservative variables
};

/// Evaluates side number `side` of the elements of one block, of any shape and geometry order, at points ξ of [−1, 1].
class SideSampler {
 public:
  /// \param rule points ξ along side_corners(shape, side), and weights that SidePoint::length is made with.
  SideSampler(const Solution& solution, int block, int side, const basis::Quadrature& rule);

  /// The points of the block's element `position`, in the order of the rule.
  std::vector<SidePoint> sample(mesh::Index position) const;

 private:
  /// ∂u/∂x at point q: the one place where gradients on sides come from. Those of the polynomial inside the element;
  /// a discretization that corrects gradients at sides for the jumps there adds its correction here.
  std::vector<double> gradients(mesh::Index position, int q) const;
  /// Derivative of the place at point q: [coordinate] from [node] derivatives.
  std::array<double, 2> derivative(const basis::Matrix& by_node, mesh::Index position, int q) const;

  const Solution& solution_;
  const mesh::ElementBlock& block_;
  basis::Quadrature rule_;
  BlockSampler sampler_;
  const double* coefficients_;
  std::array<basis::Matrix, 2> modes_;  // [direction][point][mode]: reference derivatives of the basis
  std::array<basis::Matrix, 2> nodes_;  // [direction][point][node]: of the geometry
  basis::Matrix tangent_;               // [point][node]: derivative of the place along the side
  double outward_ = 1;                  // −1 where the reference tangent, turned clockwise, points inward
};

}  // namespace galerna::output
