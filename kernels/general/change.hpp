/// \file
/// How much a step changed the solution, on elements of any shape: as change.hpp, the integrals by the volume rule.
#pragma once

#include "kernels/change.hpp"
#include "kernels/general/geometry.hpp"

namespace galerna::kernels {

/// ∫ (Δu)² over the element from the changes of its modes.
template <class Case>
State<Case> squared_norm(const Modes<Case>& change, const Geometry<Case>& geometry) {
  using V = typename Case::Value;
  using Operators = typename Case::Operators;
  constexpr int variables = Case::Equations::variables;
  State<Case> sum;
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

template <class Case>
void general_change(const GeneralChangeArguments& a, const Item& item) {
  using V = typename Case::Value;
  constexpr int variables = Case::Equations::variables, modes = Case::Operators::modes;
  if (!a.control->active) return;
  V largest_change = V(0), largest_mode = V(0);
  const V ratio = ElementStep<Case>(*a.control, a.element_limits, item).ratio(*a.control);
  Modes<Case> change;
#pragma unroll
  for (int j = 0; j < modes; ++j) {
    const State<Case> now = load_mode<Case>(a.state, item, j), before = load_mode<Case>(a.previous, item, j);
    store_mode<Case>(a.previous, item, j, now);
    for (int v = 0; v < variables; ++v) {
      change[v][j] = now[v] - before[v];
      largest_change = max(largest_change, V(abs(change[v][j])));
      largest_mode = max(largest_mode, V(abs(now[v])));
    }
  }
  State<Case> squares = squared_norm<Case>(change, Geometry<Case>(a.set, item));
  const auto counted = is_element<Case>(item, a.set.elements);
  for (int v = 0; v < variables; ++v) squares[v] = select(counted, V(ratio * ratio * squares[v]), V(0));
  store_changes<Case>(a, item, largest_change, largest_mode, squares);
}

}  // namespace galerna::kernels
