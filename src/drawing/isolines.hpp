/// \file
/// Lines of two-dimensional solutions, in true high order.
#pragma once

#include <vector>

#include "analysis/solution.hpp"
#include "drawing/raster.hpp"

namespace galerna::drawing {

/// Lines on which the field has one of the `levels` (ascending): marching triangles on a subdivision of each element
/// that is fine enough for its degree and for lines drawn with `pixel` units of x a pixel. Elements outside the window
/// are left out. A solution of degree 0, constant in each element, has none.
std::vector<Segment> isolines(const analysis::Solution& solution, int field, const std::vector<double>& levels,
                              const Window& window, double pixel);

/// Sides of the elements, curved ones as several segments: all of them, or only those on the boundary (which needs
/// Mesh::faces).
std::vector<Segment> mesh_lines(const mesh::Mesh& mesh, bool boundary_only, const Window& window);

}  // namespace galerna::drawing
