#include "basis/basis.hpp"

#include "basis/dual.hpp"
#include "basis/modes.hpp"

namespace galerna::basis {
namespace {

/// Where modes are evaluated: the rational ones of the pyramid have only limits at the apex, their derivatives not even
/// these; those along the axis stand for them.
Point away_from_apex(Shape shape, const Point& point) {
  constexpr double gap = 0x1p-52;
  return shape == Shape::pyramid && point[2] > 1 - gap ? Point{0, 0, 1 - gap} : point;
}

}  // namespace

int mode_count(Shape shape, int degree) {
  return node_count(shape, degree);  // both span the polynomials of that degree on the shape
}

std::vector<int> mode_degrees(Shape shape, int degree) {
  std::vector<int> degrees;
  // Of products, the second factor running fastest.
  const auto product = [](const std::vector<int>& a, const std::vector<int>& b) {
    std::vector<int> result;
    for (int i : a)
      for (int j : b) result.push_back(std::max(i, j));
    return result;
  };
  switch (shape) {
    case Shape::point:
      return {0};
    case Shape::line:
    case Shape::triangle:
    case Shape::tetrahedron:
      for (int n = 0; n <= degree; ++n) degrees.resize(static_cast<std::size_t>(mode_count(shape, n)), n);
      return degrees;
    case Shape::quadrilateral:
      return product(mode_degrees(Shape::line, degree), mode_degrees(Shape::line, degree));
    case Shape::hexahedron:
      return product(mode_degrees(Shape::quadrilateral, degree), mode_degrees(Shape::line, degree));
    case Shape::prism:
      return product(mode_degrees(Shape::triangle, degree), mode_degrees(Shape::line, degree));
    case Shape::pyramid:  // as pyramid_modes()
      for (int i = 0; i <= degree; ++i)
        for (int j = 0; j <= degree; ++j)
          for (int k = 0; k <= degree - std::max(i, j); ++k) degrees.push_back(std::max(i, j) + k);
      return degrees;
  }
  throw std::logic_error("unknown shape");
}

Matrix basis_values(Shape shape, int degree, const std::vector<Point>& points) {
  Matrix result(static_cast<Eigen::Index>(points.size()), mode_count(shape, degree));
  for (std::size_t q = 0; q < points.size(); ++q) {
    const Point at = away_from_apex(shape, points[q]);
    const auto values = modes<double>(shape, degree, at[0], at[1], at[2]);
    for (std::size_t j = 0; j < values.size(); ++j)
      result(static_cast<Eigen::Index>(q), static_cast<Eigen::Index>(j)) = values[j];
  }
  return result;
}

Matrix basis_derivatives(Shape shape, int degree, const std::vector<Point>& points, int direction) {
  Matrix result(static_cast<Eigen::Index>(points.size()), mode_count(shape, degree));
  for (std::size_t q = 0; q < points.size(); ++q) {
    const Point at = away_from_apex(shape, points[q]);
    const auto values =
        modes<Dual>(shape, degree, Dual::coordinate(at[0], 0), Dual::coordinate(at[1], 1), Dual::coordinate(at[2], 2));
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
