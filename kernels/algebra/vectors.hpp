/// \file
/// Vectors: sums, products, changes of precision.
#pragma once

#include "kernels/algebra/items.hpp"

namespace galerna::kernels::algebra {

/// y ← a x + b y. \tparam From, To types of x and y
template <class From, class To>
void add(const VectorArguments& v, std::int64_t item) {
  const auto* x = static_cast<const From*>(v.x);
  auto* y = static_cast<To*>(v.y);
  const To a = static_cast<To>(v.a), b = static_cast<To>(v.b);
  if (v.b == 0)
    for_own_numbers(item, v.size, [&](std::int64_t i) { y[i] = static_cast<To>(a * x[i]); });
  else
    for_own_numbers(item, v.size, [&](std::int64_t i) { y[i] = static_cast<To>(a * x[i] + b * y[i]); });
}

/// Numbers between −1 and 1 that look like random ones, the same each time: the hash of their places (T. Wang's, with
/// the constants of C. Wellons' search).
inline void scatter(const VectorArguments& v, std::int64_t item) {
  for_own_numbers(item, v.size, [&](std::int64_t i) {
    unsigned hash = static_cast<unsigned>(i) + 0x9e3779b9u;
    hash = (hash ^ hash >> 16) * 0x7feb352du;
    hash = (hash ^ hash >> 15) * 0x846ca68bu;
    hash ^= hash >> 16;
    static_cast<float*>(v.y)[i] = static_cast<float>(static_cast<double>(hash) / 2147483648.0 - 1);
  });
}

/// The item's chunk of a vector times that of the other one. A thread block shares a chunk.
template <class Pack>
void dots(const DotArguments& a, std::int64_t item) {
  using Real = Scalar<Pack>;
  const std::int64_t chunks = (a.size + chunk - 1) / chunk;
#ifdef __CUDACC_RTC__
  const std::int64_t task = item / group;
#else
  const std::int64_t task = item;
#endif
  const std::int64_t vector = task / chunks, begin = task % chunks * chunk;
  const int length = static_cast<int>(a.size - begin < chunk ? a.size - begin : chunk);
  const Real* x = static_cast<const Real*>(a.vectors) + vector * a.stride + begin;
  const Real* y = static_cast<const Real*>(a.other) + begin;
#ifdef __CUDACC_RTC__
  __shared__ double warps[group / warp_threads];
  double sum = 0;
  for (int i = threadIdx.x; i < length; i += group) sum += double(x[i]) * double(y[i]);
  sum = sum_of_threads<warp_threads>(sum);
  if (team_rank() == 0) warps[threadIdx.x / warp_threads] = sum;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int warp = 1; warp < group / warp_threads; ++warp) sum += warps[warp];
  a.partials[task] = sum;
#else
  constexpr int width = 8;
  double sums[width] = {};
  int i = 0;
  for (; i + width <= length; i += width)
    for (int k = 0; k < width; ++k) sums[k] += static_cast<double>(x[i + k]) * static_cast<double>(y[i + k]);
  for (; i < length; ++i) sums[0] += static_cast<double>(x[i]) * static_cast<double>(y[i]);
  for (int k = 1; k < width; ++k) sums[0] += sums[k];
  a.partials[task] = sums[0];
#endif
}

/// y ← y + Σ_j factors[j] · vector j
template <class Pack>
void combine(const CombineArguments& a, std::int64_t item) {
  using Real = Scalar<Pack>;
  for_own_numbers(item, a.size, [&](std::int64_t i) {
    double sum = static_cast<double>(static_cast<Real*>(a.y)[i]);
    for (int j = 0; j < a.count; ++j)
      sum += a.factors[j] * static_cast<double>(static_cast<const Real*>(a.vectors)[j * a.stride + i]);
    static_cast<Real*>(a.y)[i] = static_cast<Real>(sum);
  });
}

}  // namespace galerna::kernels::algebra
