/// \file
/// Uniform nested refinement.
#pragma once

#include <map>
#include <string>

#include "mesh/mesh.hpp"

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
/// `snap`, more than 20 levels.
Mesh refine(const Mesh& mesh, int levels, const Snap& snap = {});

}  // namespace galerna::mesh
