#include <map>
#include <utility>

#include "base/lattice.hpp"
#include "basis/basis.hpp"

namespace galerna::basis {
namespace {

/// V^{-1} of V_ij = φ_j(node i): Lagrange functions are combinations of the modes with its columns. Kept for each
/// thread, since Newton's method asks for single points.
const Eigen::MatrixXd& inverse_vandermonde(Shape shape, int order) {
  thread_local std::map<std::pair<Shape, int>, Eigen::MatrixXd> known;
  Eigen::MatrixXd& inverse = known[{shape, order}];
  if (inverse.size() == 0) inverse = basis_values(shape, order, lagrange_nodes(shape, order)).inverse();
  return inverse;
}

}  // namespace

std::vector<Point> lagrange_nodes(Shape shape, int order) {
  std::vector<Point> points;
  for (const LatticePoint& node : node_lattice(shape, order)) points.push_back(reference_point(shape, order, node));
  return points;
}

Matrix lagrange_values(Shape shape, int order, const std::vector<Point>& points) {
  if (shape == Shape::point) return Matrix::Ones(static_cast<Eigen::Index>(points.size()), 1);
  return basis_values(shape, order, points) * inverse_vandermonde(shape, order);
}

Matrix lagrange_derivatives(Shape shape, int order, const std::vector<Point>& points, int direction) {
  return basis_derivatives(shape, order, points, direction) * inverse_vandermonde(shape, order);
}

}  // namespace galerna::basis
