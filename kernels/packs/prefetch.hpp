/// \file
/// Asks for memory before it is needed. The data of a block are read and written in many short pieces, which the
/// processor's own prefetching does not follow; without help a core spends most of its time waiting.
///
/// All of these are inlined: GCC takes a function that does nothing but ask for memory for one without effects, and
/// leaves out its calls.
#pragma once

#include "kernels/share.hpp"
#include "kernels/traces.hpp"

namespace galerna::kernels {

constexpr int cache_line = 64;

/// `numbers` numbers of an array for each of the elements of block `block`.
template <class Config, int write = 0>
[[gnu::always_inline]] inline void prefetch_block(const void* array, std::int64_t block, std::int64_t numbers,
                                                  const Share& share = {}) {
  const std::int64_t bytes = numbers * Config::width * static_cast<std::int64_t>(sizeof(typename Config::Real));
  const char* begin = static_cast<const char*>(array) + block * bytes;
  const std::int64_t lines = (bytes + cache_line - 1) / cache_line, end = share.end(lines);
#pragma GCC unroll 4
  for (std::int64_t line = share.begin(lines); line < end; ++line) __builtin_prefetch(begin + line * cache_line, write);
}

template <class Config, int write = 0>
[[gnu::always_inline]] inline void prefetch_state(const void* state, std::int64_t block, const Share& share = {}) {
  prefetch_block<Config, write>(state, block, Config::Equations::variables * Config::Operators::modes, share);
}

/// The block's own traces.
template <class Config, int write = 0>
[[gnu::always_inline]] inline void prefetch_traces(const void* traces, std::int64_t block) {
  constexpr int points = Config::Operators::sides * Config::Operators::side_points;
  prefetch_block<Config, write>(traces, block, points * Config::Equations::variables);
}

/// So many numbers that lie together.
template <class Real>
[[gnu::always_inline]] inline void prefetch_numbers(const Real* begin, std::int64_t count) {
  const std::int64_t bytes = count * std::int64_t(sizeof(Real));
  for (std::int64_t at = 0; at < bytes; at += cache_line) __builtin_prefetch(reinterpret_cast<const char*>(begin) + at);
  // They may begin in the middle of a line.
  if (bytes % cache_line != 0) __builtin_prefetch(reinterpret_cast<const char*>(begin) + bytes - 1);
}

/// The trace in a slot.
template <class Config>
[[gnu::always_inline]] inline void prefetch_trace(const void* traces, std::int64_t slot) {
  prefetch_numbers(static_cast<const typename Config::Real*>(traces) + trace_offset<Config>(slot, 0),
                   Config::Operators::side_points * Config::Equations::variables);
}

/// Traces beyond the block's sides.
template <class Config>
[[gnu::always_inline]] inline void prefetch_neighbours(const void* traces, const std::int32_t* neighbours,
                                                       std::int64_t block) {
  constexpr int slots = Config::Operators::sides * Config::width;
  for (int i = 0; i < slots; ++i) prefetch_trace<Config>(traces, neighbours[block * slots + i]);
}

}  // namespace galerna::kernels
