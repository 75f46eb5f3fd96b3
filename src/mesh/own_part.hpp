/// \file
/// A part of a mesh, by its own elements: where it is cut, numbers are exchanged.
#pragma once

#include <optional>
#include <vector>

#include "mesh/mesh_part.hpp"

namespace galerna::mesh {

/// A side of an own element beyond which another rank's lies.
struct CutSide {
  Side side;      ///< of the part
  int rank = -1;  ///< whose element lies beyond it
};

/// Elements at cuts come first in each block, so that others can be computed while numbers cross the cuts.
struct OuterFirst {
  Index together = 1;  ///< so many elements in the order of the block go to the front together
  Index unit = 1;      ///< a multiple of it goes there: others fill it up
};

struct OwnPart {
  /// As MeshPart::mesh, of the own elements. Faces are those whose elements are all own.
  Mesh mesh;
  /// [block] so many elements are outer, and come first: all with a side at a cut are among them. All elements are
  /// where they keep the order of the whole mesh. Outer elements, and all others, have that order among themselves.
  std::vector<Index> outer;
  std::vector<Index> whole;                ///< [element of the part] its number in the whole mesh
  std::vector<Index> whole_boundary_face;  ///< [boundary face of the part] its number in the whole mesh
  /// By the order of faces in the whole mesh: what two ranks have of each other is in the same order on both.
  std::vector<CutSide> cut;
  /// The part with copies of others' elements, for those who look at neighbours; null: not asked for. The own elements
  /// of a block come first, in the order that they have above, and so do own boundary faces. All faces are in its mesh;
  /// MeshPart::ghost_faces is empty.
  std::optional<MeshPart> with_ghosts;
};

/// \param order null: elements keep the order of the whole mesh
/// \param keeps_ghosts whether with_ghosts is wanted
OwnPart own_part(const MeshPart& part, const std::optional<OuterFirst>& order = {}, bool keeps_ghosts = false);

}  // namespace galerna::mesh
