/// \file
/// A two-dimensional solution and its gradients at points of element sides, with normals and lengths.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "analysis/gradients.hpp"
#include "analysis/sampling.hpp"

namespace galerna::analysis {

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
  /// Derivative of the place along the side at point q: [coordinate].
  std::array<double, 2> tangent(mesh::Index position, int q) const;

  const Solution& solution_;
  const mesh::ElementBlock& block_;
  basis::Quadrature rule_;
  BlockSampler sampler_;
  BlockGradients gradients_;
  basis::Matrix tangent_;  // [point][node]: derivative of the place along the side
  double outward_ = 1;     // −1 where the reference tangent, turned clockwise, points inward
};

/// Samples any side of a mesh with one rule.
class MeshSides {
 public:
  MeshSides(const Solution& solution, const basis::Quadrature& rule) : solution_(solution), rule_(rule) {}

  std::vector<SidePoint> sample(const mesh::Side& side);

 private:
  const Solution& solution_;
  basis::Quadrature rule_;
  std::map<std::pair<int, int>, std::unique_ptr<SideSampler>> samplers_;  // by block and side
};

}  // namespace galerna::analysis
