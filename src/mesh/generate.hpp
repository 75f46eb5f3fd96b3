/// \file
/// Simple meshes without a mesh generator, for tests and benchmarks.
#pragma once

#include <array>
#include <functional>

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

/// A grid of cells[0] × cells[1] × cells[2] cubes over the box from the origin to `upper`, with the boundaries "left",
/// "right" (x), "front", "back" (y), "bottom", "top" (z). Each is one hexahedron, two prisms that stand on the bottom,
/// six pyramids around its centre, or six tetrahedra along one of its diagonals (Kuhn's triangulation). \param jitter
/// moves interior nodes at random by up to this share of a cell's widths, 0 … 0.1; the same mesh each time \throws
/// std::invalid_argument for no cells, an empty box, a jitter out of range, shapes that are not solids
Mesh make_box(std::array<Index, 3> cells, Point upper = {1, 1, 1}, double jitter = 0, Shape shape = Shape::tetrahedron);

/// Moves every node; the connectivity stays. For example a rectangle bent into an annulus.
void transform(Mesh& mesh, const std::function<Point(const Point&)>& map);

}  // namespace galerna::mesh
