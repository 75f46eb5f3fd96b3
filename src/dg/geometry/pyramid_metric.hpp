/// \file
/// Metric terms of curved pyramids (docs/theory.md, Metric terms).
#pragma once

#include "dg/geometry/curl_form.hpp"

namespace galerna::dg {

/// n dS at points of one side as the curl of interpolated potentials, from the side's own nodes: what CurlForm finds on
/// the triangles and quadrilaterals of other elements.
class SideCurl {
 public:
  /// At the points of the side's rule. \param degree of the interpolants, M of CurlForm
  SideCurl(Shape shape, int side, int geometry_order, int degree, const std::vector<basis::Point>& points);

  /// [point][n] of the side of an element, times the side's measure, outward where J > 0. \param x [node][k]
  Eigen::MatrixXd normals(const Eigen::MatrixXd& x) const;

 private:
  std::vector<int> nodes_;                    ///< those of the element on this side, in the side's own order
  basis::Matrix values_;                      ///< [interpolation node][side's node]
  std::array<basis::Matrix, 2> slopes_;       ///< [d] the same of derivatives along the side's coordinates
  std::array<basis::Matrix, 2> derivatives_;  ///< [d]: [point][interpolation node]
  double factor_;  ///< from the product of the tangents along the side's coordinates to the outward normal
};

/// The gradients of a pyramid's rational functions have no value at its apex, so that potentials cannot be interpolated
/// in it. Its sides have the normals of CurlForm; inside, J ∇ξ_i of the map itself is changed as little as the uniform
/// flow asks for: in the norm Σ_q w_q Σ_i (…)² of the change, with Σ_q w_q Σ_i (J ∇ξ_i)_q ∂φ_j/∂ξ_i(q) equal to what
/// the sides say for each mode φ_j (J. Crean, J. E. Hicken, D. C. Del Rey Fernández, D. W. Zingg, M. H. Carpenter, J.
/// Comput. Phys. 356 (2018) 410). The change is the gradient of a combination of modes, whose matrix is that of the
/// reference shape.
class PyramidMetric : public ClosedMetric {
 public:
  PyramidMetric(int geometry_order, const Operators& operators);

  std::unique_ptr<ClosedMetric> clone() const override { return std::make_unique<PyramidMetric>(*this); }
  void look_at(const Eigen::MatrixXd& x) override;
  void put_volume(std::span<double> contravariant, double sign) const override;
  std::array<double, 3> normal(int side, Eigen::Index q) const override;

 private:
  const Operators& operators_;
  std::vector<SideCurl> sides_;
  std::vector<basis::Matrix> weighted_side_basis_;  ///< [side]: [mode but the constant][point]
  /// Σ_q w_q ∇φ_i · ∇φ_j of the modes but the constant.
  Eigen::LDLT<Eigen::MatrixXd> stiffness_;
  std::vector<Eigen::MatrixXd> normals_;  ///< [side]: [point][n]
};

}  // namespace galerna::dg
