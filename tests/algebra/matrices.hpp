/// \file
/// Matrices for the tests of the room, and what is simple to say of them.
#pragma once

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "algebra/block_matrix.hpp"

namespace galerna::algebra {

/// Five-point Laplacian (4, −1) with h = 1 of an n × n grid whose cells are the block rows, each of two unknowns that
/// are coupled by [2 1; 1 2] ⊗; sizes alternate between two and three where `mixed`. Symmetric and positive definite
/// for shift ≥ 0: shift is added to the diagonal.
inline BlockMatrix<double> grid_matrix(int n, bool mixed = false, double shift = 0) {
  BlockMatrix<double> matrix;
  BlockPattern& pattern = matrix.pattern;
  for (int i = 0; i < n * n; ++i) pattern.sizes.push_back(mixed ? 2 + i % 2 : 2);
  pattern.rows = {0};
  const auto coupling = [](int r, int c) { return r == c ? 2.0 : 1.0 / (1 + std::abs(r - c)); };
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x) {
      const int row = y * n + x;
      for (const auto& [dx, dy] : {std::pair(0, -1), {-1, 0}, {0, 0}, {1, 0}, {0, 1}}) {
        if (x + dx < 0 || x + dx >= n || y + dy < 0 || y + dy >= n) continue;
        const int column = row + dy * n + dx;
        pattern.columns.push_back(column);
        const int rows = pattern.sizes[static_cast<std::size_t>(row)],
                  columns = pattern.sizes[static_cast<std::size_t>(column)];
        for (int r = 0; r < rows; ++r)
          for (int c = 0; c < columns; ++c)
            matrix.values.push_back((column == row ? 4 : -1) * coupling(r, c) + (column == row && r == c ? shift : 0));
      }
      pattern.rows.push_back(static_cast<std::int64_t>(pattern.columns.size()));
    }
  set_offsets(pattern);
  return matrix;
}

inline std::vector<double> random_numbers(std::size_t count, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<double> numbers(count);
  for (double& number : numbers) number = uniform(random);
  return numbers;
}

inline std::size_t unknowns(const BlockMatrix<double>& matrix) {
  return static_cast<std::size_t>(first_unknowns(matrix.pattern.sizes).back());
}

inline std::vector<double> product(const BlockMatrix<double>& matrix, const std::vector<double>& x) {
  std::vector<double> y(x.size());
  multiply<double>(matrix, x, y);
  return y;
}

inline double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = a.size() == b.size() ? 0 : INFINITY;
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

}  // namespace galerna::algebra
