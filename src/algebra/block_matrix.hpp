/// \file
/// Square sparse matrices of dense blocks of different sizes, by rows (block CSR).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace galerna::algebra {

/// Which blocks there are. Block row i has sizes[i] unknowns; its blocks are rows[i] … rows[i + 1] − 1, by increasing
/// column. Block k of row i is stored by rows, sizes[i] × sizes[columns[k]] numbers from offsets[k] on.
struct BlockPattern {
  std::vector<int> sizes;             ///< [block row]
  std::vector<std::int64_t> rows;     ///< [block row + 1]
  std::vector<std::int32_t> columns;  ///< [block]
  std::vector<std::int64_t> offsets;  ///< [block + 1], the last one is the number of values

  std::size_t row_count() const { return sizes.size(); }
  std::int64_t value_count() const { return offsets.empty() ? 0 : offsets.back(); }
};

/// [block row + 1] first unknown of the row; the last one is the number of unknowns.
std::vector<std::int64_t> first_unknowns(std::span<const int> sizes);

/// Fills in `offsets` from the rest.
void set_offsets(BlockPattern& pattern);

/// The block of row `row` and column `column`, −1 where there is none.
std::int64_t find_block(const BlockPattern& pattern, std::size_t row, std::int32_t column);

template <class Real>
struct BlockMatrix {
  BlockPattern pattern;
  std::vector<Real> values;
};

/// y = A x. \param x, y by unknowns, block row after block row; not the same memory
template <class Real>
void multiply(const BlockMatrix<Real>& matrix, std::span<const Real> x, std::span<Real> y);

}  // namespace galerna::algebra
