/// \file
/// Error-controlled steps: the weighted error of a step, and the replacement of u^n by u^{n+1} where the step is
/// accepted.
#pragma once

#include "kernels/arguments.hpp"
#include "kernels/residual.hpp"

namespace galerna::kernels {

/// Σ over the block of (error / (tolerance (1 + max(|u^n|, |u^{n+1}|))))²; E. Hairer, S. P. Nørsett, G. Wanner, Solving
/// Ordinary Differential Equations I, eq. II.4.11.
template <class Case>
void embedded_error(const EmbeddedArguments& a, const Item& item) {
  using V = typename Case::Value;
  constexpr int values = Case::Equations::variables * Case::Operators::modes;
  if (!a.control->active) return;
  V sum = V(0);
  for (int k = 0; k < values; ++k) {
    const V before = abs(load<Case>(a.state, item, values, k)), after = abs(load<Case>(a.candidate, item, values, k));
    const V weight = V(typename Case::Real(a.control->tolerance)) * (V(1) + max(before, after));
    const V ratio = load<Case>(a.error, item, values, k) / weight;
    sum += ratio * ratio;
  }
  const double block = block_sum(sum);
  if (item.lane == 0) a.partials[item.block] = block;
}

template <class Case>
void embedded_commit(const EmbeddedArguments& a, const Item& item) {
  constexpr int values = Case::Equations::variables * Case::Operators::modes;
  if (!a.control->active || !a.control->accepted) return;
  for (int k = 0; k < values; ++k) store<Case>(a.state, item, values, k, load<Case>(a.candidate, item, values, k));
}

}  // namespace galerna::kernels
