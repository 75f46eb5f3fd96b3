/// \file
/// Refinement whose new vertices lie on the true shapes of walls.
#pragma once

#include "mesh/mesh.hpp"
#include "mesh/snap.hpp"
#include "mesh/surface.hpp"

namespace galerna::curving {

/// Divides all elements once (mesh/refine.hpp), and puts the new vertices of walls onto their shapes. \param mesh in
/// space or in the plane, straight \param snap further boundaries, whose new nodes move onto spheres and cylinders
/// \throws InputError as place_corners() and mesh::refine() do
mesh::Mesh refine_walls(const mesh::Mesh& mesh, const mesh::Surfaces& surfaces, const mesh::Snap& snap);

}  // namespace galerna::curving
