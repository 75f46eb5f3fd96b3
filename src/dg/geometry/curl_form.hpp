/// \file
/// Metric terms of curved elements in space as curls of interpolated potentials (docs/theory.md, Metric terms).
#pragma once

#include <Eigen/Dense>
#include <array>
#include <memory>
#include <span>
#include <vector>

#include "dg/operators.hpp"

namespace galerna::dg {

/// J ∇ξ_i and n dS of curved elements in space, one element after the other, that keep a uniform flow with the rules of
/// the operators, and of which both elements of a face find the same n dS.
class ClosedMetric {
 public:
  virtual ~ClosedMetric() = default;
  /// For elements of another thread.
  virtual std::unique_ptr<ClosedMetric> clone() const = 0;

  /// Takes an element. \param x [node][k]
  virtual void look_at(const Eigen::MatrixXd& x) = 0;

  /// Puts the element's values in place of J ∇ξ_i times `sign` of the map itself. \param contravariant
  /// [volume_points][i][n]
  virtual void put_volume(std::span<double> contravariant, double sign) const = 0;

  /// Of a side at point q, times the side's measure, outward where J > 0.
  virtual std::array<double, 3> normal(int side, Eigen::Index q) const = 0;
};

/// The degree M of the interpolants in CurlForm. \param whole whether M is at least N, as in hexahedra, prisms and
/// pyramids, on whose triangles simplices find the same then
int potential_degree(int degree, int geometry_order, bool whole);

/// ½ (X_l ∂X_m − X_m ∂X_l) at each point, a potential of J ∇ξ_n. \param x [point][k] \param slope the same of ∂X
Eigen::VectorXd half_product(const Eigen::MatrixXd& x, const Eigen::MatrixXd& slope, Eigen::Index l, Eigen::Index m);

/// J ∇ξ_i, component n, is −e_i · ∇_ξ × ½ (X_l ∇_ξ X_m − X_m ∇_ξ X_l), n, m, l cyclic (D. A. Kopriva, J. Sci. Comput.
/// 26 (2006) 301, the invariant form): of degree 2N − 2 on tetrahedra of geometry order N. With the interpolant I_M of
/// these potentials of degree M = max(p + 1, N − 1) in their place the curl is of degree M − 1, still without
/// divergence, so that the rules for polynomials of degree p integrate it exactly with each of these. (J. Chan, L. C.
/// Wilcox, J. Comput. Phys. 378 (2019) 366.) Its normal part on a side follows from the nodes on that side alone: both
/// elements of a face find the same. The potentials are halves of X × ∂X and turn with the element, as X_l ∇X_m alone
/// would not. N − 1 ≤ M makes the curl independent of the origin of X. In hexahedra and prisms, where
/// degrees are those of the factors of products, ∇X has degree N, M = max(p + 1, N), and a curl is of degree M in the
/// coordinates that it does not follow; rules there have p + 1 points in a line.
/// Not of pyramids, whose rational functions have no gradient at the apex (dg/geometry/pyramid_metric.hpp).
class CurlForm : public ClosedMetric {
 public:
  /// At the volume and side points of the operators. \param whole as of potential_degree()
  CurlForm(Shape shape, int geometry_order, const Operators& operators, bool whole);

  std::unique_ptr<ClosedMetric> clone() const override { return std::make_unique<CurlForm>(*this); }
  void look_at(const Eigen::MatrixXd& x) override;
  void put_volume(std::span<double> contravariant, double sign) const override;
  std::array<double, 3> normal(int side, Eigen::Index q) const override;

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
