/// \file
/// Boundary nodes onto the true surface.
#pragma once

#include "mesh/mesh.hpp"
#include "mesh/round_surface.hpp"

namespace galerna::mesh {

/// \throws InputError where the mesh has no boundary of one of the names.
void check_boundary_names(const Mesh& mesh, const Snap& snap);

/// Moves the nodes of the boundaries' sides onto the surfaces, each to the nearest point; one of two boundaries onto
/// the surface of the later one. \param first nodes before this one stay
/// \throws InputError for nodes farther off their surface than their side is long, at its centre or on its axis
void snap_boundaries(Mesh& mesh, const Snap& snap, Index first);

}  // namespace galerna::mesh
