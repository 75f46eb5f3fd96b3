/// \file
/// Traces on the edge of a set of straight triangles whose residual reads the states of neighbours (residual.hpp): for
/// the other sets and the boundary beyond.
#pragma once

#include "kernels/element/arguments.hpp"
#include "kernels/residual.hpp"

namespace galerna::kernels {

/// The item is a side.
template <class Config>
void edge_traces(const EdgeArguments& a, const Item& item) {
  using Operators = typename Config::Operators;
  if (!a.control->active) return;
  const Integers<Config> codes = load_integers<Config>(a.sides, item, 1, 0);
  SideStates<Config> states;
  evaluate_neighbour<Config>(states, a.state, elements_of<Config>(codes), sides_of<Config>(codes), a.side_basis);
  for (int q = 0; q < Operators::side_points; ++q) {
    TraceOffsets<Config> at;
    for (int i = 0; i < at.size(); ++i) {
      const int element = element_of<Config>(codes[i]), side = side_of<Config>(codes[i]);
      const std::int64_t slot = a.in_order
                                    ? item.block * Config::width + item.lane + i
                                    : side_slot<Config>({element / Config::width, element % Config::width}, side);
      at[i] = trace_offset<Config>(a.first_slot + slot, q);
    }
    scatter_trace<Config>(a.traces, at, states[q]);
  }
}

}  // namespace galerna::kernels
