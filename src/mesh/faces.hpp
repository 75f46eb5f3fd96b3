/// \file
/// Finds which sides of the elements meet.
#pragma once

#include "mesh/mesh.hpp"

namespace galerna::mesh {

/// Builds Mesh::faces: sides with the same corners, then sides that are periodic images, then the boundary. Periodic
/// sides leave their boundaries, boundaries without sides are removed, sides without a name become the boundary "".
/// \param tolerance of periodic positions, a length
/// \throws InputError for sides that more than two elements share, and for triangles that meet a quadrilateral face.
void build_faces(Mesh& mesh, double tolerance);

/// Whether side b is side a moved by one translation, their corners being images of one another.
bool is_translated(const Mesh& mesh, const Side& a, const Side& b, double tolerance);

}  // namespace galerna::mesh
