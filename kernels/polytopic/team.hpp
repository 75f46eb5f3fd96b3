/// \file
/// The threads that share one polytope or interface: a thread block on the GPU, one thread on the CPU, where points lie
/// side by side in SIMD packs instead.
///
/// Kernels are written for a Config, a struct that the program text defines (src/polytopic/assembly_programs.cpp):
///   using Real, Value            the type of values, and of formulas at one point (GPU) or a pack of points (CPU)
///   dimension, slab, tensor      of space; whether there is a time direction beside; whether its degree counts alone
///   time_degree                  where tensor: in time, whatever the degree in space; −1: the same
///   mode(direction, j)           degree of mode j in that direction; modes of lower degrees come first
///   using Data                   the case's formulas
#pragma once

#include "kernels/array.hpp"
#include "kernels/polytopic/arguments.hpp"

namespace galerna::kernels::polytopic {

/// Modes of total degree ≤ p in 1 … 4 variables. Without a loop, in which compilers leave divisions.
constexpr int total_degree_modes(int d, int p) {
  const int plane = (p + 1) * (p + 2) / 2, space = plane * (p + 3) / 3;
  return d == 1 ? p + 1 : d == 2 ? plane : d == 3 ? space : space * (p + 4) / 4;
}

/// Number of the product of degrees n and o in two directions: they are sorted by degree, then by o.
constexpr int rest_number(int n, int o) {
  return total_degree_modes(2, n + o - 1) + o;
}

template <class Config>
constexpr int modes_of_degree(int p) {
  if (!Config::slab) return total_degree_modes(Config::dimension, p);
  if (!Config::tensor) return total_degree_modes(Config::dimension + 1, p);
  return total_degree_modes(Config::dimension, p) * ((Config::time_degree >= 0 ? Config::time_degree : p) + 1);
}

/// Sizes of what a team works with.
template <class Config, int degree_>
struct Layout {
  using Real = typename Config::Real;
  using Value = typename Config::Value;
  static constexpr int degree = degree_, modes = modes_of_degree<Config>(degree), dimension = Config::dimension,
                       directions = dimension + (Config::slab ? 1 : 0);
  /// Of the factors of modes.
  static constexpr int factor_degree = Config::slab && Config::time_degree > degree ? Config::time_degree : degree;
  static constexpr int width = LaneTraits<Value>::size;
  /// Whether the matrix is not symmetric, and whether it has terms of a volume beside diffusion.
  static constexpr bool flows = Config::Data::moves || Config::slab, low_order = flows || Config::Data::reacts;
  /// A value and its derivatives at a point.
  static constexpr int parts = 1 + directions;
#ifdef __CUDACC_RTC__
  static constexpr int threads = team_threads(modes);
  static constexpr int points_together() {
    int points = 16;
    while (points > 1 && 2 * parts * modes * (points + 1) * 8 > 16000) points /= 2;
    return points;
  }
  /// One more than the points, so that threads that read different modes meet different banks.
  static constexpr int batch = points_together(), stride = batch + 1;
  /// Whether the sums of a block of the matrix have room in shared memory.
  static constexpr bool staged = modes <= most_staged_modes;
  /// Memory is scarce, and threads that have a tile each gain nothing by leaving out half of a symmetric block.
  static constexpr bool on_host = false;
#else
  static constexpr int threads = 1, batch = 6 * width > 16 ? 6 * width : 16, stride = batch + width;
  static constexpr bool staged = true, on_host = true;
#endif
};

#ifdef __CUDACC_RTC__
inline int team_rank() {
  return threadIdx.x;
}
template <class L>
void team_sync() {
  if constexpr (L::threads == 1) return;
  if constexpr (L::threads <= 32)
    __syncwarp();
  else
    __syncthreads();
}
#else
inline int team_rank() {
  return 0;
}
template <class L>
void team_sync() {}
#endif

/// Whether this is the first thread of its team.
template <class L>
bool leads() {
  return L::threads == 1 || team_rank() == 0;
}

/// f(0) … f(count − 1), shared among the threads of the team, and a barrier behind.
template <class L, class F>
void share(int count, const F& f) {
  for (int i = L::threads == 1 ? 0 : team_rank(); i < count; i += L::threads) f(i);
  team_sync<L>();
}

/// A number that the compiler knows.
template <int number>
struct Number {
  static constexpr int value = number;
  constexpr operator int() const { return number; }
};

/// f(Number<0>()) … f(Number<count − 1>())
template <int count, int first = 0, class F>
void for_each_number(const F& f) {
  if constexpr (first < count) {
    f(Number<first>());
    for_each_number<count, first + 1>(f);
  }
}

/// f(k, first) for the items k = 0 … items − 1 and the packs of points that begin at `first`.
template <class L, class F>
void share_points(int items, int points, const F& f) {
  const int packs = (points + L::width - 1) / L::width;
  if constexpr (L::threads == 1) {
    for (int k = 0; k < items; ++k)
      for (int pack = 0; pack < packs; ++pack) f(k, pack * L::width);
  } else {
    for (int i = team_rank(); i < items * packs; i += L::threads) f(i / packs, i % packs * L::width);
  }
  team_sync<L>();
}

/// Sum over the lanes of a pack.
template <class V>
Scalar<V> lane_sum(const V& value) {
  if constexpr (LaneTraits<V>::size == 1) return value;
#ifndef __CUDACC_RTC__
  else
    return folded(value, [](const auto& a, const auto& b) { return a + b; });
#endif
}

/// The least and the largest of them.
template <class V>
Scalar<V> lane_min(const V& value) {
  if constexpr (LaneTraits<V>::size == 1) return value;
#ifndef __CUDACC_RTC__
  else
    return folded(value, [](const auto& a, const auto& b) { return min(a, b); });
#endif
}
template <class V>
Scalar<V> lane_max(const V& value) {
  if constexpr (LaneTraits<V>::size == 1) return value;
#ifndef __CUDACC_RTC__
  else
    return folded(value, [](const auto& a, const auto& b) { return max(a, b); });
#endif
}

/// Numbers of one batch of points.
template <class L>
using PointValues = Array<typename L::Real, L::stride>;

/// Sums of n numbers over the threads of a team, in the order of the threads; known to the first one.
template <class L, int n>
Array<double, n> team_sum(const Array<double, n>& own) {
  if constexpr (L::threads == 1) return own;
#ifdef __CUDACC_RTC__
  __shared__ double all[L::threads][n];
  for (int k = 0; k < n; ++k) all[team_rank()][k] = own[k];
  team_sync<L>();
  Array<double, n> result = own;
  if (team_rank() != 0) return result;
  for (int thread = 1; thread < L::threads; ++thread)
    for (int k = 0; k < n; ++k) result[k] += all[thread][k];
  return result;
#endif
}

}  // namespace galerna::kernels::polytopic
