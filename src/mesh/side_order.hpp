/// \file
/// The order in which both elements of a face see its points: from the corner that precedes the other one.
#pragma once

#include "mesh/mesh.hpp"

namespace galerna::mesh {

/// Order of nodes by (image, x, y, z): the same on both sides of a face, periodic or not. prepare() sorts the corners
/// of simplices by it, so that the sides of triangles run along it; those of other shapes may run against it.
inline bool precedes(const Mesh& mesh, Index a, Index b) {
  const auto at = [](Index n) { return static_cast<std::size_t>(n); };
  if (mesh.image[at(a)] != mesh.image[at(b)]) return mesh.image[at(a)] < mesh.image[at(b)];
  return mesh.nodes[at(a)] < mesh.nodes[at(b)];
}

/// Whether a side in the plane, from its first corner to its second (base/shape.hpp), runs against that order; never of
/// simplices, the sides of tetrahedra included.
inline bool is_reversed(const Mesh& mesh, const Side& side) {
  if (is_simplex(mesh.shape(side.element))) return false;
  const auto nodes = mesh.element_nodes(side.element);
  const auto ends = side_corners(mesh.shape(side.element), side.side);
  return precedes(mesh, nodes[static_cast<std::size_t>(ends[1])], nodes[static_cast<std::size_t>(ends[0])]);
}

}  // namespace galerna::mesh
