/// \file
/// Sound in a fluid at rest, the Euler equations linearized about density ρ₀ and speed of sound c, for the disturbance
/// of pressure p and the momentum m = ρ₀ v:
///   ∂p/∂t + c² ∇·m = 0,   ∂m/∂t + ∇p = 0.
/// R. J. LeVeque, Finite Volume Methods for Hyperbolic Problems, Cambridge 2002, section 2.7.
#pragma once

#include "kernels/array.hpp"
#include "kernels/lane.hpp"

namespace galerna::kernels {

/// \tparam Parameters has `density` ρ₀ and `sound_speed` c.
template <int dimension, class Parameters>
struct Acoustics {
  static constexpr int variables = 1 + dimension;

  template <class V>
  using State = Array<V, variables>;  ///< (pressure, momentum…)

  /// F(u)·a for any vector a.
  template <class V>
  static State<V> flux(const State<V>& u, const Array<V, dimension>& a) {
    State<V> f;
    V along = V(0);
    for (int d = 0; d < dimension; ++d) {
      along += u[1 + d] * a[d];
      f[1 + d] = u[0] * a[d];
    }
    f[0] = number<V>(Parameters::sound_speed * Parameters::sound_speed) * along;
    return f;
  }

  template <class V>
  static V largest_wave_speed(const State<V>&) {
    return number<V>(Parameters::sound_speed);
  }

  /// The state from (pressure, velocity…).
  template <class V>
  static State<V> from_primitive(const State<V>& values) {
    State<V> u = values;
    for (int d = 0; d < dimension; ++d) u[1 + d] = number<V>(Parameters::density) * values[1 + d];
    return u;
  }
};

}  // namespace galerna::kernels
