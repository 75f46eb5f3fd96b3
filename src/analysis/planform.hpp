/// \file
/// Sizes of a body as reference values of coefficients: what a wing's drawing would say.
#pragma once

#include <string>
#include <vector>

#include "mesh/mesh.hpp"

namespace galerna::analysis {

struct Planform {
  double area = 0;   ///< seen along `up`; 0 in the plane
  double chord = 0;  ///< mean aerodynamic chord ∫c² db / ∫c db; in the plane the largest distance of two corners
  double span = 0;   ///< 0 in the plane
  mesh::Point quarter = {};  ///< a quarter of the mean chord behind its leading edge, at its place along the span
};

/// Of some boundaries together, by the corners of their sides. The area is ½ ∫|n·up| dS, that of a body which every
/// line along `up` enters once. The chord c is the extent of the section at b, along the part of `stream` across `up`;
/// the span runs along up × stream. \param stream and \param up of any length, in different directions
Planform planform_of(const mesh::Mesh& mesh, const std::vector<std::string>& boundaries, const mesh::Point& stream,
                     const mesh::Point& up);

/// Those of some boundaries that close round bodies, alone or together: of a cylinder in a channel the cylinder. Where
/// their sides end at others, they are walls of a tunnel or of half a body.
std::vector<std::string> closed_boundaries(const mesh::Mesh& mesh, const std::vector<std::string>& boundaries);

}  // namespace galerna::analysis
