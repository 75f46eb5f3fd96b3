/// \file
/// What the element kernels ask memory for before they need it (packs/prefetch.hpp), on the CPU. On the GPU other
/// threads work while one waits. Why all are inlined stands there.
#pragma once

#include "kernels/element/sides.hpp"
#include "kernels/share.hpp"
#ifndef __CUDACC_RTC__
#include "kernels/packs/prefetch.hpp"
#endif

namespace galerna::kernels {

/// That of a batch of points (thread_group.hpp).
template <class Points>
Share share_of(const Points& batch, int all) {
  return {batch.first, batch.first + Points::count, all};
}

#ifdef __CUDACC_RTC__

template <class Config>
void prefetch_stage(const ElementArguments&, const Item&, const StageShape&, const Share&) {}
template <class Config>
void prefetch_next(const ElementArguments&, const Item&, const Share&) {}
template <class Config>
void prefetch_viscous(const ElementArguments&, const Item&, const Share&) {}

#else

/// The block's own traces.
template <class Config, int write = 0>
[[gnu::always_inline]] inline void prefetch_own(void* TraceArrays::*traces, const ElementArguments& a,
                                                std::int64_t block, const Share& share) {
  using Operators = typename Config::Operators;
  for (int kind = 0; kind < side_kinds<Operators>(); ++kind) {
    const TraceArrays& of = a.faces[kind];
    const std::int64_t numbers = points_of_kind<Operators>(kind) * Config::Equations::variables;
    const auto* own = static_cast<const typename Config::Real*>(of.*traces) + of.first_slot * numbers;
    prefetch_block<Config, write>(own, block, like_sides<Operators>(kind) * numbers, share);
  }
}

/// Traces beyond the block's sides.
template <class Config>
[[gnu::always_inline]] inline void prefetch_beyond(void* TraceArrays::*traces, const ElementArguments& a,
                                                   std::int64_t block, const Share& share) {
  using Operators = typename Config::Operators;
  constexpr int all = Operators::sides * Config::width;
  for (std::int64_t at = share.begin(all); at < share.end(all); ++at) {
    const int kind = side_kind<Operators>(int(at) / Config::width);
    const std::int64_t numbers = points_of_kind<Operators>(kind) * Config::Equations::variables;
    const std::int32_t code = a.set.beyond[block * all + at];
    prefetch_numbers(static_cast<const typename Config::Real*>(a.faces[kind].*traces) + slot_of<Config>(code) * numbers,
                     numbers);
  }
}

/// The block whose turn is next.
template <class Config>
std::int64_t block_after(const ElementSetArrays& set, const Item& item) {
  return (item.block + 1) * Config::width < set.elements ? item.block + 1 : item.block;
}

/// What a stage reads and writes when it knows the residual.
template <class Config>
[[gnu::always_inline]] inline void prefetch_stage(const ElementArguments& a, const Item& item, const StageShape& stage,
                                                  const Share& share) {
  for (int i = 0; i < stage.inputs; ++i)
    if (a.update.inputs[i] != a.state) prefetch_state<Config>(a.update.inputs[i], item.block, share);
  for (int k = 0; k < stage.outputs; ++k) prefetch_state<Config, 1>(a.update.outputs[k], item.block, share);
  if (a.faces[0].next_traces) prefetch_own<Config, 1>(&TraceArrays::next_traces, a, item.block, share);
}

/// What the residual reads for the next block.
template <class Config>
[[gnu::always_inline]] inline void prefetch_next(const ElementArguments& a, const Item& item, const Share& share) {
  const std::int64_t next = block_after<Config>(a.set, item);
  prefetch_state<Config>(a.state, next, share);
  prefetch_beyond<Config>(&TraceArrays::traces, a, next, share);
  if constexpr (Config::viscous) {
    prefetch_own<Config>(&TraceArrays::viscous_traces, a, next, share);
    prefetch_beyond<Config>(&TraceArrays::viscous_traces, a, next, share);
  }
}

/// What viscous fluxes at sides write for their block, and read for the next one.
template <class Config>
[[gnu::always_inline]] inline void prefetch_viscous(const ElementArguments& a, const Item& item, const Share& share) {
  prefetch_own<Config, 1>(&TraceArrays::viscous_traces, a, item.block, share);
  const std::int64_t next = block_after<Config>(a.set, item);
  prefetch_state<Config>(a.state, next, share);
  prefetch_beyond<Config>(&TraceArrays::traces, a, next, share);
}

#endif

}  // namespace galerna::kernels
