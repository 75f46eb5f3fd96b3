/// \file
/// Numbers of some elements of a state, one element behind the other: for files, whose order of elements is not that of
/// the device.
#pragma once

#ifndef __CUDACC_RTC__
#include <cstdint>
#else
#include "kernels/lane.hpp"
#endif

namespace galerna::kernels {

/// Threads of a thread block.
constexpr int gather_group = 256;

/// A state has numbers [block][k][lane][t], k < n, t < together, of so many words of 4 bytes.
struct GatherArguments {
  const unsigned* state;
  const std::int32_t* positions;  ///< [element] in its set
  unsigned* to;                   ///< [element][t][k][word]
  std::int64_t all;               ///< words to be written
  int lanes, n, together, words;
};

#ifdef __CUDACC_RTC__
/// A thread copies a word.
inline void gather_numbers(const GatherArguments& a, std::int64_t thread) {
  if (thread >= a.all) return;
  const int word = int(thread % a.words), numbers = a.n * a.together;
  const std::int64_t number = thread / a.words;
  const int k = int(number % a.n), t = int(number / a.n % a.together), position = a.positions[number / numbers];
  const std::int64_t place =
      ((std::int64_t(position / a.lanes) * a.n + k) * a.lanes + position % a.lanes) * a.together + t;
  a.to[thread] = a.state[place * a.words + word];
}
#endif

}  // namespace galerna::kernels
