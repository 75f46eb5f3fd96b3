/// \file
/// Block tridiagonal systems along lines of elements, by elimination without a search for pivots among elements, with
/// one inside of their blocks. An element alone is a line. Inverses of what elimination makes of the diagonal blocks
/// are kept in single precision.
#pragma once

#include "kernels/algebra/items.hpp"
#include "kernels/layout.hpp"
#include "kernels/steady/arguments.hpp"

namespace galerna::kernels::steady {

/// Waits for the threads of a thread block, which share a line.
inline void barrier() {
#ifdef __CUDACC_RTC__
  __syncthreads();
#endif
}

/// f(row, sum of its products) for the rows of a matrix times a vector, a warp or a thread of the CPU each.
template <class Real, class F>
void for_products(int rows, int columns, const Real* matrix, const double* x, const F& f) {
  const int warp = thread_in_group() / algebra::team, warps = group_threads() / algebra::team,
            rank = thread_in_group() % algebra::team;
  for (int r = warp; r < rows; r += warps) {
    double sum = 0;
    for (int c = rank; c < columns; c += algebra::team) sum += static_cast<double>(matrix[r * columns + c]) * x[c];
    sum = algebra::sum_of_threads<algebra::team>(sum);
    if (rank == 0) f(r, sum);
  }
}

/// Row of the entry of column k, at or below row k, that is largest.
inline int pivot_row(const double* a, int n, int k) {
  int best = k;
  double largest = abs(a[k * n + k]);
#ifdef __CUDACC_RTC__
  const int rank = threadIdx.x % warpSize;
  for (int i = k + 1 + rank; i < n; i += warpSize)
    if (abs(a[i * n + k]) > largest) {
      largest = abs(a[i * n + k]);
      best = i;
    }
  for (int distance = warpSize / 2; distance > 0; distance /= 2) {
    const double other = __shfl_xor_sync(0xffffffffu, largest, distance);
    const int row = __shfl_xor_sync(0xffffffffu, best, distance);
    if (other > largest || (other == largest && row < best)) {
      largest = other;
      best = row;
    }
  }
#else
  for (int i = k + 1; i < n; ++i)
    if (abs(a[i * n + k]) > largest) {
      largest = abs(a[i * n + k]);
      best = i;
    }
#endif
  return best;
}

/// Swaps `count` numbers of two sequences, each number `stride` behind the one before.
inline void swap(double* a, double* b, int count, int stride) {
  for (int i = thread_in_group(); i < count; i += group_threads()) {
    const double keep = a[i * stride];
    a[i * stride] = b[i * stride];
    b[i * stride] = keep;
  }
}

/// a ← a⁻¹, by Gauss and Jordan with pivots by rows. \param rows [n] scratch
inline void invert(double* a, int n, int* rows) {
  const int first = thread_in_group(), stride = group_threads();
  for (int k = 0; k < n; ++k) {
    const int pivot = pivot_row(a, n, k);
    barrier();
    if (first == 0) rows[k] = pivot;
    if (pivot != k) swap(a + k * n, a + pivot * n, n, 1);
    barrier();
    const double diagonal = 1 / a[k * n + k];
    barrier();
    for (int j = first; j < n; j += stride) a[k * n + j] = j == k ? diagonal : a[k * n + j] * diagonal;
    barrier();
    for (int e = first; e < n * n; e += stride) {
      const int i = e / n, j = e % n;
      if (i != k && j != k) a[e] -= a[i * n + k] * a[k * n + j];
    }
    barrier();
    for (int i = first; i < n; i += stride)
      if (i != k) a[i * n + k] *= -diagonal;
    barrier();
  }
  for (int k = n - 1; k >= 0; --k) {
    if (rows[k] != k) swap(a + k, a + rows[k], n, n);
    barrier();
  }
}

/// c ← a b, or c ← c − a b. \param n, m, l a is n × m, b is m × l
template <bool subtracts>
void multiply(int n, int m, int l, const double* a, const double* b, double* c) {
  for (int e = thread_in_group(); e < n * l; e += group_threads()) {
    const int i = e / l, j = e % l;
    double sum = 0;
    for (int k = 0; k < m; ++k) sum += a[i * m + k] * b[k * l + j];
    c[e] = subtracts ? c[e] - sum : sum;
  }
}

/// Eliminates along the lines `worker`, `worker + workers`, …
inline void factor_lines(const LineFactorArguments& a, std::int64_t item) {
#ifdef __CUDACC_RTC__
  const std::int64_t worker = item / blockDim.x;
#else
  const std::int64_t worker = item;
#endif
  const LineArguments& s = a.lines;
  const std::int64_t square = std::int64_t(a.largest) * a.largest;
  double* present = a.scratch + worker * 3 * square;
  double *last = present + square, *product = last + square;
  int* rows = a.pivots + worker * a.largest;
  for (std::int64_t line = worker; line < s.count; line += a.workers) {
    for (std::int64_t k = s.begins[line]; k < s.begins[line + 1]; ++k) {
      const std::int64_t row = s.elements[k];
      const int n = algebra::size_of(s.rows, row);
      const double* diagonal = a.values + s.diagonals[row];
      for (int e = thread_in_group(); e < n * n; e += group_threads())
        present[e] = diagonal[e] + (e / n == e % n ? a.shift : 0);
      barrier();
      if (k > s.begins[line]) {
        const std::int64_t before = s.elements[k - 1];
        const int m = algebra::size_of(s.rows, before);
        multiply<false>(m, m, n, last, a.values + s.upper[before], product);
        barrier();
        multiply<true>(n, m, n, a.values + s.lower[row], product, present);
        barrier();
      }
      invert(present, n, rows);
      float* inverse = s.inverses + s.squares[row];
      for (int e = thread_in_group(); e < n * n; e += group_threads()) {
        inverse[e] = static_cast<float>(present[e]);
        last[e] = present[e];
      }
      barrier();
    }
  }
}

/// Solves along a line: to ← what the line's matrix maps to `from`.
inline void solve_lines(const LineSolveArguments& a, std::int64_t item) {
#ifdef __CUDACC_RTC__
  const std::int64_t line = item / blockDim.x;
#else
  const std::int64_t line = item;
#endif
  const LineArguments& s = a.lines;
  if (line >= s.count) return;
  const std::int64_t begin = s.begins[line], end = s.begins[line + 1];
  for (std::int64_t k = begin; k < end; ++k) {
    const std::int64_t row = s.elements[k], first = s.rows.first[row];
    const int n = algebra::size_of(s.rows, row);
    if (k == begin) {
      for (int i = thread_in_group(); i < n; i += group_threads()) a.work[first + i] = a.from[first + i];
    } else {
      const std::int64_t before = s.elements[k - 1];
      for_products(n, algebra::size_of(s.rows, before), a.values + s.lower[row], a.to + s.rows.first[before],
                   [&](int r, double sum) { a.work[first + r] = a.from[first + r] - sum; });
    }
    barrier();
    for_products(n, n, s.inverses + s.squares[row], a.work + first, [&](int r, double sum) { a.to[first + r] = sum; });
    barrier();
  }
  for (std::int64_t k = end - 2; k >= begin; --k) {
    const std::int64_t row = s.elements[k], first = s.rows.first[row], after = s.elements[k + 1];
    const int n = algebra::size_of(s.rows, row);
    for_products(n, algebra::size_of(s.rows, after), a.values + s.upper[row], a.to + s.rows.first[after],
                 [&](int r, double sum) { a.work[first + r] = sum; });
    barrier();
    for_products(n, n, s.inverses + s.squares[row], a.work + first, [&](int r, double sum) { a.to[first + r] -= sum; });
    barrier();
  }
}

}  // namespace galerna::kernels::steady
