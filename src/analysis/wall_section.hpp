/// \file
/// Sections of walls in space: the curves in which a plane cuts them, in order.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/face_cut.hpp"
#include "analysis/solution.hpp"
#include "analysis/wall_friction.hpp"

namespace galerna::analysis {

/// What x/c is measured along: 0 at the leading edge, 1 at the trailing edge.
struct Chord {
  mesh::Point leading = {}, trailing = {1, 0, 0};
};

struct SectionPoint {
  int part = 0;            ///< number of the connected piece of the section
  double s = 0;            ///< arc length from where the piece begins
  double chord_share = 0;  ///< x/c
  mesh::Side side;
  CutPoint at;
  // What set_values() sets:
  double pressure = 0;
  WallFriction::Value friction;
};

struct SectionSetup {
  Plane plane;
  mesh::Point stream = {1, 0, 0};  ///< not along the plane's normal
  std::optional<Chord> chord;      ///< else the extent of the section along the part of `stream` in the plane
  int points = 4;                  ///< on each face that is cut, its two ends among them
};

/// A section of a boundary in space; empty where the plane misses it. s grows with the fluid on the left of who looks
/// against the plane's normal, clockwise round a body. An open piece begins at the end that this direction begins at,
/// a closed one at the end of a face of largest x/c, where it ends, too; pieces are ordered by x/c of where they
/// begin. Neighbouring faces share a place, which is there twice, with the two values of a discontinuous
/// solution. Arc lengths are those of circles through neighbouring points with tangents that turn as much.
std::vector<SectionPoint> cut_boundary(const mesh::Mesh& mesh, const std::string& boundary, const SectionSetup& setup);

/// Pressure of the solution, and of viscous flows friction and heat.
void set_values(std::vector<SectionPoint>& section, const Solution& solution, WallFriction* friction);

}  // namespace galerna::analysis
