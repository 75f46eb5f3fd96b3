/// \file
/// Where limiters of slopes find the elements and boundary faces around an element: by places in arrays of a set and of
/// its boundary faces. On a rank's part of a mesh, copies of others' lie behind those.
#pragma once

#include <cstdint>
#include <vector>

#include "dg/geometry/vertex_neighbours.hpp"
#include "dg/sides/face_set.hpp"

namespace galerna::dg {

class NeighbourPlaces {
 public:
  /// \param set all elements of the mesh, straight triangles or tetrahedra, and faces all of its faces
  /// \param part mesh::OwnPart::with_ghosts; null where the mesh is no part. All must outlive it.
  NeighbourPlaces(const mesh::Mesh& mesh, const ElementSet& set, const FaceSet& faces, const mesh::MeshPart* part);

  /// Places of all elements and of all boundary faces, with padding.
  std::int64_t elements() const { return set_.blocks.padded() + set_.copies; }
  std::int64_t boundary_faces() const;

  /// [element of the set][side] LimitArguments::neighbours
  std::vector<std::int32_t> beyond_sides() const;
  /// [element of the set][vertex][slot] LimitArguments::around \param slots at least so many
  VertexNeighbours around_vertices(bool with_boundary, int slots) const;
  /// So many at least.
  int vertex_slots(bool with_boundary) const;

  /// Places of elements that go to other ranks and come from them.
  std::vector<mesh::MeshPart::Link> elements_at_cuts() const;
  /// Places of boundary faces of the same elements.
  std::vector<mesh::MeshPart::Link> boundary_faces_at_cuts() const;

 private:
  const mesh::Mesh& seen() const { return part_ ? part_->mesh : mesh_; }
  /// Of elements and boundary faces of seen().
  std::int64_t place_of_element(mesh::Index element) const;
  std::int64_t place_of_face(mesh::Index face) const;

  const mesh::Mesh& mesh_;
  const ElementSet& set_;
  const FaceSet& faces_;
  const mesh::MeshPart* part_;
  std::vector<std::int64_t> lanes_;  ///< [boundary face of the mesh]
};

}  // namespace galerna::dg
