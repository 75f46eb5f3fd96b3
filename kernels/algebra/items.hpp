/// \file
/// Loops of an item, the same text on both devices: over its share of a vector, and of the threads that work together.
#pragma once

#include "kernels/algebra/arguments.hpp"

namespace galerna::kernels::algebra {

/// f(i) for the numbers of a vector that are the item's: one of them on the GPU, a chunk on the CPU.
template <class F>
void for_own_numbers(std::int64_t item, std::int64_t size, const F& f) {
#ifdef __CUDACC_RTC__
  if (item < size) f(item);
#else
  const std::int64_t end = (item + 1) * chunk < size ? (item + 1) * chunk : size;
  for (std::int64_t i = item * chunk; i < end; ++i) f(i);
#endif
}

/// Unknowns of a block row.
inline int size_of(const Rows& rows, std::int64_t row) {
  return static_cast<int>(rows.first[row + 1] - rows.first[row]);
}

/// f(row, r) for the unknowns r = 0, 1, … of a block row that are the item's: one on the GPU, all on the CPU.
template <class F>
void for_own_unknowns(std::int64_t item, const Rows& rows, const F& f) {
#ifdef __CUDACC_RTC__
  if (item >= rows.unknowns) return;
  const std::int64_t row = rows.row_of[item];
  f(row, int(item - rows.first[row]));
#else
  const int size = size_of(rows, item);
  for (int r = 0; r < size; ++r) f(item, r);
#endif
}

/// The caller's number among the threads of a warp, and how many they are; on the CPU there is one.
#ifdef __CUDACC_RTC__
constexpr int team = warp_threads;
inline int team_rank() {
  return threadIdx.x % warp_threads;
}
inline void team_sync() {
  __syncwarp();
}
#else
constexpr int team = 1;
inline int team_rank() {
  return 0;
}
inline void team_sync() {}
#endif

/// Sum over the `threads` neighbouring threads of a warp, known to all of them.
template <int threads>
double sum_of_threads(double value) {
#ifdef __CUDACC_RTC__
#pragma unroll
  for (int distance = threads / 2; distance > 0; distance /= 2) value += __shfl_xor_sync(0xffffffffu, value, distance);
#endif
  return value;
}

/// Σ a[i] b[i] for i < n, in packs on the CPU.
template <class Pack>
Scalar<Pack> dot(int n, const Scalar<Pack>* a, const Scalar<Pack>* b) {
  Scalar<Pack> sum = 0;
  int i = 0;
#ifndef __CUDACC_RTC__
  constexpr int width = LaneTraits<Pack>::size;
  if (n >= width) {
    Pack packs = 0;
    for (; i + width <= n; i += width) packs += load_lanes<Pack>(a + i) * load_lanes<Pack>(b + i);
    sum = folded(packs, [](const auto& x, const auto& y) { return x + y; });
  }
#endif
  for (; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace galerna::kernels::algebra
