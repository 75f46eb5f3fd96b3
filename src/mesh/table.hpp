/// \file
/// Small dense matrices of functions at points.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace galerna::mesh {

using Unit = std::array<double, 3>;  ///< lattice coordinates of a point

/// A dense matrix, [row][column].
struct Table {
  std::size_t rows = 0, columns = 0;
  std::vector<double> values;

  Table() = default;
  Table(std::size_t r, std::size_t c) : rows(r), columns(c), values(r * c, 0.0) {}
  double& operator()(std::size_t r, std::size_t c) { return values[r * columns + c]; }
  double operator()(std::size_t r, std::size_t c) const { return values[r * columns + c]; }
};

Table product(const Table& a, const Table& b);

/// \throws std::logic_error for a singular matrix.
Table inverse(Table a);

}  // namespace galerna::mesh
