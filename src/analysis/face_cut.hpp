/// \file
/// The curves in which a plane cuts the sides of elements in space.
#pragma once

#include <vector>

#include "analysis/side_map.hpp"
#include "base/vectors.hpp"

namespace galerna::analysis {

/// A point of a side that lies in the plane.
struct CutPoint {
  basis::Point reference = {};  ///< in the reference shape of the side
  mesh::Point place = {};
  mesh::Point normal = {};  ///< unit, out of the fluid
  mesh::Point tangent =
      {};  ///< unit, along the curve, with the fluid on the left of who looks against the plane's normal
};

/// A piece of the curve within one side, in the direction of its tangents.
struct CutArc {
  mesh::Side side;
  std::vector<CutPoint> points;  ///< evenly spread; the first and the last lie on edges of the side
};

/// Pieces of the cut of a plane with sides of a mesh in space. The plane's distance is looked at on a lattice of three
/// intervals for each geometry order, so that curves which turn within fewer are not found; points are put
/// on the polynomial surface by Newton's method, to round-off.
/// \param points ≥ 2 of each piece
/// \param touching what lies in the plane counts as in front of it if false, as behind if true: one of the two finds
/// sides that end at the plane
std::vector<CutArc> cut_sides(const mesh::Mesh& mesh, const std::vector<mesh::Side>& sides, const Plane& plane,
                              int points, bool touching);

}  // namespace galerna::analysis
