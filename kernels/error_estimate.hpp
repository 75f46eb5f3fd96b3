/// \file
/// Error-controlled steps: the weighted error of a step, and the replacement of u^n by u^{n+1} where the step is
/// accepted.
#pragma once

#include "kernels/arguments.hpp"
#include "kernels/residual.hpp"

namespace galerna::kernels {

/// Σ over the elements of the block of (error / (tolerance (1 + max(|u^n|, |u^{n+1}|))))²; E. Hairer, S. P. Nørsett, G.
/// Wanner, Solving Ordinary Differential Equations I, eq. II.4.11.
template <class Config>
void embedded_error(const EmbeddedArguments& a, const Item& item) {
  using V = typename Config::Value;
  if (!a.control->active) return;
  V sum = V(0);
  for (int j = 0; j < Config::Operators::modes; ++j) {
    const State<Config> before = load_mode<Config>(a.state, item, j), after = load_mode<Config>(a.candidate, item, j),
                        error = load_mode<Config>(a.error, item, j);
    for (int v = 0; v < Config::Equations::variables; ++v) {
      const V largest = max(V(abs(before[v])), V(abs(after[v])));
      const V ratio = error[v] / (V(typename Config::Real(a.control->tolerance)) * (V(1) + largest));
      sum += ratio * ratio;
    }
  }
  // Padding repeats the last element: an error that counted it would depend on how many lanes a block has.
  const LongSum block = block_long_sum(select(is_element<Config>(item, a.elements), sum, V(0)));
  if (item.lane == 0) store_sum(a.partials, a.blocks, item.block, block);
}

template <class Config>
void embedded_commit(const EmbeddedArguments& a, const Item& item) {
  if (!a.control->active || !a.control->accepted) return;
  for (int j = 0; j < Config::Operators::modes; ++j)
    store_mode<Config>(a.state, item, j, load_mode<Config>(a.candidate, item, j));
}

}  // namespace galerna::kernels
