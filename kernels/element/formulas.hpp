/// \file
/// States that the case's formulas give at points anywhere. Projections and error norms are taken on the host.
#pragma once

#include "kernels/element/arguments.hpp"
#include "kernels/layout.hpp"

namespace galerna::kernels {

/// \tparam Formulas has state(x, y, z, t).
template <class Config, class Formulas>
void formula_states(const StatesArguments& a, const Item& item) {
  using V = typename Config::Value;
  constexpr int variables = Config::Equations::variables;
  Array<V, 3> x;
  for (int d = 0; d < 3; ++d) x[d] = load<Config>(a.positions, item, 3, d);
  const auto u = Formulas::template state<V>(x[0], x[1], x[2], V(typename Config::Real(a.time)));
  for (int v = 0; v < variables; ++v) store<Config>(a.states, item, variables, v, u[v]);
}

}  // namespace galerna::kernels
