/// \file
/// How much a step changed the solution, on elements of any shape: as change.hpp, the integrals by the volume rule.
#pragma once

#include "kernels/change.hpp"
#include "kernels/element/geometry.hpp"

namespace galerna::kernels {

/// ∫ (Δu)² over the element from the changes of its modes.
template <class Config>
State<Config> squared_norm(const Modes<Config>& change, const Geometry<Config>& geometry) {
  using V = typename Config::Value;
  using Operators = typename Config::Operators;
  constexpr int variables = Config::Equations::variables;
  State<Config> sum;
  for (int v = 0; v < variables; ++v) sum[v] = V(0);
#pragma unroll 1
  for (int q = 0; q < Operators::volume_points; ++q) {
    const V weight = V(Operators::volume_weight(q)) / geometry.inverse(q);
    for (int v = 0; v < variables; ++v) {
      V value = V(0);
#pragma unroll
      for (int j = 0; j < Operators::modes; ++j) value += V(Operators::volume_basis(q, j)) * change[v][j];
      sum[v] += weight * value * value;
    }
  }
  return sum;
}

template <class Config>
void element_change(const ElementChangeArguments& a, const Item& item) {
  using V = typename Config::Value;
  constexpr int variables = Config::Equations::variables, modes = Config::Operators::modes;
  if (!a.control->active) return;
  V largest_change = V(0), largest_mode = V(0);
  const V ratio = ElementStep<Config>(*a.control, a.element_limits, item).ratio(*a.control);
  Modes<Config> change;
#pragma unroll
  for (int j = 0; j < modes; ++j) {
    const State<Config> now = load_mode<Config>(a.state, item, j), before = load_mode<Config>(a.previous, item, j);
    store_mode<Config>(a.previous, item, j, now);
    for (int v = 0; v < variables; ++v) {
      change[v][j] = now[v] - before[v];
      largest_change = max(largest_change, V(abs(change[v][j])));
      largest_mode = max(largest_mode, V(abs(now[v])));
    }
  }
  State<Config> squares = squared_norm<Config>(change, Geometry<Config>(a.set, item));
  const auto counted = is_element<Config>(item, a.set.elements);
  for (int v = 0; v < variables; ++v) squares[v] = select(counted, V(ratio * ratio * squares[v]), V(0));
  store_changes<Config>(a, item, largest_change, largest_mode, squares);
}

}  // namespace galerna::kernels
