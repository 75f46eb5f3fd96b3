/// \file
/// What is seen in the cells of a raster, and its colours.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "analysis/solution.hpp"
#include "basis/basis.hpp"
#include "drawing/raster.hpp"

namespace galerna::drawing {

/// The place in an element that a cell shows.
struct Sight {
  mesh::Index position = -1;  ///< of the element in its block; −1: the cell shows nothing
  int block = 0;
  basis::Point reference = {};
};

/// Evaluates one field wherever something is seen, on all threads, and covers these cells.
/// \param sights [row][column]. \param place of a cell [row · columns + column] in space, for fields that depend on it
void sample(const analysis::Solution& solution, int field, const std::vector<Sight>& sights,
            const std::function<mesh::Point(std::size_t)>& place, Raster& raster);

}  // namespace galerna::drawing
