/// \file
/// Quadrature rules on simplices in barycentric coordinates.
#pragma once

#include <vector>

#include "base/shape.hpp"

namespace galerna::solver {

struct BarycentricRule {
  std::vector<std::vector<double>> points;  ///< [point][corner]
  std::vector<double> weights;              ///< [point], 1 together
};

/// \param shape line, triangle or tetrahedron \param degree of exactness
BarycentricRule barycentric_rule(Shape shape, int degree);

}  // namespace galerna::solver
