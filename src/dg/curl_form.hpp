/// \file
/// Metric terms of curved elements in space as curls of interpolated potentials (docs/theory.md, Metric terms).
#pragma once

#include <Eigen/Dense>
#include <array>
#include <vector>

#include "dg/operators.hpp"

namespace galerna::dg {

/// J ∇ξ_i, component n, is −e_i · ∇_ξ × (X_l ∇_ξ X_m), n, m, l cyclic (D. A. Kopriva, J. Sci. Comput. 26 (2006) 301):
/// of degree 2N − 2 on tetrahedra of geometry order N. With the interpolant I_M (X_l ∇_ξ X_m) of degree
/// M = max(p + 1, N − 1) in its place the curl is of degree M − 1, still without divergence, so that the rules for
/// polynomials of degree p integrate it exactly with each of these. (J. Chan, L. C. Wilcox, J. Comput. Phys. 378 (2019)
/// 366.) Its normal part on a side follows from the nodes on that side alone: both elements of a face find the same.
/// N − 1 ≤ M makes it independent of the origin of X. In hexahedra and prisms, where
/// degrees are those of the factors of products, ∇X has degree N, M = max(p + 1, N), and a curl is of degree M in the
/// coordinates that it does not follow; rules there have p + 1 points in a line.
class CurlForm {
 public:
  /// At the volume and side points of the operators.
  /// \param whole whether M is at least N, as in hexahedra and prisms, on whose triangles simplices find the same then
  CurlForm(Shape shape, int geometry_order, const Operators& operators, bool whole);

  /// Makes the potentials of an element. \param x [node][k]
  void look_at(const Eigen::MatrixXd& x);

  /// Overwrites the last element's part of [element][volume_points][i][n], J ∇ξ_i times `sign`.
  void put_volume(std::vector<double>& contravariant, double sign) const;

  /// Of a side at point q, times the side's measure, outward where J > 0.
  std::array<double, 3> normal(int side, Eigen::Index q) const;

 private:
  using Derivatives = std::array<basis::Matrix, 3>;  ///< [d]: [point][interpolation node]

  /// J ∇ξ_i at a point: [n]
  std::array<double, 3> cofactors(const Derivatives& derivatives, std::size_t i, Eigen::Index q) const;

  basis::Matrix values_;  ///< [interpolation node][node]
  std::array<basis::Matrix, 3> slopes_;
  Derivatives volume_;
  std::vector<Derivatives> sides_;
  std::vector<std::array<double, 3>> reference_normals_;  ///< [side]
  std::array<Eigen::MatrixXd, 3> potentials_;             ///< [n]: [interpolation node][d]
};

}  // namespace galerna::dg
