/// \file
/// Two-dimensional solutions as grids of samples, in true high order.
#pragma once

#include "analysis/solution.hpp"
#include "drawing/raster.hpp"

namespace galerna::drawing {

/// Evaluates the field's polynomial at each cell centre inside the mesh. The cost is that of the cells, not of the
/// elements: elements that hold no centre are passed over.
Raster rasterize(const analysis::Solution& solution, int field, const Window& window, int columns, int rows);

}  // namespace galerna::drawing
