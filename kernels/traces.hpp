/// \file
/// States at the points of sides in memory: traces of all elements and then ghosts; where the kernels of a thread for
/// each straight triangle run on the GPU (residual.hpp), ghosts alone.
/// A slot is a side of an element, number (block · sides + side) · width + lane, or a boundary face; slots are blocked
/// as elements are. The array is [slot][point][variable]: the trace of a neighbour, wherever it is, lies together. On
/// the CPU the pieces of several neighbours become SIMD packs in registers.
#pragma once

#include "kernels/state.hpp"
#ifndef __CUDACC_RTC__
#include "kernels/interleave.hpp"
#endif

namespace galerna::kernels {

/// States on one side at all of its points.
template <class Case>
using SideStates = Array<State<Case>, Case::Operators::side_points>;

/// The slot of an element's side, counted from the first of its set.
template <class Case>
std::int64_t side_slot(const Item& element, int side) {
  return (element.block * Case::Operators::sides + side) * Case::width + element.lane;
}

/// The element, and which of its sides it is, that has a slot of the mesh's only set of elements.
template <class Case>
std::int32_t element_of_slot(std::int32_t slot) {
  return slot / (Case::Operators::sides * Case::width) * Case::width + slot % Case::width;
}
template <class Case>
int side_of_slot(std::int32_t slot) {
  return slot / Case::width % Case::Operators::sides;
}

/// Where the state of slot `slot` at point `point` begins.
template <class Case>
std::int64_t trace_offset(std::int64_t slot, int point) {
  return (slot * Case::Operators::side_points + point) * Case::Equations::variables;
}

/// Where the state at one point begins, for each lane.
template <class Case>
using TraceOffsets = Array<std::int64_t, Integers<Case>::size()>;

/// Stores the state at a point of the slots of `item`, a slot block (GPU: one slot).
template <class Case>
void store_trace(void* traces, const Item& item, int point, const State<Case>& state) {
  using V = typename Case::Value;
  constexpr int variables = Case::Equations::variables;
  auto* to =
      static_cast<typename Case::Real*>(traces) + trace_offset<Case>(item.block * Case::width + item.lane, point);
#ifdef __CUDACC_RTC__
  store_together(to, state);
#else
  constexpr int next = Case::Operators::side_points * variables;  // the next lane's slot
  if constexpr (shuffles<V, variables>())
    scatter_together(state, [&](int lane) { return to + lane * next; });
  else
    for (int lane = 0; lane < Case::width; ++lane)
      for (int v = 0; v < variables; ++v) to[lane * next + v] = lane_of(state[v], lane);
#endif
}

/// Stores a state at points that differ between lanes.
template <class Case>
void scatter_trace(void* traces, const TraceOffsets<Case>& offsets, const State<Case>& values) {
  auto* to = static_cast<typename Case::Real*>(traces);
#ifdef __CUDACC_RTC__
  store_together(to + offsets[0], values);
#else
  constexpr int variables = Case::Equations::variables;
  if constexpr (shuffles<typename Case::Value, variables>())
    return scatter_together(values, [&](int lane) { return to + offsets[lane]; });
  for (int lane = 0; lane < offsets.size(); ++lane)
    for (int v = 0; v < variables; ++v) to[offsets[lane] + v] = lane_of(values[v], lane);
#endif
}

/// The state at a point of slots, one for each lane, that begin at offsets[lane] = trace_offset(slot, 0).
template <class Case>
State<Case> gather_trace(const void* traces, const TraceOffsets<Case>& offsets, int point) {
  using V = typename Case::Value;
  constexpr int variables = Case::Equations::variables;
  const auto* values = static_cast<const typename Case::Real*>(traces) + point * variables;
#ifdef __CUDACC_RTC__
  return load_together<V, variables>(values + offsets[0]);
#else
  if constexpr (shuffles<V, variables>())
    return gather_together<V, variables>([&](int lane) { return values + offsets[lane]; });
  State<Case> state;
  for (int v = 0; v < variables; ++v) state[v] = generate<Case>([&](int i) { return values[offsets[i] + v]; });
  return state;
#endif
}

}  // namespace galerna::kernels
