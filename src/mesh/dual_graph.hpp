/// \file
/// Which elements, or polytopes of elements, touch: a graph whose edges weigh as much as what two have in common.
#pragma once

#include <vector>

#include "mesh/mesh.hpp"

namespace galerna::mesh {

/// Neighbours of node i are neighbours[starts[i]] … neighbours[starts[i + 1] − 1].
struct DualGraph {
  std::vector<Point> centres;     ///< [node] centroid, or mean of those of the nodes it was made of
  std::vector<Index> starts;      ///< [node + 1]
  std::vector<Index> neighbours;  ///< by increasing number
  std::vector<double> areas;      ///< [neighbour] length (in space area) of the common sides

  Index size() const { return static_cast<Index>(starts.size()) - 1; }
};

/// Length of a side that is an edge, area of one of three or four corners, straight-sided.
double side_area(const Mesh& mesh, const Side& side);

/// Elements and their common sides; periodic sides are none.
DualGraph dual_graph(const Mesh& mesh);

/// The parts of a graph as nodes of a coarser one. \param parts [node] 0 … count − 1
DualGraph contract(const DualGraph& graph, const std::vector<Index>& parts, Index count);

/// [node] its piece of the nodes with the same label that hang together; pieces are counted from 0 in the order of
/// their first nodes.
std::vector<Index> connected_pieces(const DualGraph& graph, const std::vector<Index>& labels);

}  // namespace galerna::mesh
