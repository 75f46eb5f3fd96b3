#include "solver/barycentric.hpp"

#include <numeric>

#include "base/index.hpp"
#include "basis/basis.hpp"

namespace galerna::solver {

BarycentricRule barycentric_rule(Shape shape, int degree) {
  const basis::Quadrature rule = basis::quadrature(shape, degree);
  BarycentricRule result;
  const auto corners = at(dimension(shape)) + 1;
  for (const basis::Point& x : rule.points) {
    std::vector<double>& point = result.points.emplace_back(corners, 0.0);
    point[0] = 1;
    for (std::size_t c = 1; c < corners; ++c) {
      point[c] = shape == Shape::line ? (1 + x[0]) / 2 : x[c - 1];
      point[0] -= point[c];
    }
  }
  const double all = std::accumulate(rule.weights.begin(), rule.weights.end(), 0.0);
  for (const double weight : rule.weights) result.weights.push_back(weight / all);
  return result;
}

}  // namespace galerna::solver
