/// \file
/// Straight elements of any shape split into triangles or tetrahedra.
#pragma once

#include <vector>

#include "mesh/mesh.hpp"

namespace galerna::mesh {

struct SplitMesh {
  Mesh mesh;                   ///< prepared
  std::vector<Index> parents;  ///< [element] the one that it was part of
};

/// Whether all elements are straight and some are neither triangles nor tetrahedra.
bool can_be_split(const Mesh& mesh);

/// Joins the lowest node of every element to the sides that do not have it, which are split in the same way: so
/// elements on both sides of a face cut it alike (pulling triangulation; C. W. Lee, F. Santos, Subdivisions and
/// triangulations of polytopes, in: Handbook of Discrete and Computational Geometry, 3rd ed., 2017). Quadrilaterals and
/// pyramids become two simplices, prisms three, hexahedra six. Physical groups and boundaries stay with them; the order
/// in the file (ElementBlock::source) is that of the parents, then of their parts.
/// \param mesh prepared \throws InputError for elements that are too distorted for it
SplitMesh split(const Mesh& mesh);

}  // namespace galerna::mesh
