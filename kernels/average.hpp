/// \file
/// Time means: the integral of the state over time by the trapezoidal rule, one state at a time (docs/theory.md, Time
/// means).
#pragma once

#include "kernels/arguments.hpp"
#include "kernels/state.hpp"

namespace galerna::kernels {

/// At the beginning of a step: integral += weight · state.
template <class Config>
void accumulate(const AverageArguments& a, const Item& item) {
  using V = typename Config::Value;
  if (!a.control->active) return;
  const V weight = V(typename Config::Real(a.control->average_weight));
  for (int j = 0; j < Config::Operators::modes; ++j) {
    State<Config> sum = load_mode<Config>(a.integral, item, j);
    const State<Config> state = load_mode<Config>(a.state, item, j);
    for (int v = 0; v < Config::Equations::variables; ++v) sum[v] += weight * state[v];
    store_mode<Config>(a.integral, item, j, sum);
  }
}

}  // namespace galerna::kernels
