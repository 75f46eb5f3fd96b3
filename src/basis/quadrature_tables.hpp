/// \file
/// Symmetric quadrature rules on the unit triangle.
#pragma once

#include <vector>

namespace galerna::basis {

/// Points that the triangle's symmetries map to one another, in barycentric coordinates: size 1 the centroid; size 3
/// the permutations of (a, a, 1 − 2a); size 6 those of (a, b, 1 − a − b). All have the same weight.
struct TriangleOrbit {
  int size;
  double weight, a, b;
};

struct TriangleTable {
  int degree;
  std::vector<TriangleOrbit> orbits;
};

/// Ascending in degree.
const std::vector<TriangleTable>& triangle_tables();

}  // namespace galerna::basis
