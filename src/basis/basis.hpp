/// \file
/// Orthonormal modal bases and quadrature on the reference shapes of base/shape.hpp (docs/theory.md, "Basis").
#pragma once

#include <Eigen/Dense>
#include <array>
#include <vector>

#include "base/shape.hpp"

namespace galerna::basis {

using Point = std::array<double, 3>;
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Points and positive weights on a reference shape; sum of the weights = measure of the shape.
struct Quadrature {
  Shape shape;
  int degree;  ///< exact for polynomials of total degree ≤ degree (tensor shapes: degree in each coordinate)
  std::vector<Point> points;
  std::vector<double> weights;
  int size() const { return static_cast<int>(points.size()); }
};

/// A rule with interior points and positive weights, exact to at least `degree` ≥ 0 (any degree: beyond the published
/// symmetric rules, collapsed Gauss–Jacobi products).
Quadrature quadrature(Shape shape, int degree);

/// Degree of the rule for integrals of functions of a solution of degree p over elements of a geometry order: 2p + 4,
/// and geometry order · dimension for the Jacobian determinant where that is no constant.
int function_degree(Shape shape, int degree, int geometry_order);

/// Gauss–Legendre on the line with `points` ≥ 1 points, exact to degree 2·points − 1; points ascend.
Quadrature gauss_legendre(int points);

/// Number of modes N of degree p ≥ 0: (p+1)(p+2)/2 on triangles, (p+1)² on quadrilaterals, …
int mode_count(Shape shape, int degree);

/// [mode] degrees by which the modes of degree p are graded: that of a polynomial on simplices, the largest of the
/// factors' on products, on pyramids the largest degree of a cross section and that along the axis together.
std::vector<int> mode_degrees(Shape shape, int degree);

/// Orthonormal basis functions of degree p at the points: [point][mode]. ∫ φ_i φ_j over the reference shape = δ_ij;
/// mode 0 is the constant. Modes of triangles and tetrahedra are ordered by total degree, so that the first
/// mode_count(q) modes are the basis of degree q < p (hierarchical). At the apex of pyramids, their limits.
Matrix basis_values(Shape shape, int degree, const std::vector<Point>& points);

/// Derivatives with respect to reference coordinate `direction`: [point][mode]. At the apex of pyramids, where limits
/// depend on the way there, those along the axis.
Matrix basis_derivatives(Shape shape, int degree, const std::vector<Point>& points, int direction);

/// Points of the side's reference shape mapped to the element's reference domain, along side_corners(shape, side).
std::vector<Point> side_points(Shape shape, int side, const std::vector<Point>& points_on_side);

/// Lagrange shape functions of geometry order `order` (nodes in Gmsh's order, equispaced) at the points: [point][node].
Matrix lagrange_values(Shape shape, int order, const std::vector<Point>& points);
Matrix lagrange_derivatives(Shape shape, int order, const std::vector<Point>& points, int direction);

/// Reference coordinates of the nodes of the equispaced Lagrange element, in Gmsh's order.
std::vector<Point> lagrange_nodes(Shape shape, int order);

}  // namespace galerna::basis
