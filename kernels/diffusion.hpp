/// \file
/// What diffuses in an element: the viscous flux of the equations, and artificial viscosity at shocks,
///   F_v(u, ∇u)·a + ε ∇Û·a,   Û = (ρ, ρv, ρH) of a gas, else u,
/// ε linear between the values at an element's corners (kernels/shock/). With enthalpy in place of energy the total
/// enthalpy of a steady flow stays what it is (G. E. Barter, D. L. Darmofal, J. Comput. Phys. 229 (2010) 1810).
#pragma once

#include "kernels/equations.hpp"
#include "kernels/state.hpp"

namespace galerna::kernels {

/// Whether there is artificial viscosity. Operators then have corners, and corner_value(point, corner) of the functions
/// that are 1 at one corner: at volume points, and behind them at the points of all sides.
template <class Config>
constexpr bool has_shock_viscosity() {
  if constexpr (requires { Config::shock_viscosity; })
    return Config::shock_viscosity;
  else
    return false;
}

/// ∇Û·a from gradients of the conservative variables, ∇(ρH) = ∇E + ∇p.
template <class Equations, class V>
Array<V, Equations::variables> smoothed_gradient(
    [[maybe_unused]] const typename Equations::template Primitive<V>& w,
    const Array<Array<V, Equations::variables>, Equations::dimension>& gradients,
    const Array<V, Equations::dimension>& a) {
  constexpr int variables = Equations::variables;
  Array<V, variables> along;
  for (int v = 0; v < variables; ++v) {
    along[v] = V(0);
    for (int d = 0; d < Equations::dimension; ++d) along[v] += gradients[d][v] * a[d];
  }
  if constexpr (IsGas<Equations> && HasPrimitiveChanges<Equations>)
    along[variables - 1] += Equations::primitive_change(w, along)[variables - 1];
  return along;
}

/// The largest eigenvalue of ∂Û/∂u: γ of a gas, ∂(ρH)/∂E.
template <class Equations>
constexpr double largest_smoothing() {
  if constexpr (IsGas<Equations> && HasPrimitiveChanges<Equations>)
    return Equations::gamma;
  else
    return 1;
}

/// ε at a point; 0 without artificial viscosity.
template <class Config>
typename Config::Value shock_viscosity_at([[maybe_unused]] const void* corners, [[maybe_unused]] const Item& item,
                                          [[maybe_unused]] int point) {
  using V = typename Config::Value;
  V sum = V(0);
  if constexpr (has_shock_viscosity<Config>())
    for (int c = 0; c < Config::Operators::corners; ++c)
      sum += V(Config::Operators::corner_value(point, c)) * load<Config>(corners, item, Config::Operators::corners, c);
  return sum;
}

/// The largest ε of an element.
template <class Config>
typename Config::Value largest_shock_viscosity(const void* corners, const Item& item) {
  using V = typename Config::Value;
  V largest = load<Config>(corners, item, Config::Operators::corners, 0);
  for (int c = 1; c < Config::Operators::corners; ++c)
    largest = max(largest, load<Config>(corners, item, Config::Operators::corners, c));
  return largest;
}

/// All that diffuses at a point, along a. \param w primitive(u) \param epsilon ε there
template <class Config, class W>
State<Config> diffusive_flux(const State<Config>& u, const W& w,
                             const Array<State<Config>, Config::Equations::dimension>& gradients,
                             const Vector<Config>& a, [[maybe_unused]] const typename Config::Value& epsilon) {
  using V = typename Config::Value;
  using Equations = typename Config::Equations;
  State<Config> flux;
  if constexpr (requires { Equations::viscous_flux(u, w, gradients, a); })
    flux = Equations::viscous_flux(u, w, gradients, a);
  else
    for (int v = 0; v < Equations::variables; ++v) flux[v] = V(0);
  if constexpr (has_shock_viscosity<Config>()) {
    const State<Config> smoothed = smoothed_gradient<Equations, V>(w, gradients, a);
    for (int v = 0; v < Equations::variables; ++v) flux[v] += epsilon * smoothed[v];
  }
  return flux;
}

}  // namespace galerna::kernels
