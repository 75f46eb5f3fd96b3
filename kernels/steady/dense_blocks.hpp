/// \file
/// Products and inverses of dense matrices in double precision, stored by rows: by the threads of a thread block
/// together, or by one thread of the CPU.
#pragma once

#include "kernels/algebra/items.hpp"
#include "kernels/layout.hpp"
#include "kernels/steady/arguments.hpp"
#ifdef __CUDACC_RTC__
#include "kernels/matrix_units.hpp"
#endif

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

/// c ← keep · c + factor · a b, where a is n × m and b is m × l; rows of a begin `stride` numbers behind one another.
template <class A, class B>
struct Product {
  int n, m, l;
  const A* a;
  int stride;
  const B* b;
  double* c;
  double keep, factor;
};

#ifdef __CUDACC_RTC__

/// Whether matrix units multiply numbers in double precision (kernels/matrix_units.hpp).
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
constexpr bool has_matrix_units = false;
#else
constexpr bool has_matrix_units = true;
#endif

/// Rows first … first + 15 and columns begin … begin + 15 of a product, by a warp.
template <class A, class B>
void multiply_tile(const Product<A, B>& p, int first, int begin) {
  const int lane = threadIdx.x % algebra::warp_threads, g = lane / 4, t = lane % 4;
  const bool upper = first + g < p.n, lower = first + g + 8 < p.n, left = begin + g < p.l, right = begin + g + 8 < p.l;
  const A* a = p.a + std::int64_t(first + g) * p.stride;
  const B* b = p.b + begin + g;
  double sums[2][4] = {};
#pragma unroll 4
  for (int k = t; k < p.m + t; k += 4) {
    const bool in = k < p.m;
    const double a0 = in && upper ? double(a[k]) : 0, a1 = in && lower ? double(a[8 * p.stride + k]) : 0,
                 b0 = in && left ? double(b[std::int64_t(k) * p.l]) : 0,
                 b1 = in && right ? double(b[std::int64_t(k) * p.l + 8]) : 0;
    matrix_multiply_add(sums[0][0], sums[0][1], sums[0][2], sums[0][3], a0, a1, b0);
    matrix_multiply_add(sums[1][0], sums[1][1], sums[1][2], sums[1][3], a0, a1, b1);
  }
  for (int half = 0; half < 2; ++half)
    for (int q = 0; q < 4; ++q) {
      const int i = first + g + q / 2 * 8, j = begin + 8 * half + 2 * t + q % 2;
      if (i >= p.n || j >= p.l) continue;
      double& c = p.c[std::int64_t(i) * p.l + j];
      c = (p.keep == 0 ? 0 : p.keep * c) + p.factor * sums[half][q];
    }
}

template <class A, class B>
void multiply(const Product<A, B>& p) {
  if constexpr (has_matrix_units) {
    constexpr int edge = 16;
    const int across = (p.l + edge - 1) / edge, tiles = (p.n + edge - 1) / edge * across;
    for (int tile = thread_in_group() / algebra::warp_threads; tile < tiles;
         tile += group_threads() / algebra::warp_threads)
      multiply_tile(p, tile / across * edge, tile % across * edge);
  } else {
    for_entries(p.n, p.l, [&](int i, int j) {
      double sum = 0;
      for (int k = 0; k < p.m; ++k)
        sum += double(p.a[std::int64_t(i) * p.stride + k]) * double(p.b[std::int64_t(k) * p.l + j]);
      double& c = p.c[std::int64_t(i) * p.l + j];
      c = (p.keep == 0 ? 0 : p.keep * c) + p.factor * sum;
    });
  }
}

#else

template <class A, class B>
void multiply(const Product<A, B>& p) {
  for (int i = 0; i < p.n; ++i) {
    double* c = p.c + std::int64_t(i) * p.l;
    for (int j = 0; j < p.l; ++j) c[j] = p.keep == 0 ? 0 : p.keep * c[j];
    for (int k = 0; k < p.m; ++k) {
      const double factor = p.factor * double(p.a[std::int64_t(i) * p.stride + k]);
      const B* b = p.b + std::int64_t(k) * p.l;
      for (int j = 0; j < p.l; ++j) c[j] += factor * double(b[j]);
    }
  }
}

#endif

