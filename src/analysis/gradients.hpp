/// \file
/// Gradients of a solution at fixed reference points of every element of a block.
#pragma once

#include <array>
#include <vector>

#include "analysis/solution.hpp"
#include "basis/basis.hpp"

namespace galerna::analysis {

/// Gradients of the polynomial inside an element, through the metric of its map: exact for the solution's polynomial on
/// straight and curved elements. They vanish at degree 0.
class BlockGradients {
 public:
  BlockGradients(const Solution& solution, int block, const std::vector<basis::Point>& points);

  /// Goes on to another solution on the same mesh, of the same degree and variables.
  void look_at(const Solution& solution) { solution_ = &solution; }

  /// ∂u_v/∂x_d of the conservative variables at point q of the block's element `position`: result[direction][variable].
  void evaluate(mesh::Index position, int q, double* result) const;
  /// The same of an element whose modes [variable][mode] are there.
  void evaluate(mesh::Index position, int q, const double* modes, double* result) const;

 private:
  std::array<double, 3> tangent(std::size_t direction, mesh::Index position, int q) const;

  const Solution* solution_;
  const mesh::ElementBlock& block_;
  int number_;  // of the block
  std::size_t dimension_;
  std::vector<basis::Matrix> modes_;  // [direction][point][mode]: reference derivatives of the basis
  std::vector<basis::Matrix> nodes_;  // [direction][point][node]: of the geometry
};

}  // namespace galerna::analysis
