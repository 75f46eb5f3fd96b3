/// \file
/// Incomplete elimination of matrices of dense blocks: block ILU(0) in which products of blocks change diagonal blocks
/// only (D-ILU: R. Barrett et al., Templates for the Solution of Linear Systems, SIAM 1994, section 3.4.2). Where no
/// three rows are coupled to one another, as elements in most meshes, this is block ILU(0); where the couplings are
/// those of lines, it is complete. Pivots are sought inside of diagonal blocks. Inverses are in single precision.
#pragma once

#include "kernels/algebra/items.hpp"
#include "kernels/layout.hpp"
#include "kernels/steady/arguments.hpp"

namespace galerna::kernels::steady {

/// Waits for the threads of a thread block, which share a row.
inline void barrier() {
#ifdef __CUDACC_RTC__
  __syncthreads();
#endif
}

/// f(i, j) for the entries of an n × m matrix.
template <class F>
void for_entries(int n, int m, const F& f) {
#ifdef __CUDACC_RTC__
  for (int e = thread_in_group(); e < n * m; e += group_threads()) f(e / m, e % m);
#else
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j) f(i, j);
#endif
}

/// Row of the entry of column k, at or below row k, that is largest.
inline int pivot_row(const double* a, int n, int k) {
  int best = k;
  double largest = abs(a[k * n + k]);
#ifdef __CUDACC_RTC__
  const int rank = threadIdx.x % algebra::warp_threads;
  for (int i = k + 1 + rank; i < n; i += algebra::warp_threads)
    if (abs(a[i * n + k]) > largest) {
      largest = abs(a[i * n + k]);
      best = i;
    }
  for (int distance = algebra::warp_threads / 2; distance > 0; distance /= 2) {
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

/// Takes row k, times what stands in column k, out of all other rows; that column stays.
inline void subtract_row(double* a, int n, int k) {
#ifdef __CUDACC_RTC__
  for_entries(n, n, [&](int i, int j) {
    if (i != k && j != k) a[i * n + j] -= a[i * n + k] * a[k * n + j];
  });
#else
  for (int i = 0; i < n; ++i) {
    if (i == k) continue;
    const double factor = a[i * n + k];
    for (int j = 0; j < n; ++j) a[i * n + j] -= factor * a[k * n + j];
    a[i * n + k] = factor;
  }
#endif
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
    subtract_row(a, n, k);
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
template <bool subtracts, class A, class B>
void multiply(int n, int m, int l, const A* a, const B* b, double* c) {
#ifdef __CUDACC_RTC__
  for_entries(n, l, [&](int i, int j) {
    double sum = 0;
    for (int k = 0; k < m; ++k) sum += double(a[i * m + k]) * double(b[k * l + j]);
    c[i * l + j] = subtracts ? c[i * l + j] - sum : sum;
  });
#else
  for (int i = 0; i < n; ++i) {
    for (int j = 0; !subtracts && j < l; ++j) c[i * l + j] = 0;
    for (int k = 0; k < m; ++k) {
      const double factor = subtracts ? -double(a[i * m + k]) : double(a[i * m + k]);
      for (int j = 0; j < l; ++j) c[i * l + j] += factor * double(b[k * l + j]);
    }
  }
#endif
}

/// Where block (row, column) begins, which there is.
inline std::int64_t block_at(const EliminationArguments& s, std::int64_t row, std::int64_t column) {
  std::int64_t k = s.begins[row];
  while (s.columns[k] != column) ++k;
  return s.offsets[k];
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
      const std::int64_t before = s.columns[k];
      if (s.places[before] >= s.places[row]) continue;
      const int m = algebra::size_of(s.rows, before);
      multiply<false>(m, m, n, s.inverses + s.squares[before], s.values + block_at(s, before, row), product);
      barrier();
      multiply<true>(n, m, n, s.values + s.offsets[k], product, present);
      barrier();
    }
    invert(present, n, a.pivots + worker * a.largest);
    float* inverse = s.inverses + s.squares[row];
    for_entries(n, n, [&](int r, int c) { inverse[r * n + c] = static_cast<float>(present[r * n + c]); });
    barrier();
  }
}

/// The columns of a row of a block that are a thread's: on the GPU a warp shares them.
template <class Pack>
float part_of_product(int columns, const float* values, const float* x) {
#ifdef __CUDACC_RTC__
  float sum = 0;
  for (int c = algebra::team_rank(); c < columns; c += algebra::team) sum += values[c] * x[c];
  return sum;
#else
  return algebra::dot<Pack>(columns, values, x);
#endif
}

/// f(r) for the rows of a block, a warp or a thread of the CPU each.
template <class F>
void for_rows(int rows, const F& f) {
  const int warp = thread_in_group() / algebra::team, warps = group_threads() / algebra::team;
  for (int r = warp; r < rows; r += warps) f(r);
}

/// work ← Σ A_(row, other) x_other over the rows that come before it, or after it. \return whether there are any
template <class Pack>
bool sum_products(const SweepArguments& a, std::int64_t row, bool before) {
  const EliminationArguments& s = a.elimination;
  const std::int64_t first = s.rows.first[row];
  bool any = false;
  for (std::int64_t k = s.begins[row]; k < s.begins[row + 1]; ++k)
    any |= s.columns[k] != row && (s.places[s.columns[k]] < s.places[row]) == before;
  for_rows(any ? algebra::size_of(s.rows, row) : 0, [&](int r) {
    float sum = 0;
    for (std::int64_t k = s.begins[row]; k < s.begins[row + 1]; ++k) {
      const std::int64_t other = s.columns[k];
      if (other == row || (s.places[other] < s.places[row]) != before) continue;
      const int m = algebra::size_of(s.rows, other);
      sum += part_of_product<Pack>(m, s.values + s.offsets[k] + std::int64_t(r) * m, a.x + s.rows.first[other]);
    }
    sum = float(algebra::sum_of_threads<algebra::team>(sum));
    if (algebra::team_rank() == 0) a.work[first + r] = sum;
  });
  barrier();
  return any;
}

/// f(r, number r of the inverse times `from`).
template <class Pack, class F>
void for_inverse(const EliminationArguments& s, std::int64_t row, const float* from, const F& f) {
  const int n = algebra::size_of(s.rows, row);
  const float* inverse = s.inverses + s.squares[row];
  for_rows(n, [&](int r) {
    float sum = part_of_product<Pack>(n, inverse + std::int64_t(r) * n, from);
    sum = float(algebra::sum_of_threads<algebra::team>(sum));
    if (algebra::team_rank() == 0) f(r, sum);
  });
}

/// Rows of a level of (D + L) y = r, where x holds r and then y.
template <class Pack>
void forward_rows(const SweepArguments& a, std::int64_t item) {
  const EliminationArguments& s = a.elimination;
  const std::int64_t row = s.sequence[a.begin + group_of(item)], first = s.rows.first[row];
  const bool any = sum_products<Pack>(a, row, true);
  for (int r = thread_in_group(); r < algebra::size_of(s.rows, row); r += group_threads())
    a.work[first + r] = any ? a.x[first + r] - a.work[first + r] : a.x[first + r];
  barrier();
  for_inverse<Pack>(s, row, a.work + first, [&](int r, float sum) { a.x[first + r] = sum; });
}

/// Rows of a level of (D + U) x = D y, where x holds y before.
template <class Pack>
void backward_rows(const SweepArguments& a, std::int64_t item) {
  const EliminationArguments& s = a.elimination;
  const std::int64_t row = s.sequence[a.begin + group_of(item)], first = s.rows.first[row];
  if (!sum_products<Pack>(a, row, false)) return;
  for_inverse<Pack>(s, row, a.work + first, [&](int r, float sum) { a.x[first + r] -= sum; });
}

}  // namespace galerna::kernels::steady
