/// \file
/// Between the levels of a multigrid method.
#pragma once

#include "kernels/algebra/items.hpp"

namespace galerna::kernels::algebra {

/// to += P from
inline void prolongate(const TransferArguments& a, std::int64_t item) {
  for_own_unknowns(item, a.fine, [&](std::int64_t row, int r) {
    const std::int64_t parent = a.parents[row], first = a.coarse.first[parent];
    const int n = static_cast<int>(a.coarse.first[parent + 1] - first);
    const float* block = a.values + a.offsets[row] + r * n;
    float sum = 0;
    for (int c = 0; c < n; ++c) sum += block[c] * a.from[first + c];
    a.to[a.fine.first[row] + r] += sum;
  });
}

/// to = Pᵀ from
inline void restrict_residual(const TransferArguments& a, std::int64_t item) {
  for_own_unknowns(item, a.coarse, [&](std::int64_t row, int c) {
    const int n = static_cast<int>(a.coarse.first[row + 1] - a.coarse.first[row]);
    float sum = 0;
    for (std::int64_t k = a.first_children[row]; k < a.first_children[row + 1]; ++k) {
      const std::int64_t child = a.children[k], first = a.fine.first[child];
      const int rows = static_cast<int>(a.fine.first[child + 1] - first);
      const float* block = a.values + a.offsets[child];
      for (int r = 0; r < rows; ++r) sum += block[r * n + c] * a.from[first + r];
    }
    a.to[a.coarse.first[row] + c] = sum;
  });
}

}  // namespace galerna::kernels::algebra
