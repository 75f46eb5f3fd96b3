/// \file
/// What is in a mesh, and how good it is.
#pragma once

#include <string>

#include "mesh/mesh.hpp"

namespace galerna::mesh {

/// Extreme values over the elements, and where they are. Measures, diameters and aspects are those of the
/// straight-sided elements.
struct Quality {
  struct Extreme {
    double value = 0;
    Index element = -1;
  };
  Extreme smallest_measure, largest_measure;    ///< area or volume
  Extreme smallest_diameter, largest_diameter;  ///< see inscribed_diameter() in mesh/geometry.hpp
  Extreme worst_aspect;                         ///< see aspect() there
  Index curved = 0;                             ///< elements that are curved in truth, see is_curved()
  Extreme worst_jacobian;                       ///< smallest Validity::ratio() of the elements that can_certify() takes
  Extreme smallest_angle, largest_angle;  ///< dihedral_angles() of elements in space, degrees; no element in the plane
};

/// \param mesh with at least one element
Quality quality(const Mesh& mesh);

/// "12 of 40 elements …" for a mesh in which prepare() turned elements round; "" where there was nothing to turn.
std::string describe_turned(const Mesh& mesh);

/// Text of several lines: elements by shape and order, nodes, faces, boundaries, regions, bounding box, extreme
/// elements, periodicity, elements turned round. Works before and after prepare(); faces are counted only after it.
std::string describe(const Mesh& mesh);

}  // namespace galerna::mesh
