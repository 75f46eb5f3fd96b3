/// \file
/// Traces of the solution at the points of all sides of an element, stored for the elements beside it.
#pragma once

#include "kernels/residual.hpp"

namespace galerna::kernels {

template <class Case>
void traces(const TraceArguments& a, const Item& item) {
  using Operators = typename Case::Operators;
  constexpr int variables = Case::Equations::variables;
  if (!a.control->active) return;
  for (int side = 0; side < Operators::sides; ++side) {
    SideStates<Case> states;
    evaluate_side<Case>(states, a.state, item, side);
    for (int q = 0; q < Operators::side_points; ++q)
      for (int v = 0; v < variables; ++v)
        store<Case>(a.traces, item, Operators::sides * Operators::side_points * variables,
                    (side * Operators::side_points + q) * variables + v, states[q][v]);
  }
}

}  // namespace galerna::kernels
