/// \file
/// Uniform nested refinement.
#pragma once

#include <map>
#include <string>

#include "mesh/mesh.hpp"
#include "mesh/plane_curve.hpp"

namespace galerna::mesh {

/// A circle in the plane z = constant; in space the cylinder along z.
struct Circle {
  Point centre{};
  double radius = 0;
};

/// Boundary name -> circle that nodes made on the boundary are moved onto, radially.
using Snap = std::map<std::string, Circle>;

/// Divides every element `levels` times: triangles and quadrilaterals into 4, tetrahedra (inner octahedron along its
/// shortest diagonal), prisms and hexahedra into 8. Child c of an element contains its corner c; regions, boundary
/// names and periodic images are inherited, ElementBlock::source becomes 4 · parent + child (8 · in space). \param mesh
/// as it was read, before prepare() \throws InputError for geometry orders above 1, pyramids, unknown boundaries in
/// `snap` or `curves`, more than 20 levels. \param curves in the plane: boundaries whose new vertices lie on the curve,
/// half way in its parameter between the ends of the side that they divide
Mesh refine(const Mesh& mesh, int levels, const Snap& snap = {}, const Curves& curves = {});

}  // namespace galerna::mesh
