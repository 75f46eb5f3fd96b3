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
template <class Config>
using SideStates = Array<State<Config>, Config::Operators::side_points>;

/// The slot of an element's side, counted from the first of its set.
template <class Config>
std::int64_t side_slot(const Item& element, int side) {
  return (element.block * Config::Operators::sides + side) * Config::width + element.lane;
}

/// The element, and which of its sides it is, that has a slot of the mesh's only set of elements.
template <class Config>
std::int32_t element_of_slot(std::int32_t slot) {
  return slot / (Config::Operators::sides * Config::width) * Config::width + slot % Config::width;
}
template <class Config>
int side_of_slot(std::int32_t slot) {
  return slot / Config::width % Config::Operators::sides;
}

/// Where the state of slot `slot` at point `point` begins.
template <class Config>
std::int64_t trace_offset(std::int64_t slot, int point) {
  return (slot * Config::Operators::side_points + point) * Config::Equations::variables;
}

/// Where the state at one point begins, for each lane.
template <class Config>
using TraceOffsets = Array<std::int64_t, Integers<Config>::size()>;

/// Stores the state at a point of the slots of `item`, a slot block (GPU: one slot).
template <class Config>
void store_trace(void* traces, const Item& item, int point, const State<Config>& state) {
  using V = typename Config::Value;
  constexpr int variables = Config::Equations::variables;
  auto* to =
      static_cast<typename Config::Real*>(traces) + trace_offset<Config>(item.block * Config::width + item.lane, point);
#ifdef __CUDACC_RTC__
  store_together(to, state);
#else
  constexpr int next = Config::Operators::side_points * variables;  // the next lane's slot
  if constexpr (shuffles<V>())
    scatter_together(state, [&](int lane) { return to + lane * next; });
  else
    for (int lane = 0; lane < Config::width; ++lane)
      for (int v = 0; v < variables; ++v) to[lane * next + v] = lane_of(state[v], lane);
#endif
}

/// Stores a state at points that differ between lanes.
template <class Config>
void scatter_trace(void* traces, const TraceOffsets<Config>& offsets, const State<Config>& values) {
  auto* to = static_cast<typename Config::Real*>(traces);
#ifdef __CUDACC_RTC__
  store_together(to + offsets[0], values);
#else
  constexpr int variables = Config::Equations::variables;
  if constexpr (shuffles<typename Config::Value>())
    return scatter_together(values, [&](int lane) { return to + offsets[lane]; });
  for (int lane = 0; lane < offsets.size(); ++lane)
    for (int v = 0; v < variables; ++v) to[offsets[lane] + v] = lane_of(values[v], lane);
#endif
}

/// The state at a point of slots, one for each lane, that begin at offsets[lane] = trace_offset(slot, 0).
template <class Config>
State<Config> gather_trace(const void* traces, const TraceOffsets<Config>& offsets, int point) {
  using V = typename Config::Value;
  constexpr int variables = Config::Equations::variables;
  const auto* values = static_cast<const typename Config::Real*>(traces) + point * variables;
#ifdef __CUDACC_RTC__
  return load_together<V, variables>(values + offsets[0]);
#else
  if constexpr (shuffles<V>()) return gather_together<V, variables>([&](int lane) { return values + offsets[lane]; });
  State<Config> state;
  for (int v = 0; v < variables; ++v) state[v] = generate<Config>([&](int i) { return values[offsets[i] + v]; });
  return state;
#endif
}

}  // namespace galerna::kernels
