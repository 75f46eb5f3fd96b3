/// \file
/// Time means: the integral of the state over time by the trapezoidal rule, one state at a time (docs/theory.md, Time
/// means).
#pragma once

#include "kernels/arguments.hpp"
#include "kernels/state.hpp"

namespace galerna::kernels {

/// At the beginning of a step: integral += weight · state.
template <class Case>
void accumulate(const AverageArguments& a, const Item& item) {
  using V = typename Case::Value;
  if (!a.control->active) return;
  const V weight = V(typename Case::Real(a.control->average_weight));
  for (int j = 0; j < Case::Operators::modes; ++j) {
    State<Case> sum = load_mode<Case>(a.integral, item, j);
    const State<Case> state = load_mode<Case>(a.state, item, j);
    for (int v = 0; v < Case::Equations::variables; ++v) sum[v] += weight * state[v];
    store_mode<Case>(a.integral, item, j, sum);
  }
}

}  // namespace galerna::kernels
