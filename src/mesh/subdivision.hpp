/// \file
/// How one element of each shape divides into smaller ones.
#pragma once

#include <utility>
#include <vector>

#include "base/shape.hpp"

namespace galerna::mesh {

/// Nodes are those of the element of order 2, in Gmsh's order: corners, edge midpoints, face and interior centres.
struct Subdivision {
  std::vector<Shape> shapes;                 ///< [child] the element's own; tetrahedra between those of a pyramid
  std::vector<std::vector<int>> children;    ///< [child] nodes at the child's corners
  std::vector<std::vector<int>> side_nodes;  ///< [side] nodes on the side
  std::vector<std::vector<std::pair<int, int>>> sides;  ///< [side] child and its side, for the parts of the side
};

/// The three inner diagonals of a tetrahedron's octahedron, as pairs of nodes; every other shape has one way only.
inline constexpr std::pair<int, int> tetrahedron_diagonals[3] = {{4, 8}, {5, 7}, {6, 9}};

/// \param diagonal index into tetrahedron_diagonals; 0 for other shapes. Children of the element's own shape stand
/// before others: a pyramid has six of them, one upside down below the highest, and four tetrahedra.
Subdivision make_subdivision(Shape shape, int diagonal = 0);

}  // namespace galerna::mesh
