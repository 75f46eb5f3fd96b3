/// \file
/// Pictures of space as grids of samples, in true high order, with what is hidden left out.
#pragma once

#include <vector>

#include "analysis/solution.hpp"
#include "drawing/scene.hpp"

namespace galerna::drawing {

/// \param line width of lines of the mesh, in cells; 0: none
Raster rasterize(const analysis::Solution& solution, int field, const Scene& scene, const Window& window, int columns,
                 int rows, double line);

/// Lines on which the raster's values are one of the levels, by marching squares between cells that are covered and
/// beside each other in space.
std::vector<Segment> raster_isolines(const Raster& raster, const Window& window, const std::vector<double>& levels);

}  // namespace galerna::drawing
