/// \file
/// Incomplete elimination of matrices of dense blocks: block ILU(0) in which products of blocks change diagonal blocks
/// only (D-ILU: R. Barrett et al., Templates for the Solution of Linear Systems, SIAM 1994, section 3.4.2). Where no
/// three rows are coupled to one another, as elements in most meshes, this is block ILU(0); where the couplings are
/// those of lines, it is complete. Pivots are sought inside of diagonal blocks. Inverses are in single precision.
#pragma once

#include "kernels/steady/dense_blocks.hpp"

namespace galerna::kernels::steady {

/// Where block (row, column) begins, which there is.
inline std::int64_t block_at(const EliminationArguments& s, std::int64_t row, std::int64_t column) {
  std::int64_t k = s.begins[row];
  while (s.columns[k] != column) ++k;
  return s.offsets[k];
}

/// Whether block k of a row couples it to one that is eliminated before it, or after it.
inline bool is_coupled(const EliminationArguments& s, std::int64_t k, std::int64_t row, bool before) {
  const std::int64_t other = s.columns[k];
  return other != row && (s.places[other] < s.places[row]) == before;
}

/// The worker or row of a thread block; of the CPU the item.
inline std::int64_t group_of(std::int64_t item) {
#ifdef __CUDACC_RTC__
  return item / blockDim.x;
#else
  return item;
#endif
}

/// Eliminates rows `worker`, `worker + workers`, … of a level.
inline void factor_rows(const FactorRowsArguments& a, std::int64_t item) {
  const EliminationArguments& s = a.elimination;
  const std::int64_t worker = group_of(item), square = std::int64_t(a.largest) * a.largest;
  double *present = a.scratch + worker * 2 * square, *product = present + square;
  for (std::int64_t i = worker; i < a.count; i += a.workers) {
    const std::int64_t row = s.sequence[a.begin + i];
    const int n = algebra::size_of(s.rows, row);
    const float* diagonal = s.values + block_at(s, row, row);
    for_entries(n, n, [&](int r, int c) { present[r * n + c] = double(diagonal[r * n + c]) + (r == c ? a.shift : 0); });
    barrier();
    for (std::int64_t k = s.begins[row]; k < s.begins[row + 1]; ++k) {
      if (!is_coupled(s, k, row, true)) continue;
      const std::int64_t before = s.columns[k];
      const int m = algebra::size_of(s.rows, before);
      multiply(Product<float, float>{m, m, n, s.inverses + s.squares[before], m, s.values + block_at(s, before, row),
                                     product, 0, 1});
      barrier();
      multiply(Product<float, double>{n, m, n, s.values + s.offsets[k], m, product, present, 1, -1});
      barrier();
    }
    invert(present, n, a.pivots + worker * a.largest, product, s.inverses + s.squares[row]);
  }
}

#ifndef __CUDACC_RTC__

/// work ← Σ A_(row, other) x_other over the rows that come before it, or after it. \return whether there are any
template <class Pack>
bool sum_products(const SweepArguments& a, std::int64_t row, bool before) {
  const EliminationArguments& s = a.elimination;
  float* work = a.work + s.rows.first[row];
  bool any = false;
  for (std::int64_t k = s.begins[row]; k < s.begins[row + 1]; ++k) any |= is_coupled(s, k, row, before);
  for (int r = 0; any && r < algebra::size_of(s.rows, row); ++r) {
    work[r] = 0;
    for (std::int64_t k = s.begins[row]; k < s.begins[row + 1]; ++k) {
      if (!is_coupled(s, k, row, before)) continue;
      const int m = algebra::size_of(s.rows, s.columns[k]);
      work[r] += algebra::dot<Pack>(m, s.values + s.offsets[k] + std::int64_t(r) * m, a.x + s.rows.first[s.columns[k]]);
    }
  }
  return any;
}

/// Number r of a row's inverse times `from`.
template <class Pack>
float by_inverse(const EliminationArguments& s, std::int64_t row, int r, const float* from) {
  const int n = algebra::size_of(s.rows, row);
  return algebra::dot<Pack>(n, s.inverses + s.squares[row] + std::int64_t(r) * n, from);
}

/// A row of a level of (D + L) y = r, where x holds r and then y.
template <class Pack>
void forward_rows(const SweepArguments& a, std::int64_t item) {
  const EliminationArguments& s = a.elimination;
  const std::int64_t row = s.sequence[a.begin + item], first = s.rows.first[row];
  const int n = algebra::size_of(s.rows, row);
  float *x = a.x + first, *work = a.work + first;
  const bool any = sum_products<Pack>(a, row, true);
  for (int r = 0; r < n; ++r) work[r] = any ? x[r] - work[r] : x[r];
  for (int r = 0; r < n; ++r) x[r] = by_inverse<Pack>(s, row, r, work);
}

/// A row of a level of (D + U) x = D y, where x holds y before.
template <class Pack>
void backward_rows(const SweepArguments& a, std::int64_t item) {
  const EliminationArguments& s = a.elimination;
  const std::int64_t row = s.sequence[a.begin + item], first = s.rows.first[row];
  if (!sum_products<Pack>(a, row, false)) return;
  for (int r = 0; r < algebra::size_of(s.rows, row); ++r) a.x[first + r] -= by_inverse<Pack>(s, row, r, a.work + first);
}

#endif

}  // namespace galerna::kernels::steady
