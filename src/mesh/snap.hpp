/// \file
/// Boundary nodes onto the true surface.
#pragma once

#include "mesh/mesh.hpp"
#include "mesh/round_surface.hpp"

namespace galerna::mesh {

/// \throws InputError where the mesh has no boundary of one of the names.
void check_boundary_names(const Mesh& mesh, const Snap& snap);

/// \throws InputError with the list of corners of the boundaries' sides that lie off their surface by more than
/// allowed_off_shape (mesh/surface.hpp). Boundaries that the mesh does not have, and circles in space, are left out.
void check_corners(const Mesh& mesh, const Snap& snap);

/// Moves the nodes of the boundaries' sides onto the surfaces, each to the nearest point; one of two boundaries onto
/// the surface of the later one.
///
/// Curved elements follow: the displacement of the sides is carried on into elements that touch them, to nothing on
/// sides that do not. It is built up degree by degree, as M. Lenoir does (SIAM J. Numer. Anal. 23 (1986) 562): to the
/// displacement of degree k − 1 the one of degree k is added that what it misses at the nodes of order k asks for
/// (mesh/blend.hpp). What is of degree k is then of the size h^k, and derivatives of maps of simplices decrease with h
/// as optimal interpolation asks. \param mesh as it was read, refined or raised, before prepare()
/// \param first nodes before this one stay where all elements are straight
/// \throws InputError for nodes farther off their surface than their side is long, at its centre or on its axis
void snap_boundaries(Mesh& mesh, const Snap& snap, Index first);

/// Raises the elements with an edge on one of the boundaries to geometry order `order`, 2 … 4 (in the plane 6), and
/// puts the boundaries onto the surfaces. All others stay straight. \param mesh straight, before prepare() \throws
/// InputError for other than straight elements, unknown boundaries, what snap_boundaries() refuses, and elements that
/// fold (the worst first)
Mesh curve(const Mesh& mesh, const Snap& snap, int order);

}  // namespace galerna::mesh
