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
void prefetch_own(void* TraceArrays::*traces, const GeneralArguments& a, std::int64_t block) {
  using Operators = typename Case::Operators;
  for (int kind = 0; kind < side_kinds<Operators>(); ++kind) {
    const TraceArrays& of = a.faces[kind];
    const std::int64_t numbers = points_of_kind<Operators>(kind) * Case::Equations::variables;
    const auto* own = static_cast<const typename Case::Real*>(of.*traces) + of.first_slot * numbers;
    prefetch_block<Case, write>(own, block, like_sides<Operators>(kind) * numbers);
  }
}

/// Traces beyond the block's sides.
template <class Case>
void prefetch_beyond(void* TraceArrays::*traces, const GeneralArguments& a, std::int64_t block) {
  using Operators = typename Case::Operators;
  for (int side = 0; side < Operators::sides; ++side) {
    const int kind = side_kind<Operators>(side);
    const std::int64_t numbers = points_of_kind<Operators>(kind) * Case::Equations::variables;
    for (int lane = 0; lane < Case::width; ++lane) {
      const std::int32_t code = a.set.beyond[(block * Operators::sides + side) * Case::width + lane];
      prefetch_numbers(static_cast<const typename Case::Real*>(a.faces[kind].*traces) + slot_of<Case>(code) * numbers,
                       numbers);
    }
  }
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
  if (a.faces[0].next_traces) prefetch_own<Case, 1>(&TraceArrays::next_traces, a, item.block);
  const std::int64_t next = block_after<Case>(a.set, item);
  prefetch_state<Case>(a.state, next);
  prefetch_beyond<Case>(&TraceArrays::traces, a, next);
  if constexpr (Case::viscous) {
    prefetch_own<Case>(&TraceArrays::viscous_traces, a, next);
    prefetch_beyond<Case>(&TraceArrays::viscous_traces, a, next);
  }
}

/// The same for general_viscous.
template <class Case>
void prefetch_viscous(const GeneralArguments& a, const Item& item) {
  prefetch_own<Case, 1>(&TraceArrays::viscous_traces, a, item.block);
  const std::int64_t next = block_after<Case>(a.set, item);
  prefetch_state<Case>(a.state, next);
  prefetch_beyond<Case>(&TraceArrays::traces, a, next);
}

#endif

}  // namespace galerna::kernels
