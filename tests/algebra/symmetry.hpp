/// \file
/// Whether matrices are symmetric, and positive definite.
#pragma once

#include <algorithm>
#include <cmath>

#include "algebra/direct.hpp"
#include "base/index.hpp"

namespace galerna::algebra {

/// \param matrix symmetric
inline Definiteness definiteness(const BlockMatrix<double>& matrix) {
  return DirectSolver(matrix, DirectSolver::Kind::symmetric).definiteness();
}

/// max |A − Aᵀ| / max |A|. \param matrix of a symmetric pattern
inline double symmetry_defect(const BlockMatrix<double>& matrix) {
  const BlockPattern& pattern = matrix.pattern;
  double defect = 0, largest = 0;
  for (std::size_t i = 0; i < pattern.row_count(); ++i)
    for (std::int64_t k = pattern.rows[i]; k < pattern.rows[i + 1]; ++k) {
      const auto column = at(pattern.columns[at(k)]);
      const auto n = at(pattern.sizes[i]), m = at(pattern.sizes[column]);
      const double* block = matrix.values.data() + pattern.offsets[at(k)];
      const double* mirror =
          matrix.values.data() + pattern.offsets[at(find_block(pattern, column, static_cast<std::int32_t>(i)))];
      for (std::size_t r = 0; r < n; ++r)
        for (std::size_t c = 0; c < m; ++c) {
          largest = std::max(largest, std::abs(block[r * m + c]));
          defect = std::max(defect, std::abs(block[r * m + c] - mirror[c * n + r]));
        }
    }
  return largest > 0 ? defect / largest : 0;
}

}  // namespace galerna::algebra
