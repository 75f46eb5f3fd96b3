/// \file
/// How one element of each shape divides into smaller ones.
#pragma once

#include <utility>
#include <vector>

#include "base/shape.hpp"
#include "mesh/shared_nodes.hpp"

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

/// How an element of geometry order N divides into children of the same order. Nodes are those of the element of order
/// 2N: all nodes of all children are among them.
struct Division {
  Subdivision parts;
  std::vector<int> halves;                 ///< [node of the element of order 2] its number among those of order 2N
  std::vector<std::vector<int>> children;  ///< [child] all its nodes, in Gmsh's order
  std::vector<CornerWeights> corners;      ///< [node] between which of the element's corners it lies
  /// [node] nodes of the element and their weights in its map; one alone where the node is one of them
  std::vector<std::vector<std::pair<int, double>>> values;
};

Division make_division(Shape shape, int order, int diagonal = 0);

}  // namespace galerna::mesh
