/// \file
/// The element types of Gmsh's MSH format.
#pragma once

#include <optional>
#include <string>

#include "base/shape.hpp"

namespace galerna::mesh {

struct GmshElement {
  Shape shape;
  int order;  ///< geometry order, 1 … 6
};

/// The highest geometry order that is read.
inline constexpr int highest_gmsh_order = 6;

/// What Gmsh's type number `type` means; nothing for types that are not read.
/// Numbers as in the Gmsh reference manual, "MSH file format", and in Gmsh's GmshDefines.h.
std::optional<GmshElement> gmsh_element(int type);

/// Gmsh's type number of the complete element of the shape and order (1 … 6).
int gmsh_type(Shape shape, int order);

/// What the type is and how to avoid it, for a type that gmsh_element does not know.
std::string refuse_gmsh_type(int type);

}  // namespace galerna::mesh
