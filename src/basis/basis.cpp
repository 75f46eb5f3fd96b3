#include "basis/basis.hpp"

#include "basis/dual.hpp"
#include "basis/modes.hpp"

namespace galerna::basis {

int mode_count(Shape shape, int degree) {
  return node_count(shape, degree);  // both span the polynomials of that degree on the shape
}

Matrix basis_values(Shape shape, int degree, const std::vector<Point>& points) {
  Matrix result(static_cast<Eigen::Index>(points.size()), mode_count(shape, degree));
  for (std::size_t q = 0; q < points.size(); ++q) {
    const auto values = modes<double>(shape, degree, points[q][0], points[q][1], points[q][2]);
    for (std::size_t j = 0; j < values.size(); ++j)
      result(static_cast<Eigen::Index>(q), static_cast<Eigen::Index>(j)) = values[j];
  }
  return result;
}

Matrix basis_derivatives(Shape shape, int degree, const std::vector<Point>& points, int direction) {
  Matrix result(static_cast<Eigen::Index>(points.size()), mode_count(shape, degree));
  for (std::size_t q = 0; q < points.size(); ++q) {
    const auto values = modes<Dual>(shape, degree, Dual::coordinate(points[q][0], 0), Dual::coordinate(points[q][1], 1),
                                    Dual::coordinate(points[q][2], 2));
    for (std::size_t j = 0; j < values.size(); ++j)
      result(static_cast<Eigen::Index>(q), static_cast<Eigen::Index>(j)) =
          values[j].derivative[static_cast<std::size_t>(direction)];
  }
  return result;
}

std::vector<Point> side_points(Shape shape, int side, const std::vector<Point>& points_on_side) {
  const Shape face = side_shape(shape, side);
  const auto corners = side_corners(shape, side);
  const Matrix weights = lagrange_values(face, 1, points_on_side);
  std::vector<Point> result(points_on_side.size(), Point{});
  for (std::size_t q = 0; q < points_on_side.size(); ++q)
    for (std::size_t i = 0; i < corners.size(); ++i)
      for (std::size_t d = 0; d < 3; ++d)
        result[q][d] += weights(static_cast<Eigen::Index>(q), static_cast<Eigen::Index>(i)) *
                        reference_corner(shape, corners[i])[d];
  return result;
}

}  // namespace galerna::basis
