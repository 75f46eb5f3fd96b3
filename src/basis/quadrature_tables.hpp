/// \file
/// Symmetric quadrature rules on the unit triangle and tetrahedron.
#pragma once

#include <array>
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

/// Points that the tetrahedron's symmetries map to one another: all permutations of the barycentric coordinates
/// `first`, `size` of which differ. All have the same weight.
struct TetrahedronOrbit {
  int size;
  double weight;
  std::array<double, 4> first;
};

struct TetrahedronTable {
  int degree;
  std::vector<TetrahedronOrbit> orbits;
};

/// Ascending in degree.
const std::vector<TetrahedronTable>& tetrahedron_tables();

}  // namespace galerna::basis
