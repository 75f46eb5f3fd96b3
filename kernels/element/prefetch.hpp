/// \file
/// What the element kernels ask memory for before they need it (packs/prefetch.hpp), on the CPU. On the GPU other
/// threads work while one waits. Why all are inlined stands there.
#pragma once

#include "kernels/element/sides.hpp"
#ifndef __CUDACC_RTC__
#include "kernels/packs/prefetch.hpp"
#endif

namespace galerna::kernels {

#ifdef __CUDACC_RTC__

template <class Config, int inputs, int outputs>
void prefetch_residual(const ElementArguments&, const Item&) {}
template <class Config>
void prefetch_viscous(const ElementArguments&, const Item&) {}

#else

/// The block's own traces.
template <class Config, int write = 0>
[[gnu::always_inline]] inline void prefetch_own(void* TraceArrays::*traces, const ElementArguments& a,
                                                std::int64_t block) {
  using Operators = typename Config::Operators;
  for (int kind = 0; kind < side_kinds<Operators>(); ++kind) {
    const TraceArrays& of = a.faces[kind];
    const std::int64_t numbers = points_of_kind<Operators>(kind) * Config::Equations::variables;
    const auto* own = static_cast<const typename Config::Real*>(of.*traces) + of.first_slot * numbers;
    prefetch_block<Config, write>(own, block, like_sides<Operators>(kind) * numbers);
  }
}

/// Traces beyond the block's sides.
template <class Config>
[[gnu::always_inline]] inline void prefetch_beyond(void* TraceArrays::*traces, const ElementArguments& a,
                                                   std::int64_t block) {
  using Operators = typename Config::Operators;
  for (int side = 0; side < Operators::sides; ++side) {
    const int kind = side_kind<Operators>(side);
    const std::int64_t numbers = points_of_kind<Operators>(kind) * Config::Equations::variables;
    for (int lane = 0; lane < Config::width; ++lane) {
      const std::int32_t code = a.set.beyond[(block * Operators::sides + side) * Config::width + lane];
      prefetch_numbers(
          static_cast<const typename Config::Real*>(a.faces[kind].*traces) + slot_of<Config>(code) * numbers, numbers);
    }
  }
}

/// The block whose turn is next.
template <class Config>
std::int64_t block_after(const ElementSetArrays& set, const Item& item) {
  return (item.block + 1) * Config::width < set.elements ? item.block + 1 : item.block;
}

/// What element_residual writes for its block, and what it reads for the next one.
template <class Config, int inputs, int outputs>
[[gnu::always_inline]] inline void prefetch_residual(const ElementArguments& a, const Item& item) {
  for (int i = 0; i < inputs; ++i)
    if (a.update.inputs[i] != a.state) prefetch_state<Config>(a.update.inputs[i], item.block);
  for (int k = 0; k < outputs; ++k) prefetch_state<Config, 1>(a.update.outputs[k], item.block);
  if (a.faces[0].next_traces) prefetch_own<Config, 1>(&TraceArrays::next_traces, a, item.block);
  const std::int64_t next = block_after<Config>(a.set, item);
  prefetch_state<Config>(a.state, next);
  prefetch_beyond<Config>(&TraceArrays::traces, a, next);
  if constexpr (Config::viscous) {
    prefetch_own<Config>(&TraceArrays::viscous_traces, a, next);
    prefetch_beyond<Config>(&TraceArrays::viscous_traces, a, next);
  }
}

/// The same for element_viscous.
template <class Config>
[[gnu::always_inline]] inline void prefetch_viscous(const ElementArguments& a, const Item& item) {
  prefetch_own<Config, 1>(&TraceArrays::viscous_traces, a, item.block);
  const std::int64_t next = block_after<Config>(a.set, item);
  prefetch_state<Config>(a.state, next);
  prefetch_beyond<Config>(&TraceArrays::traces, a, next);
}

#endif

}  // namespace galerna::kernels