/// Row of the entry of a column, at or below row k, that is largest. \param column its first entry \param stride from
/// one entry to the next
inline int pivot_row(const double* column, int n, int stride, int k) {
  int best = k;
  double largest = abs(column[k * stride]);
#ifdef __CUDACC_RTC__
  const int rank = threadIdx.x % algebra::warp_threads;
  for (int i = k + 1 + rank; i < n; i += algebra::warp_threads)
    if (abs(column[i * stride]) > largest) {
      largest = abs(column[i * stride]);
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
    if (abs(column[i * stride]) > largest) {
      largest = abs(column[i * stride]);
      best = i;
    }
#endif
  return best;
}

#ifdef __CUDACC_RTC__

/// Some columns of a matrix, which a thread block eliminates in shared memory.
struct Panel {
  static constexpr int numbers = 6144;  ///< 48 kB
  static constexpr int of_a_thread = numbers / elimination_threads;

  double* memory;
  int n, first, columns;  ///< columns first … first + columns − 1 of an n × n matrix

  double& at(int i, int j) const { return memory[i * columns + j]; }
};

/// f(row, column, number among the thread's) for the numbers of a panel that are the thread's: of one column.
template <class F>
void for_panel(const Panel& p, const F& f) {
  const int column = thread_in_group() % p.columns, step = group_threads() / p.columns;
  int q = 0;
#pragma unroll
  for (int i = thread_in_group() / p.columns; q < Panel::of_a_thread; i += step, ++q)
    if (i < p.n) f(i, column, q);
}

/// Gauss and Jordan's elimination of the panel's columns; what stays in it is what the other columns are multiplied
/// with. \param width columns that there are \param rows [n] gets the pivots'
inline void eliminate_panel(const Panel& p, int width, int* rows) {
  for (int j = 0; j < width; ++j) {
    const int k = p.first + j, pivot = pivot_row(p.memory + j, p.n, p.columns, k);
    const double diagonal = 1 / p.at(pivot, j);
    double changed[Panel::of_a_thread];
    for_panel(p, [&](int i, int c, int q) {
      // Rows k and pivot change places.
      const int from = i == k ? pivot : i == pivot ? k : i;
      const double top = p.at(pivot, c) * diagonal, factor = p.at(from, j);
      changed[q] = i == k ? (c == j ? diagonal : top) : c == j ? -factor * diagonal : p.at(from, c) - factor * top;
    });
    barrier();
    for_panel(p, [&](int i, int c, int q) { p.at(i, c) = changed[q]; });
    if (thread_in_group() == 0) rows[k] = pivot;
    barrier();
  }
}

/// What is left of a panel's elimination: a ← its effect on all columns. \param others [columns][n] scratch
inline void apply_panel(const Panel& p, int width, const int* rows, double* a, double* others) {
  const int n = p.n;
  for (int c = thread_in_group(); c < n; c += group_threads()) {
    const bool own = c >= p.first && c < p.first + width;
    for (int j = 0; j < width && !own; ++j) {
      const int k = p.first + j, pivot = rows[k];
      const double keep = a[k * n + c];
      a[k * n + c] = a[pivot * n + c];
      a[pivot * n + c] = keep;
    }
    for (int j = 0; j < width; ++j) {
      double& number = a[(p.first + j) * n + c];
      others[j * n + c] = own ? 0 : number;
      number = 0;
    }
  }
  barrier();
  multiply(Product<double, double>{n, width, n, p.memory, p.columns, others, a, 1, 1});
  barrier();
  for_panel(p, [&](int i, int c, int) {
    if (c < width) a[i * n + p.first + c] = p.at(i, c);
  });
  barrier();
}

/// inverse ← a⁻¹, by Gauss and Jordan with pivots by rows, some columns at a time, so that most of the work is
/// products. \param rows [n] scratch \param others [n²] scratch
inline void invert(double* a, int n, int* rows, double* others, float* inverse) {
  __shared__ double memory[Panel::numbers];
  Panel p{memory, n, 0, 16};
  while (p.columns * n > Panel::numbers) p.columns /= 2;
  for (; p.first < n; p.first += p.columns) {
    const int width = n - p.first < p.columns ? n - p.first : p.columns;
    for_panel(p, [&](int i, int c, int) { p.at(i, c) = c < width ? a[i * n + p.first + c] : 0; });
    barrier();
    eliminate_panel(p, width, rows);
    apply_panel(p, width, rows, a, others);
  }
  // Rows that changed places are columns of the inverse that do.
  int* columns = reinterpret_cast<int*>(memory);
  int* pivots = columns + n;
  for (int k = thread_in_group(); k < n; k += group_threads()) {
    columns[k] = k;
    pivots[k] = rows[k];
  }
  barrier();
  if (thread_in_group() == 0)
    for (int k = n - 1; k >= 0; --k) {
      const int keep = columns[k];
      columns[k] = columns[pivots[k]];
      columns[pivots[k]] = keep;
    }
  barrier();
  for_entries(n, n, [&](int i, int j) { inverse[i * n + j] = static_cast<float>(a[i * n + columns[j]]); });
  barrier();
}

#else

/// inverse ← a⁻¹, by Gauss and Jordan with pivots by rows. \param rows [n] scratch
inline void invert(double* a, int n, int* rows, double*, float* inverse) {
  const auto swap = [](double* x, double* y, int count, int stride) {
    for (int i = 0; i < count * stride; i += stride) {
      const double keep = x[i];
      x[i] = y[i];
      y[i] = keep;
    }
  };
  for (int k = 0; k < n; ++k) {
    rows[k] = pivot_row(a + k, n, n, k);
    if (rows[k] != k) swap(a + k * n, a + rows[k] * n, n, 1);
    const double diagonal = 1 / a[k * n + k];
    for (int j = 0; j < n; ++j) a[k * n + j] = j == k ? diagonal : a[k * n + j] * diagonal;
    for (int i = 0; i < n; ++i) {
      if (i == k) continue;
      const double factor = a[i * n + k];
      for (int j = 0; j < n; ++j) a[i * n + j] -= factor * a[k * n + j];
      a[i * n + k] = -factor * diagonal;
    }
  }
  for (int k = n - 1; k >= 0; --k)
    if (rows[k] != k) swap(a + k, a + rows[k], n, n);
  for_entries(n, n, [&](int i, int j) { inverse[i * n + j] = static_cast<float>(a[i * n + j]); });
}

#endif

}  // namespace galerna::kernels::steady
