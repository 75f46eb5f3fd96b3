/// \file
/// Which elements and boundary faces meet at each vertex.
#pragma once

#include <cstdint>
#include <vector>

#include "mesh/mesh_part.hpp"

namespace galerna::dg {

struct VertexNeighbours {
  int slots = 0;  ///< at least the largest number of elements and boundary faces around a vertex
  /// [element][vertex][slot] elements, the element itself included, then −1 − boundary face; the first repeated to fill
  std::vector<std::int32_t> around;
};

/// Around a vertex are all elements that are reached by crossing sides which end there: across periodic boundaries too,
/// not across others.
/// The mesh is of triangles or of tetrahedra, prepared (mesh/prepare.hpp).
/// \param with_boundary whether boundary faces count \param part whose mesh it is (mesh::OwnPart::with_ghosts), or
/// null: what is around a vertex has the order of the whole mesh \param least_slots of the result
VertexNeighbours make_vertex_neighbours(const mesh::Mesh& mesh, bool with_boundary,
                                        const mesh::MeshPart* part = nullptr, int least_slots = 0);

/// VertexNeighbours::slots alone, for less memory.
int vertex_slots(const mesh::Mesh& mesh, bool with_boundary);

}  // namespace galerna::dg
