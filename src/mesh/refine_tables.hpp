/// \file
/// How one element of each shape and geometry order divides into smaller ones.
#pragma once

#include <utility>
#include <vector>

#include "base/shape.hpp"
#include "mesh/shared_nodes.hpp"
#include "mesh/subdivision.hpp"

namespace galerna::mesh {

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
