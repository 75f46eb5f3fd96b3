/// \file
/// Where the values of an element lie in memory, and reductions over a block of elements.
///
/// A kernel is written for a Config, a struct that the program text defines (dg/programs/simplex_programs.cpp):
///   using Real        double or float, the type in memory
///   using Value       the lane type V (lane.hpp)
///   width             elements in a block
///   using Equations   physics/…,   using Flux   riemann/…,   using Operators   the tables of basis and quadrature
#pragma once

#include "kernels/array.hpp"
#include "kernels/lane.hpp"
#include "kernels/long_sum.hpp"

namespace galerna::kernels {

/// What a kernel call works on: on the GPU one element (block, lane), on the CPU a whole block (lane = 0).
struct Item {
  std::int64_t block;
  int lane;
  int thread = 0;  ///< number among the threads that share an element (element/thread_group.hpp)
};

/// Value number k of the item in an array that has n values for each element.
template <class Config>
typename Config::Value load(const void* array, const Item& item, std::int64_t n, std::int64_t k) {
  const auto* at = static_cast<const typename Config::Real*>(array) + (item.block * n + k) * Config::width + item.lane;
  if constexpr (LaneTraits<typename Config::Value>::size == 1) return *at;
#ifndef __CUDACC_RTC__
  else
    return loaded<typename Config::Value, sizeof(typename Config::Value)>(at);
#endif
}

template <class Config>
void store(void* array, const Item& item, std::int64_t n, std::int64_t k, const typename Config::Value& value) {
  auto* at = static_cast<typename Config::Real*>(array) + (item.block * n + k) * Config::width + item.lane;
  if constexpr (LaneTraits<typename Config::Value>::size == 1) *at = value;
#ifndef __CUDACC_RTC__
  else
    stored<sizeof value>(at, value);
#endif
}

/// Integers of the item's lanes, one for each lane of V.
template <class Config>
using Integers = Array<std::int32_t, LaneTraits<typename Config::Value>::size>;

template <class Config>
Integers<Config> load_integers(const std::int32_t* array, const Item& item, std::int64_t n, std::int64_t k) {
  const std::int32_t* at = array + (item.block * n + k) * Config::width + item.lane;
  Integers<Config> result;
  for (int i = 0; i < result.size(); ++i) result[i] = at[i];
  return result;
}

/// V whose lane i is f(i).
template <class Config, class F>
typename Config::Value generate(const F& f) {
  if constexpr (LaneTraits<typename Config::Value>::size == 1) return f(0);
#ifndef __CUDACC_RTC__
  else
    return pack_of<typename Config::Value>([&](auto i) { return f(int(i)); });
#endif
}

/// Mask: lanes that hold one of the first `elements` elements; the others are padding.
template <class Config>
auto is_element(const Item& item, std::int64_t elements) {
  using V = typename Config::Value;
  const std::int64_t first = item.block * Config::width + item.lane;
  return generate<Config>([&](int i) { return typename Config::Real(first + i < elements ? 1 : 0); }) > V(0);
}

/// Offset of value k of element `element` in an array with n values for each element.
template <class Config>
std::int64_t offset(std::int64_t element, std::int64_t n, std::int64_t k) {
  return (element / Config::width * n + k) * Config::width + element % Config::width;
}

// Reductions over the block of an item; every lane of the block must take part. The result is known to all lanes.
#ifdef __CUDACC_RTC__
template <class V, class Combine>
double reduce_block(const V& value, const Combine& combine) {
  double result = double(value);
  for (int distance = 16; distance > 0; distance /= 2)
    result = combine(result, __shfl_xor_sync(0xffffffffu, result, distance));
  return result;
}
#else
template <class V, class Combine>
double reduce_block(const V& value, const Combine& combine) {
  if constexpr (LaneTraits<V>::size == 1) {
    return static_cast<double>(value);
  } else {
    double result = static_cast<double>(value[0]);
    for (int i = 1; i < V::size(); ++i) result = combine(result, static_cast<double>(value[i]));
    return result;
  }
}
#endif

/// In how many lanes of the block the mask holds.
#ifdef __CUDACC_RTC__
inline int block_count(bool mask) {
  return __popc(__ballot_sync(0xffffffffu, mask));
}
#else
inline int block_count(bool mask) {
  return mask ? 1 : 0;
}
template <class T, int n>
int block_count(const Mask<T, n>& mask) {
  return count(mask);
}
#endif

template <class V>
double block_min(const V& value) {
  return reduce_block(value, [](double a, double b) { return min(a, b); });
}
template <class V>
double block_max(const V& value) {
  return reduce_block(value, [](double a, double b) { return max(a, b); });
}

/// Sum over the lanes of a block; every lane of it must take part. Right in its first lane.
#ifdef __CUDACC_RTC__
template <class V>
LongSum block_long_sum(const V& value) {
  LongSum sum{rounded(double(value))};
  for (int distance = 16; distance > 0; distance /= 2)
    sum.join({__shfl_down_sync(0xffffffffu, sum.high, distance), __shfl_down_sync(0xffffffffu, sum.middle, distance),
              __shfl_down_sync(0xffffffffu, sum.low, distance)});
  return sum;
}
#else
template <class V>
LongSum block_long_sum(const V& value) {
  constexpr int lanes = LaneTraits<V>::size;
  LongSum sums[lanes];
  for (int i = 0; i < lanes; ++i) sums[i].high = rounded(static_cast<double>(lane_of(value, i)));
  for (int half = lanes / 2; half > 0; half /= 2)
    for (int i = 0; i < half; ++i) sums[i].join(sums[i + half]);
  return sums[0];
}
#endif

/// Least of `value` over a whole group, a thread block (GPU) or a block of elements (CPU); every thread of it must take
/// part. The result is right in the group's first thread.
template <class V>
double group_min(const V& value) {
  double result = block_min(value);
#ifdef __CUDACC_RTC__
  __shared__ double warps[32];
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = result;
  __syncthreads();
  for (unsigned warp = 1; warp < blockDim.x / 32; ++warp) result = min(result, warps[warp]);
#endif
  return result;
}

/// Which group an item's is.
inline std::int64_t group_index([[maybe_unused]] const Item& item) {
#ifdef __CUDACC_RTC__
  return item.block * 32 / blockDim.x;
#else
  return item.block;
#endif
}
/// The caller's number among the threads of a thread block, and how many there are; on the CPU there is one.
inline int thread_in_group() {
#ifdef __CUDACC_RTC__
  return threadIdx.x;
#else
  return 0;
#endif
}
inline int group_threads() {
#ifdef __CUDACC_RTC__
  return blockDim.x;
#else
  return 1;
#endif
}
inline bool first_of_group() {
  return thread_in_group() == 0;
}

/// Joins what all threads of a thread block have found; right in its first thread.
/// \tparam Numbers of doubles only, with join(other), which takes in those of another thread; without any by default.
template <class Numbers>
void join_group([[maybe_unused]] Numbers& numbers) {
#ifdef __CUDACC_RTC__
  __shared__ Numbers warps[32];
  const auto join_warp = [&] {
    for (int distance = 16; distance > 0; distance /= 2) {
      Numbers other;
#pragma unroll
      for (int k = 0; k < int(sizeof(Numbers) / sizeof(double)); ++k)
        reinterpret_cast<double*>(&other)[k] =
            __shfl_down_sync(0xffffffffu, reinterpret_cast<const double*>(&numbers)[k], distance);
      numbers.join(other);
    }
  };
  join_warp();
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = numbers;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  numbers = threadIdx.x < blockDim.x / 32 ? warps[threadIdx.x] : Numbers();
  join_warp();
#endif
}

}  // namespace galerna::kernels
