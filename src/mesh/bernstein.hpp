/// \file
/// Polynomials in Bernstein form on the reference shapes: their smallest and largest coefficients bound them.
///
/// Coefficients are numbered like the nodes of the Lagrange element of the same degree (base/lattice.hpp), and points
/// are given in lattice coordinates u = (position of a node) / degree: barycentric ones on triangles and tetrahedra,
/// [0, 1] along each axis otherwise. All shapes but the pyramid, whose functions are rational.
#pragma once

#include <vector>

#include "base/shape.hpp"
#include "mesh/table.hpp"

namespace galerna::mesh {

/// Lattice coordinates of the nodes of the element of order `degree` ≥ 1: [node].
std::vector<Unit> lattice_coordinates(Shape shape, int degree);

/// Bernstein functions of degree ≥ 1 at the points: [point][function]. The functions are those of total degree on
/// simplices, products of them on the other shapes; they are ≥ 0 inside and sum to 1.
Table bernstein_values(Shape shape, int degree, const std::vector<Unit>& points);

/// Their derivatives with respect to lattice coordinate `axis`: [point][function].
Table bernstein_derivatives(Shape shape, int degree, const std::vector<Unit>& points, int axis);

/// From values at the lattice's nodes to coefficients: [coefficient][node].
Table bernstein_from_nodes(Shape shape, int degree);

/// De Casteljau's subdivision for each child of mesh/subdivision.hpp: [child]: [coefficient on the
/// child][coefficient].
std::vector<Table> bernstein_subdivision(Shape shape, int degree);

}  // namespace galerna::mesh
