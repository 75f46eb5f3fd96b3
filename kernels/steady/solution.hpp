/// \file
/// Solutions with an incomplete elimination (elimination.hpp) on GPUs, in one launch. Thread blocks take the rows in
/// the order of elimination, each every so many. A row begins as soon as those that it is coupled to have ended: their
/// numbers travel with the count of the solution (counted_number.hpp). What a row reads of the matrix is fetched while
/// it waits.
#pragma once

#include "kernels/counted_number.hpp"
#include "kernels/fetch_line.hpp"
#include "kernels/steady/dense_blocks.hpp"

namespace galerna::kernels::steady {

#ifdef __CUDACC_RTC__

extern __shared__ float solution_memory[];

/// Numbers of a product that a warp finds together, and loads of each that are on their way from memory together.
constexpr int rows_at_once = 4, loads_at_once = 3;

/// f(first row of those that a warp takes at once), of n in all.
template <class F>
void for_warp_rows(int n, const F& f) {
  const int warps = group_threads() / algebra::team;
  for (int r = thread_in_group() / algebra::team * rows_at_once; r < n; r += warps * rows_at_once) f(r);
}

/// sums[q] += number first + q of the product of an n × m matrix and x: the share of a thread.
inline void add_products(const float* values, int n, int m, int first, const float* x, float (&sums)[rows_at_once]) {
  constexpr int step = algebra::team * loads_at_once;
  const float* row = values + std::int64_t(first) * m;
  for (int begin = algebra::team_rank(); begin < m; begin += step) {
    float loaded[rows_at_once][loads_at_once];
#pragma unroll
    for (int q = 0; q < rows_at_once; ++q)
#pragma unroll
      for (int u = 0; u < loads_at_once; ++u) {
        const int c = begin + u * algebra::team;
        loaded[q][u] = first + q < n && c < m ? row[q * m + c] : 0;
      }
#pragma unroll
    for (int u = 0; u < loads_at_once; ++u) {
      const int c = begin + u * algebra::team;
      const float factor = c < m ? x[c] : 0;
#pragma unroll
      for (int q = 0; q < rows_at_once; ++q) sums[q] += loaded[q][u] * factor;
    }
  }
}

/// f(r, sum) for the rows of which `sums` are the threads' shares.
template <class F>
void with_sums(int n, int first, float (&sums)[rows_at_once], const F& f) {
#pragma unroll
  for (int q = 0; q < rows_at_once; ++q) {
#pragma unroll
    for (int distance = algebra::team / 2; distance > 0; distance /= 2)
      sums[q] += __shfl_xor_sync(0xffffffffu, sums[q], distance);
    if (algebra::team_rank() == 0 && first + q < n) f(first + q, sums[q]);
  }
}

/// Asks for `count` numbers from memory.
inline void fetch(const float* values, std::int64_t count) {
  constexpr int line = 32;
  for (std::int64_t i = std::int64_t(thread_in_group()) * line; i < count; i += std::int64_t(group_threads()) * line)
    fetch_line(values + i);
}

/// A row of (D + L) y = r, or of (D + U) x = D y.
template <bool forward>
void solve_row(const SolveArguments& a, const RowOfSolution& row) {
  float *own = solution_memory, *work = own + a.largest, *others = work + a.largest;
  const CoupledRow* coupled = a.coupled + row.coupled + (forward ? 0 : row.before);
  const int n = row.size, count = forward ? row.before : row.after;
  if (a.fetches) {
    for (int k = 0; k < count; ++k) fetch(a.values + coupled[k].values, std::int64_t(n) * coupled[k].size);
    fetch(a.inverses + row.inverse, std::int64_t(n) * n);
  }
  for (int r = thread_in_group(); r < n; r += group_threads())
    own[r] = forward ? float(a.right[row.first + r]) : await(a.forward[row.first + r], a.count);
  for (int k = 0, found = 0; k < count; found += coupled[k++].size)
    for (int i = thread_in_group(); i < coupled[k].size; i += group_threads())
      others[found + i] = await((forward ? a.forward : a.backward)[coupled[k].first + i], a.count);
  barrier();
  for_warp_rows(n, [&](int first) {
    float sums[rows_at_once] = {};
    for (int k = 0, found = 0; k < count; found += coupled[k++].size)
      add_products(a.values + coupled[k].values, n, coupled[k].size, first, others + found, sums);
    with_sums(n, first, sums, [&](int r, float sum) { work[r] = forward ? own[r] - sum : sum; });
  });
  barrier();
  for_warp_rows(n, [&](int first) {
    float sums[rows_at_once] = {};
    add_products(a.inverses + row.inverse, n, n, first, work, sums);
    with_sums(n, first, sums, [&](int r, float sum) {
      const float x = forward ? sum : own[r] - sum;
      send((forward ? a.forward : a.backward)[row.first + r], x, a.count);
      if (!forward) a.x[row.first + r] = x;
    });
  });
  barrier();
}

/// All thread blocks must run at once: they wait for one another.
inline void solve(const SolveArguments& a) {
  for (std::int64_t i = blockIdx.x; i < a.rows; i += gridDim.x) solve_row<true>(a, a.sequence[i]);
  for (std::int64_t i = a.rows - 1 - blockIdx.x; i >= 0; i -= gridDim.x) solve_row<false>(a, a.sequence[i]);
}

#endif

}  // namespace galerna::kernels::steady
