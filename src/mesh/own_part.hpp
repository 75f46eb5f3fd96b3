/// \file
/// A part of a mesh without the copies of others' elements: where it is cut, traces are exchanged.
#pragma once

#include <vector>

#include "mesh/mesh_part.hpp"

namespace galerna::mesh {

/// A side of an own element beyond which another rank's lies.
struct CutSide {
  Side side;      ///< of the part
  int rank = -1;  ///< whose element lies beyond it
};

struct OwnPart {
  /// As MeshPart::mesh, of the own elements. Faces are those whose elements are all own.
  Mesh mesh;
  std::vector<Index> whole;                ///< [element of the part] its number in the whole mesh
  std::vector<Index> whole_boundary_face;  ///< [boundary face of the part] its number in the whole mesh
  /// By the order of faces in the whole mesh: what two ranks have of each other is in the same order on both.
  std::vector<CutSide> cut;
};

OwnPart own_part(const MeshPart& part);

}  // namespace galerna::mesh
