/// \file
/// The compressible Euler equations ∂u/∂t + ∇·F(u) = 0 of a perfect gas in d = 2 or 3 dimensions,
///   u = (ρ, ρv, E),  F = (ρv, ρ v⊗v + p I, (E + p) v),  p = (γ − 1)(E − ρ|v|²/2)       (docs/theory.md, Euler
///   equations).
/// Temperature is p/ρ (gas constant 1).
#pragma once

#include "kernels/array.hpp"
#include "kernels/lane.hpp"

namespace galerna::kernels {

/// \tparam Parameters has `static constexpr double gamma`, the ratio of specific heats.
template <int dimension_, class Parameters>
struct Euler {
  static constexpr int dimension = dimension_;
  static constexpr int variables = dimension + 2;
  static constexpr double gamma = Parameters::gamma;

  template <class V>
  using State = Array<V, variables>;  ///< (density, momentum…, energy)
  template <class V>
  using Vector = Array<V, dimension>;

  template <class V>
  struct Primitive {
    V density;
    Vector<V> velocity;
    V pressure;
  };

  template <class V>
  static Primitive<V> primitive(const State<V>& u) {
    Primitive<V> w;
    w.density = u[0];
    const V inverse_density = reciprocal(u[0]);
    V twice_kinetic = V(0);
    for (int d = 0; d < dimension; ++d) {
      w.velocity[d] = u[1 + d] * inverse_density;
      twice_kinetic += w.velocity[d] * u[1 + d];
    }
    w.pressure = number<V>(gamma - 1) * (u[variables - 1] - number<V>(0.5) * twice_kinetic);
    return w;
  }

  template <class V>
  static State<V> conservative(const Primitive<V>& w) {
    State<V> u;
    u[0] = w.density;
    V square = V(0);
    for (int d = 0; d < dimension; ++d) {
      u[1 + d] = w.density * w.velocity[d];
      square += w.velocity[d] * w.velocity[d];
    }
    u[variables - 1] = w.pressure * number<V>(1 / (gamma - 1)) + number<V>(0.5) * w.density * square;
    return u;
  }

  /// State from (density, velocity…, pressure).
  template <class V>
  static State<V> from_primitive(const State<V>& values) {
    Primitive<V> w;
    w.density = values[0];
    for (int d = 0; d < dimension; ++d) w.velocity[d] = values[1 + d];
    w.pressure = values[variables - 1];
    return conservative(w);
  }

  template <class V>
  static V sound_speed(const Primitive<V>& w) {
    return positive_sqrt(V(number<V>(gamma) * w.pressure * reciprocal(w.density)));
  }

  /// F(u)·a for any vector a (not only unit normals): physical fluxes, and contravariant ones with a = ∇ξ.
  template <class V>
  static State<V> flux(const State<V>& u, const Primitive<V>& w, const Vector<V>& a) {
    V speed = V(0);
    for (int d = 0; d < dimension; ++d) speed += w.velocity[d] * a[d];
    State<V> f;
    f[0] = u[0] * speed;
    for (int d = 0; d < dimension; ++d) f[1 + d] = u[1 + d] * speed + w.pressure * a[d];
    f[variables - 1] = (u[variables - 1] + w.pressure) * speed;
    return f;
  }

  template <class V>
  static State<V> flux(const State<V>& u, const Vector<V>& a) {
    return flux(u, primitive(u), a);
  }

  /// |v| + c, the largest wave speed in any direction.
  template <class V>
  static V largest_wave_speed(const State<V>& u) {
    const Primitive<V> w = primitive(u);
    V square = V(0);
    for (int d = 0; d < dimension; ++d) square += w.velocity[d] * w.velocity[d];
    return sqrt(square) + sound_speed(w);
  }

  /// Mask: where density and pressure are positive and finite (NaN fails every comparison).
  template <class V>
  static auto admissible(const State<V>& u) {
    const V largest = V(3e38f);
    const V pressure = primitive(u).pressure;
    return u[0] > V(0) && pressure > V(0) && u[0] < largest && pressure < largest;
  }
};

}  // namespace galerna::kernels
