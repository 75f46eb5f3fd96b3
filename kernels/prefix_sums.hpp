/// \file
/// Prefix sums of whole numbers, chunk by chunk: within chunks, over the chunks' totals in the same way, then each
/// chunk's beginning is added to its numbers.
#pragma once

#include "kernels/lane.hpp"

namespace galerna::kernels {

struct PrefixSumArguments {
  std::int64_t* numbers;
  std::int64_t count;
  std::int64_t* totals;  ///< [chunk], then of the chunks of these, and so on

  static constexpr int chunk = 1024, sharers = 32;  ///< numbers of a chunk, and threads of a GPU that share it
  std::int64_t chunks() const { return (count + chunk - 1) / chunk; }
  /// Totals of so many numbers.
  static constexpr std::int64_t total_count(std::int64_t count) {
    const std::int64_t chunks = (count + chunk - 1) / chunk;
    return chunks > 1 ? chunks + total_count(chunks) : 1;
  }
};

/// Every number of a chunk becomes the sum of those before it there, the total their sum. A chunk is an item of the
/// CPU, or of a warp of a GPU.
inline void sum_chunk(const PrefixSumArguments& a, std::int64_t item) {
  constexpr int chunk = PrefixSumArguments::chunk;
  std::int64_t before = 0;
#ifdef __CUDACC_RTC__
  constexpr int warp = PrefixSumArguments::sharers;
  constexpr unsigned all = 0xffffffffu;
  const std::int64_t number = item / warp, begin = number * chunk;
  const int lane = int(item % warp);
  if (begin >= a.count) return;
  for (std::int64_t first = begin; first < begin + chunk && first < a.count; first += warp) {
    const std::int64_t i = first + lane, own = i < a.count ? a.numbers[i] : 0;
    std::int64_t sum = own;
#pragma unroll
    for (int distance = 1; distance < warp; distance *= 2) {
      const std::int64_t below = __shfl_up_sync(all, sum, distance);
      if (lane >= distance) sum += below;
    }
    if (i < a.count) a.numbers[i] = before + sum - own;
    before += __shfl_sync(all, sum, warp - 1);
  }
  if (lane == 0) a.totals[number] = before;
#else
  for (std::int64_t i = item * chunk; i < (item + 1) * chunk && i < a.count; ++i) {
    const std::int64_t own = a.numbers[i];
    a.numbers[i] = before;
    before += own;
  }
  a.totals[item] = before;
#endif
}

/// To number `item`, with the totals summed in their turn.
inline void add_beginning(const PrefixSumArguments& a, std::int64_t item) {
  if (item < a.count) a.numbers[item] += a.totals[item / PrefixSumArguments::chunk];
}

}  // namespace galerna::kernels
