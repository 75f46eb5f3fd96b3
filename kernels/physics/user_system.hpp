/// \file
/// What the kernels need of a system of equations, from what a user's header gives (docs/your-own-equations.md). The
/// header's struct D = Name<dimension, Parameters> has
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
///   primitive(u) with density, velocity and pressure, and sound_speed(w), of gases, for fluxes that need them.
#pragma once

#include "kernels/boundary/condition.hpp"

namespace galerna::kernels {

template <class D>
concept HasVariables = requires {
  Array<double, D::variables>();
};

template <class D, int dimension>
concept HasFlux = requires(const Array<double, D::variables>& u, const Array<double, dimension>& a) {
  D::flux(u, a);
};

template <class D>
concept HasWaveSpeed = requires(const Array<double, D::variables>& u) {
  D::largest_wave_speed(u);
};

template <class D>
concept HasFromPrimitive = requires(const Array<double, D::variables>& values) {
  D::from_primitive(values);
};

template <class D>
concept HasSourceFunction = requires(const Array<double, D::variables>& u, const Array<double, 3>& x, const double& t) {
  D::source(u, x, t);
};

template <class D, int dimension>
concept HasViscousFlux = requires(const Array<double, D::variables>& u,
                                  const Array<Array<double, D::variables>, dimension>& gradients,
                                  const Array<double, dimension>& a) {
  D::viscous_flux(u, gradients, a);
};

template <class D>
concept HasDiffusivity = requires(const Array<double, D::variables>& u) {
  D::largest_diffusivity(u);
};

/// Of a struct that gives ghost states.
template <class Ghost, class Equations>
concept HasGhost = requires(const Array<double, Equations::variables>& inside,
                            const FacePoint<double, Equations::dimension>& at) {
  Ghost::template ghost<Equations>(inside, at);
};

template <class D>
concept HasGas = requires(const Array<double, D::variables>& u) {
  D::primitive(u).density;
  D::primitive(u).velocity[0];
  D::primitive(u).pressure;
  D::sound_speed(D::primitive(u));
};

/// \tparam viscous whether the viscous flux is computed; if not, the system has none, whatever the header has
template <class D, int dimension_, bool viscous>
struct UserSystem : D {
  static constexpr int dimension = dimension_, variables = D::variables;

  template <class V>
  using State = Array<V, variables>;
  template <class V>
  using Vector = Array<V, dimension>;
  template <class V>
  using Gradients = Array<State<V>, dimension>;  ///< [direction][variable]

  /// What flux and wave speed share; nothing but the state itself where the header has no primitive(u).
  template <class V>
  static auto primitive(const State<V>& u) {
    if constexpr (requires { D::primitive(u); })
      return D::primitive(u);
    else
      return u;
  }

  template <class V>
  static State<V> flux(const State<V>& u, const Vector<V>& a) {
    return D::flux(u, a);
  }
  template <class V, class W>
  static State<V> flux(const State<V>& u, const W&, const Vector<V>& a) {
    return D::flux(u, a);
  }

  template <class V, class W>
  static V wave_speed(const State<V>& u, const W&, const Vector<V>& n) {
    if constexpr (requires { D::wave_speed(u, n); })
      return D::wave_speed(u, n);
    else
      return D::largest_wave_speed(u);
  }

  /// F_v(u, ∇u)·a for any vector a.
  template <class V>
  static State<V> viscous_flux(const State<V>& u, const Gradients<V>& gradients, const Vector<V>& a) requires(viscous) {
    return D::viscous_flux(u, gradients, a);
  }
  template <class V, class W>
  static State<V> viscous_flux(const State<V>& u, const W&, const Gradients<V>& gradients,
                               const Vector<V>& a) requires(viscous) {
    return D::viscous_flux(u, gradients, a);
  }

  template <class V>
  static V largest_diffusivity(const State<V>& u) requires(viscous) {
    return D::largest_diffusivity(u);
  }

  /// Without admissible(u) in the header, where all variables are finite (NaN fails every comparison).
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
