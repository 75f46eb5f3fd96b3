#include "basis/turned_points.hpp"

#include <cmath>
#include <numeric>
#include <stdexcept>

namespace galerna::basis {
namespace {

int point_at(const Quadrature& rule, const Point& place) {
  for (std::size_t q = 0; q < rule.points.size(); ++q) {
    double distance = 0;
    for (std::size_t d = 0; d < 3; ++d) distance += std::abs(rule.points[q][d] - place[d]);
    if (distance < 1e-10) return static_cast<int>(q);
  }
  throw std::invalid_argument("turned_points: the rule is not symmetric");
}

}  // namespace

int orientation_count(Shape side) {
  const int corners = corner_count(side);
  return corners == 2 ? 2 : 2 * corners;
}

std::vector<int> turned_points(const Quadrature& rule, int orientation) {
  std::vector<int> result(rule.points.size());
  std::iota(result.begin(), result.end(), 0);
  if (orientation == 0) return result;
  const int corners = corner_count(rule.shape), first = corners == 2 ? 1 : orientation / 2,
            step = corners == 2 || orientation % 2 ? corners - 1 : 1;
  const Matrix weights = lagrange_values(rule.shape, 1, rule.points);
  for (std::size_t q = 0; q < result.size(); ++q) {
    Point place{};
    for (int k = 0; k < corners; ++k)
      for (std::size_t d = 0; d < 3; ++d)
        place[d] +=
            weights(static_cast<Eigen::Index>(q), (first + step * k) % corners) * reference_corner(rule.shape, k)[d];
    result[q] = point_at(rule, place);
  }
  return result;
}

}  // namespace galerna::basis
