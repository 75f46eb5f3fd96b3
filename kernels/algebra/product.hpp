/// \file
/// Products of block CSR matrices and vectors, residuals, and steps of smoothers, which are residuals and more.
#pragma once

#include "kernels/algebra/items.hpp"

namespace galerna::kernels::algebra {

/// finish(unknown, number of the product) for the item's unknowns. On the GPU neighbouring threads share an unknown:
/// some the columns of a block, some the blocks. What a warp reads is then a few pieces of memory, whatever the sizes
/// of the blocks. \param skip whether the product is zero since x is \tparam Pack of the values' type
template <class Pack, class Finish>
void for_products(const ProductArguments& a, std::int64_t item, bool skip, const Finish& finish) {
  using Real = Scalar<Pack>;
  const auto* values = static_cast<const Real*>(a.values);
  const auto* x = static_cast<const Real*>(a.x);
#ifdef __CUDACC_RTC__
  const std::int64_t unknown = item / product_threads;
  const bool inside = unknown < a.rows.unknowns;
  const int thread = item % product_threads, step = a.column_threads, blocks = product_threads / step;
  Real sum = 0;
  if (inside && !skip) {
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
  if (inside && thread == 0) finish(unknown, sum);
#else
  auto* y = static_cast<Real*>(a.y);  // holds the sums
  const std::int64_t begin = a.rows.first[item];
  const int rows = static_cast<int>(a.rows.first[item + 1] - begin);
  for (int r = 0; r < rows; ++r) y[begin + r] = Real(0);
  for (std::int64_t k = a.begins[item]; k < a.begins[item + 1] && !skip; ++k) {
    const std::int64_t first = a.rows.first[a.columns[k]];
    const int n = static_cast<int>(a.rows.first[a.columns[k] + 1] - first);
    const Real* block = values + a.offsets[k];
    for (int r = 0; r < rows; ++r) y[begin + r] += dot<Pack>(n, block + r * n, x + first);
  }
  for (int r = 0; r < rows; ++r) finish(begin + r, y[begin + r]);
#endif
}

template <class Pack>
void product(const ProductArguments& a, std::int64_t item) {
  using Real = Scalar<Pack>;
  const auto* right = static_cast<const Real*>(a.right_hand_side);
  auto* y = static_cast<Real*>(a.y);
  for_products<Pack>(a, item, false, [&](std::int64_t i, Real sum) { y[i] = right ? right[i] - sum : sum; });
}

template <class Pack>
void smooth(const SmoothArguments& a, std::int64_t item) {
  const auto* right = static_cast<const float*>(a.product.right_hand_side);
  const auto* x = static_cast<const float*>(a.product.x);
  auto* y = static_cast<float*>(a.product.y);
  for_products<Pack>(a.product, item, a.from_zero != 0, [&](std::int64_t i, float sum) {
    const float direction = (a.begins ? 0 : a.old * a.direction[i]) + a.fresh * (right[i] - sum);
    a.direction[i] = direction;
    y[i] = (a.from_zero ? 0 : x[i]) + direction;
  });
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
