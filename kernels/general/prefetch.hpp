/// \file
/// What the general kernels ask memory for before they need it (batch/prefetch.hpp), on the CPU. On the GPU other
/// threads work while one waits.
#pragma once

#include "kernels/general/sides.hpp"
#ifndef __CUDACC_RTC__
#include "kernels/batch/prefetch.hpp"
#endif

namespace galerna::kernels {

#ifdef __CUDACC_RTC__

template <class Case, int inputs, int outputs>
void prefetch_residual(const GeneralArguments&, const Item&) {}
template <class Case>
void prefetch_viscous(const GeneralArguments&, const Item&) {}

#else

/// The block's own traces.
template <class Case, int write = 0>
void prefetch_own(const void* traces, const ElementSetArrays& set, std::int64_t block) {
  const auto* own = static_cast<const typename Case::Real*>(traces) + trace_offset<Case>(set.first_slot, 0);
  prefetch_traces<Case, write>(own, block);
}

/// Traces beyond the block's sides.
template <class Case>
void prefetch_beyond(const void* traces, const ElementSetArrays& set, std::int64_t block) {
  constexpr int slots = Case::Operators::sides * Case::width;
  for (int i = 0; i < slots; ++i) prefetch_trace<Case>(traces, set.beyond[block * slots + i] >> 1);
}

/// The block whose turn is next.
template <class Case>
std::int64_t block_after(const ElementSetArrays& set, const Item& item) {
  return (item.block + 1) * Case::width < set.elements ? item.block + 1 : item.block;
}

/// What general_residual writes for its block, and what it reads for the next one.
template <class Case, int inputs, int outputs>
void prefetch_residual(const GeneralArguments& a, const Item& item) {
  for (int i = 0; i < inputs; ++i)
    if (a.update.inputs[i] != a.state) prefetch_state<Case>(a.update.inputs[i], item.block);
  for (int k = 0; k < outputs; ++k) prefetch_state<Case, 1>(a.update.outputs[k], item.block);
  if (a.next_traces) prefetch_own<Case, 1>(a.next_traces, a.set, item.block);
  const std::int64_t next = block_after<Case>(a.set, item);
  prefetch_state<Case>(a.state, next);
  prefetch_beyond<Case>(a.traces, a.set, next);
  if constexpr (Case::viscous) {
    prefetch_own<Case>(a.viscous_traces, a.set, next);
    prefetch_beyond<Case>(a.viscous_traces, a.set, next);
  }
}

/// The same for general_viscous.
template <class Case>
void prefetch_viscous(const GeneralArguments& a, const Item& item) {
  prefetch_own<Case, 1>(a.viscous_traces, a.set, item.block);
  const std::int64_t next = block_after<Case>(a.set, item);
  prefetch_state<Case>(a.state, next);
  prefetch_beyond<Case>(a.traces, a.set, next);
}

#endif

}  // namespace galerna::kernels
