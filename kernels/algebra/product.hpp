/// \file
/// Products of block CSR matrices and vectors, and residuals.
#pragma once

#include "kernels/algebra/items.hpp"

namespace galerna::kernels::algebra {

/// On the GPU neighbouring threads share a number of the result: some the columns of a block, some the blocks. What a
/// warp reads is then a few pieces of memory, whatever the sizes of the blocks. \tparam Pack of the values' type
template <class Pack>
void product(const ProductArguments& a, std::int64_t item) {
  using Real = Scalar<Pack>;
  const auto* values = static_cast<const Real*>(a.values);
  const auto* right = static_cast<const Real*>(a.right_hand_side);
  const auto* x = static_cast<const Real*>(a.x);
  auto* y = static_cast<Real*>(a.y);
#ifdef __CUDACC_RTC__
  const std::int64_t unknown = item / product_threads;
  const bool inside = unknown < a.rows.unknowns;
  const int thread = item % product_threads, step = a.column_threads, blocks = product_threads / step;
  Real sum = 0;
  if (inside) {
    const std::int64_t row = a.rows.row_of[unknown];
    const int r = unknown - a.rows.first[row];
    for (std::int64_t k = a.begins[row] + thread / step; k < a.begins[row + 1]; k += blocks) {
      const std::int64_t column = a.columns[k], first = a.rows.first[column];
      const int n = a.rows.first[column + 1] - first;
      const Real* block = values + a.offsets[k] + r * n;
      for (int c = thread % step; c < n; c += step) sum += block[c] * x[first + c];
    }
  }
  sum = Real(sum_of_threads<product_threads>(sum));
  if (inside && thread == 0) y[unknown] = right ? right[unknown] - sum : sum;
#else
  const std::int64_t begin = a.rows.first[item];
  const int rows = static_cast<int>(a.rows.first[item + 1] - begin);
  const Real sign = right ? Real(-1) : Real(1);
  for (int r = 0; r < rows; ++r) y[begin + r] = right ? right[begin + r] : Real(0);
  for (std::int64_t k = a.begins[item]; k < a.begins[item + 1]; ++k) {
    const std::int64_t first = a.rows.first[a.columns[k]];
    const int n = static_cast<int>(a.rows.first[a.columns[k] + 1] - first);
    const Real* block = values + a.offsets[k];
    for (int r = 0; r < rows; ++r) y[begin + r] += sign * dot<Pack>(n, block + r * n, x + first);
  }
#endif
}

/// A row of the result is shared by a warp.
template <class Pack>
void dense_product(const DenseArguments& a, std::int64_t item) {
#ifdef __CUDACC_RTC__
  const std::int64_t row = item / warp_threads;
  float sum = 0;
  if (row < a.size)
    for (std::int64_t c = team_rank(); c < a.size; c += team) sum += a.matrix[row * a.size + c] * a.x[c];
  sum = float(sum_of_threads<warp_threads>(sum));
  if (row < a.size && team_rank() == 0) a.y[row] = sum;
#else
  a.y[item] = dot<Pack>(static_cast<int>(a.size), a.matrix + item * a.size, a.x);
#endif
}

}  // namespace galerna::kernels::algebra
