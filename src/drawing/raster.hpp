/// \file
/// Grids of samples and lines of two-dimensional solutions.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "mesh/mesh.hpp"

namespace galerna::drawing {

/// A rectangle of the x–y plane.
struct Window {
  double x0 = 0, x1 = 1, y0 = 0, y1 = 1;
  double width() const { return x1 - x0; }
  double height() const { return y1 - y0; }
};

/// The box around all nodes of the mesh.
Window window_of(const mesh::Mesh& mesh);

/// Samples at the centres of columns × rows equal cells of a window, the first row at the top (largest y).
struct Raster {
  int columns = 0, rows = 0;
  std::vector<double> values;         ///< [row][column], 0 where not covered; may be NaN where the solution is
  std::vector<std::uint8_t> covered;  ///< [row][column] 1 inside the mesh
  // Of pictures of space (drawing/space_raster.hpp), else empty:
  std::vector<float> shades;        ///< [row][column] brightness, 0 … 1
  std::vector<float> depths;        ///< [row][column] along the line of sight
  std::vector<std::uint8_t> lines;  ///< [row][column] 1 on a line of the mesh

  Raster() = default;
  /// Covered nowhere.
  Raster(int width, int height);

  /// Smallest and largest finite value; {0, 0} if there is none.
  std::array<double, 2> range() const;
};

struct Segment {
  double x0, y0, x1, y1;
};

}  // namespace galerna::drawing
