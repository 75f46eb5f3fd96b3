/// \file
/// How much a step changed the solution: max |c^{n+1} − c^n|, and the L2 norms of (u^{n+1} − u^n)/dt, up to the dt of
/// the control block.
#pragma once

#include "kernels/element_step.hpp"
#include "kernels/state.hpp"

namespace galerna::kernels {

/// Leaves what the elements of a block have found for control.hpp: the largest change and the largest mode, and sums of
/// squares. \param a ChangeArguments, or ElementChangeArguments
template <class Config, class Arguments>
void store_changes(const Arguments& a, const Item& item, const typename Config::Value& largest_change,
                   const typename Config::Value& largest_mode, const State<Config>& squares) {
  for (int v = 0; v < State<Config>::size(); ++v) {
    const LongSum sum = block_long_sum(squares[v]);
    if (item.lane == 0) store_sum(a.partials + (2 + 3 * v) * a.blocks, a.blocks, item.block, sum);
  }
  const double block_change = block_max(largest_change), block_mode = block_max(largest_mode);
  if (item.lane == 0) {
    a.partials[item.block] = block_change;
    a.partials[a.blocks + item.block] = block_mode;
  }
}

template <class Config>
void change(const ChangeArguments& a, const Item& item) {
  using V = typename Config::Value;
  constexpr int variables = Config::Equations::variables, modes = Config::Operators::modes;
  if (!a.control->active) return;
  V largest_change = V(0), largest_mode = V(0);
  const V determinant = load<Config>(a.determinants, item, 1, 0);
  const V ratio = ElementStep<Config>(*a.control, a.element_limits, item).ratio(*a.control);
  State<Config> squares;
  for (int v = 0; v < variables; ++v) squares[v] = V(0);
  for (int j = 0; j < modes; ++j) {
    const State<Config> now = load_mode<Config>(a.state, item, j), before = load_mode<Config>(a.previous, item, j);
    store_mode<Config>(a.previous, item, j, now);
    for (int v = 0; v < variables; ++v) {
      const V difference = now[v] - before[v];
      largest_change = max(largest_change, V(abs(difference)));
      largest_mode = max(largest_mode, V(abs(now[v])));
      const V rate = ratio * difference;
      squares[v] += rate * rate;
    }
  }
  for (int v = 0; v < variables; ++v) squares[v] *= determinant;
  store_changes<Config>(a, item, largest_change, largest_mode, squares);
}

}  // namespace galerna::kernels
