/// \file
/// Which elements and boundary faces meet at each vertex.
#pragma once

#include <cstdint>
#include <vector>

#include "mesh/mesh.hpp"

namespace galerna::dg {

struct VertexNeighbours {
  int slots = 0;  ///< largest number of elements and boundary faces around a vertex
  /// [element][vertex][slot] elements, the element itself included, then −1 − boundary face; the first repeated to fill
  std::vector<std::int32_t> around;
};

/// Around a vertex are all elements that are reached by crossing sides which end there: across periodic boundaries too,
/// not across others.
/// The mesh is of triangles or of tetrahedra, prepared (mesh/prepare.hpp).
/// \param with_boundary whether boundary faces count
VertexNeighbours make_vertex_neighbours(const mesh::Mesh& mesh, bool with_boundary);

/// VertexNeighbours::slots alone, for less memory.
int vertex_slots(const mesh::Mesh& mesh, bool with_boundary);

}  // namespace galerna::dg
