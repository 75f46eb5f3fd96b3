/// \file
/// The shallow water equations over a flat bed, for depth h and mean velocity v:
///   u = (h, hv),  F = (hv, h v⊗v + ½ g h² I).
#pragma once

#include "kernels/boundary/condition.hpp"

namespace galerna::kernels {

/// \tparam Parameters has `gravity`.
template <int dimension, class Parameters>
struct ShallowWater {
  static constexpr int variables = 1 + dimension;

  template <class V>
  using State = Array<V, variables>;  ///< (depth, momentum…)

  /// F(u)·a for any vector a.
  template <class V>
  static State<V> flux(const State<V>& u, const Array<V, dimension>& a) {
    const V speed = velocity_along(u, a), pressure = number<V>(0.5 * Parameters::gravity) * u[0] * u[0];
    State<V> f;
    f[0] = u[0] * speed;
    for (int d = 0; d < dimension; ++d) f[1 + d] = u[1 + d] * speed + pressure * a[d];
    return f;
  }

  /// |v·n| + √(g h) along the unit vector n.
  template <class V>
  static V wave_speed(const State<V>& u, const Array<V, dimension>& n) {
    return abs(velocity_along(u, n)) + gravity_wave_speed(u);
  }

  /// |v| + √(g h).
  template <class V>
  static V largest_wave_speed(const State<V>& u) {
    V square = V(0);
    for (int d = 0; d < dimension; ++d) square += u[1 + d] * u[1 + d];
    return sqrt(square) / u[0] + gravity_wave_speed(u);
  }

  /// The state from (depth, velocity…).
  template <class V>
  static State<V> from_primitive(const State<V>& values) {
    State<V> u = values;
    for (int d = 0; d < dimension; ++d) u[1 + d] = values[0] * values[1 + d];
    return u;
  }

  /// The bed must not fall dry.
  template <class V>
  static auto admissible(const State<V>& u) {
    return u[0] > V(0) && u[0] < V(3e38f);
  }

 private:
  template <class V>
  static V velocity_along(const State<V>& u, const Array<V, dimension>& a) {
    V sum = V(0);
    for (int d = 0; d < dimension; ++d) sum += u[1 + d] * a[d];
    return sum / u[0];
  }

  template <class V>
  static V gravity_wave_speed(const State<V>& u) {
    return sqrt(V(number<V>(Parameters::gravity) * u[0]));
  }
};

/// A wall: the ghost state has the momentum mirrored about it.
struct ReflectingWall {
  template <class Equations, class V>
  static Array<V, Equations::variables> ghost(const Array<V, Equations::variables>& inside,
                                              const FacePoint<V, Equations::dimension>& at) {
    V normal = V(0);
    for (int d = 0; d < Equations::dimension; ++d) normal += inside[1 + d] * at.normal[d];
    Array<V, Equations::variables> outside = inside;
    for (int d = 0; d < Equations::dimension; ++d) outside[1 + d] = inside[1 + d] - V(2) * normal * at.normal[d];
    return outside;
  }
};

}  // namespace galerna::kernels
