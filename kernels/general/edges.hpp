/// \file
/// Traces on the edge of a set of straight triangles whose residual reads the states of neighbours (residual.hpp): for
/// the other sets and the boundary beyond.
#pragma once

#include "kernels/general/arguments.hpp"
#include "kernels/residual.hpp"

namespace galerna::kernels {

/// The item is a side.
template <class Case>
void edge_traces(const EdgeArguments& a, const Item& item) {
  using Operators = typename Case::Operators;
  if (!a.control->active) return;
  const Integers<Case> codes = load_integers<Case>(a.sides, item, 1, 0);
  SideStates<Case> states;
  evaluate_neighbour<Case>(states, a.state, elements_of<Case>(codes), sides_of<Case>(codes), a.side_basis);
  for (int q = 0; q < Operators::side_points; ++q) {
    TraceOffsets<Case> at;
    for (int i = 0; i < at.size(); ++i) {
      const int element = element_of<Case>(codes[i]), side = side_of<Case>(codes[i]);
      const std::int64_t slot = side_slot<Case>({element / Case::width, element % Case::width}, side);
      at[i] = trace_offset<Case>(a.first_slot + slot, q);
    }
    scatter_trace<Case>(a.traces, at, states[q]);
  }
}

}  // namespace galerna::kernels
