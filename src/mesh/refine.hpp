/// \file
/// Uniform nested refinement.
#pragma once

#include "mesh/mesh.hpp"
#include "mesh/plane_curve.hpp"
#include "mesh/round_surface.hpp"

namespace galerna::mesh {

/// Divides every element `levels` times: triangles and quadrilaterals into 4, tetrahedra (inner octahedron along its
/// shortest diagonal), prisms and hexahedra into 8, pyramids into 6 pyramids and 4 tetrahedra. Child c of an element
/// contains its corner c; regions, boundary names and periodic images are inherited. ElementBlock::source counts the
/// children in the order of their parents: 4 · parent + child (8 · in space without pyramids).
///
/// Children have the geometry order of their parent, their nodes are values of its map. Sides, and elements but
/// pyramids, are then divided without a change of their shape: maps of children are the parent's, restricted. Inside
/// pyramids, whose maps are rational, children interpolate the parent's map. Nodes between elements are computed once.
/// \param mesh as it was read, before prepare() \param snap boundaries whose nodes move onto a surface after each
/// division (mesh/snap.hpp): of straight elements those that refinement makes \param curves in the plane: boundaries
/// whose new vertices lie on the curve, half way in its parameter between the ends of the side that they divide; they
/// stand before surfaces of the same boundary \throws InputError for unknown boundaries in `snap` or `curves`, more
/// than 20 levels, and what snap_boundaries() refuses
Mesh refine(const Mesh& mesh, int levels, const Snap& snap = {}, const Curves& curves = {});

}  // namespace galerna::mesh
