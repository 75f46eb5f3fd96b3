/// \file
/// What the kernels need of a system of equations, from its definition: a struct D = Name<dimension, Parameters> of
/// this folder or of a user's header (docs/your-own-equations.md). It has
///   variables                  number of variables
///   flux(u, a)                 F(u)·a for any vector a
///   largest_wave_speed(u)      in any direction
/// and may have
///   wave_speed(u, n)           largest speed along the unit vector n
///   from_primitive(values)     the state from the case's primitives
///   admissible(u)              mask: is the state physical?
///   source(u, position, time)  added to the right-hand side
///   viscous_flux(u, gradients, a)  F_v(u, ∇u)·a for any vector a, gradients[direction][variable], and
///   largest_diffusivity(u)     largest eigenvalue of the matrices ∂(F_v·n)/∂(∂u/∂n), for the step limit
///   primitive(u)               what fluxes and wave speeds are computed from: taken once at a point and given to
///                              flux(u, w, a), wave_speed(u, w, n) and viscous_flux(u, w, gradients, a), which then
///                              stand in place of those without w
///   pressure(u)                for positivity and the direction of waves; needless where primitive(u) has `pressure`
///   entropy_ratio(u, reference)  s(u)/s(reference) of an entropy s > 0 that no flow lowers, for the entropy filter
///   primitive_values(u), primitive_change(w, du), conservative_change(w, dw)
///                              for limiting in primitive variables, and beside them
///   wave_amplitudes(w, n, dw), from_wave_amplitudes(w, n, waves)  in characteristic ones (limiter/variables.hpp)
///   gamma, sound_speed(w)      of gases, whose primitive(u) has density, velocity and pressure, for fluxes of theirs,
///   conservative(w), flow_gradients(w, gradients)  for boundary conditions of theirs (euler.hpp, navier_stokes.hpp).
#pragma once

#include "kernels/equations.hpp"
#include "kernels/lane.hpp"

namespace galerna::kernels {

/// \tparam viscous whether the viscous flux is computed; if not, the system has none, whatever the definition has
template <class D, int dimension_, bool viscous = false>
struct EquationSystem : D {
  static constexpr int dimension = dimension_, variables = D::variables;

  template <class V>
  using State = Array<V, variables>;
  template <class V>
  using Vector = Array<V, dimension>;
  template <class V>
  using Gradients = Array<State<V>, dimension>;  ///< [direction][variable]

  /// What flux and wave speed share; nothing but the state itself where the definition has no primitive(u).
  template <class V>
  static auto primitive(const State<V>& u) {
    if constexpr (requires { D::primitive(u); })
      return D::primitive(u);
    else
      return u;
  }
  template <class V>
  using Primitive = decltype(primitive(State<V>()));

  /// F(u)·a for any vector a. \param w primitive(u)
  template <class V>
  static State<V> flux(const State<V>& u, const Primitive<V>& w, const Vector<V>& a) {
    if constexpr (requires { D::flux(u, w, a); })
      return D::flux(u, w, a);
    else
      return D::flux(u, a);
  }
  template <class V>
  static State<V> flux(const State<V>& u, const Vector<V>& a) {
    return flux(u, primitive(u), a);
  }

  /// The largest along the unit vector n.
  template <class V>
  static V wave_speed(const State<V>& u, const Primitive<V>& w, const Vector<V>& n) {
    if constexpr (requires { D::wave_speed(u, w, n); })
      return D::wave_speed(u, w, n);
    else if constexpr (requires { D::wave_speed(u, n); })
      return D::wave_speed(u, n);
    else
      return D::largest_wave_speed(u);
  }

  template <class V>
  static V pressure(const State<V>& u) requires(
      requires { D::pressure(u); } || requires { D::primitive(u).pressure; }) {
    if constexpr (requires { D::pressure(u); })
      return D::pressure(u);
    else
      return D::primitive(u).pressure;
  }

  /// F_v(u, ∇u)·a for any vector a; it enters the equations with the opposite sign of F(u)·a. \param w primitive(u)
  template <class V>
  static State<V> viscous_flux(const State<V>& u, const Primitive<V>& w, const Gradients<V>& gradients,
                               const Vector<V>& a) requires(viscous) {
    if constexpr (requires { D::viscous_flux(u, w, gradients, a); })
      return D::viscous_flux(u, w, gradients, a);
    else
      return D::viscous_flux(u, gradients, a);
  }
  template <class V>
  static State<V> viscous_flux(const State<V>& u, const Gradients<V>& gradients, const Vector<V>& a) requires(viscous) {
    return viscous_flux(u, primitive(u), gradients, a);
  }

  template <class V>
  static V largest_diffusivity(const State<V>& u) requires(viscous) {
    return D::largest_diffusivity(u);
  }

  /// Without admissible(u) in the definition, where all variables are finite (NaN fails every comparison).
  template <class V>
  static auto admissible(const State<V>& u) {
    if constexpr (requires { D::admissible(u); }) {
      return D::admissible(u);
    } else {
      V largest = abs(u[0]);
      for (int v = 1; v < variables; ++v) largest = largest + abs(u[v]);
      return largest < V(3e38f);
    }
  }
};

}  // namespace galerna::kernels
