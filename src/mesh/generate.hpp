/// \file
/// Simple meshes without a mesh generator.
#pragma once

#include <array>

#include "mesh/mesh.hpp"

namespace galerna::mesh {

enum class CellStyle {
  triangles,         ///< two to a cell, all diagonals parallel
  random_triangles,  ///< two to a cell, diagonals chosen at random
  quadrilaterals
};

/// A grid of nx × ny cells over the rectangle between two corners, with the boundaries "left", "right", "bottom" and
/// "top". \param jitter moves interior nodes at random by up to this share of a cell's width and height, 0 … 0.2; the
/// same mesh each time \throws std::invalid_argument for nx or ny < 1, an empty rectangle, a jitter out of range
Mesh make_rectangle(Index nx, Index ny, std::array<double, 2> lower = {0, 0}, std::array<double, 2> upper = {1, 1},
                    CellStyle style = CellStyle::triangles, double jitter = 0);

}  // namespace galerna::mesh
