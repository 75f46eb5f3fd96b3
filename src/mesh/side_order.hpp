/// \file
/// The order in which both elements of a face see its points: from the corner that precedes the others.
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

/// How a side is turned against the order in which both elements of its face count points: from the face's first
/// corner in that order towards the one of its two neighbours that precedes the other. In the plane 1 where the side
/// runs against it; in space 2 · (the first corner's number on the side) + (1 where the side goes from there the other
/// way round). Always 0 of simplices.
int side_orientation(const Mesh& mesh, const Side& side);

/// Whether a side in the plane, from its first corner to its second (base/shape.hpp), runs against that order.
inline bool is_reversed(const Mesh& mesh, const Side& side) {
  return side_orientation(mesh, side) != 0;
}

}  // namespace galerna::mesh
