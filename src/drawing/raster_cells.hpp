/// \file
/// What rasters are made with: their cells, and triangles over these.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "basis/basis.hpp"
#include "drawing/raster.hpp"

namespace galerna::drawing {

/// The cell centres of a raster.
struct Cells {
  Window window;
  int columns, rows;
  double x(int column) const { return window.x0 + (column + 0.5) * window.width() / columns; }
  double y(int row) const { return window.y1 - (row + 0.5) * window.height() / rows; }

  /// First and one past the last column or row whose centre may lie between two coordinates.
  std::array<int, 2> columns_between(double low, double high) const {
    return range((low - window.x0) / window.width() * columns, (high - window.x0) / window.width() * columns, columns);
  }
  std::array<int, 2> rows_between(double low, double high) const {
    return range((window.y1 - high) / window.height() * rows, (window.y1 - low) / window.height() * rows, rows);
  }

 private:
  static std::array<int, 2> range(double low, double high, int count) {
    constexpr double margin = 1e-6;  // of a cell: a centre on a side must not be missed by both elements
    const double first = std::ceil(low - 0.5 - margin), last = std::floor(high - 0.5 + margin);
    return {static_cast<int>(std::clamp<double>(first, 0, count)),
            static_cast<int>(std::clamp<double>(last + 1, 0, count))};
  }
};

/// Inverse of the affine map of a straight triangle.
struct TriangleInverse {
  mesh::Point origin;
  double xx, xy, yx, yy;  // reference = matrix · (place − origin)

  TriangleInverse(const mesh::Point& a, const mesh::Point& b, const mesh::Point& c) : origin(a) {
    const double determinant = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
    xx = (c[1] - a[1]) / determinant;
    xy = -(c[0] - a[0]) / determinant;
    yx = -(b[1] - a[1]) / determinant;
    yy = (b[0] - a[0]) / determinant;
  }
  basis::Point operator()(double x, double y) const {
    const double dx = x - origin[0], dy = y - origin[1];
    return {xx * dx + xy * dy, yx * dx + yy * dy, 0};
  }
};

}  // namespace galerna::drawing
