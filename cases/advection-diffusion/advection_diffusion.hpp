/// \file
/// Advection and diffusion of a scalar c in a stream of constant velocity a: ∂c/∂t + ∇·(a c − κ ∇c) = 0.
#pragma once

#include "kernels/array.hpp"
#include "kernels/boundary/viscous.hpp"
#include "kernels/lane.hpp"

namespace galerna::kernels {

/// \tparam Parameters has `velocity_x`, `velocity_y` and `diffusivity` κ.
template <int dimension, class Parameters>
struct AdvectionDiffusion {
  static_assert(dimension == 2);
  static constexpr int variables = 1;

  template <class V>
  using State = Array<V, variables>;
  template <class V>
  using Vector = Array<V, dimension>;

  template <class V>
  static State<V> flux(const State<V>& u, const Vector<V>& a) {
    return {{u[0] * along(a)}};
  }

  template <class V>
  static V wave_speed(const State<V>&, const Vector<V>& n) {
    return abs(along(n));
  }

  template <class V>
  static V largest_wave_speed(const State<V>&) {
    return sqrt(
        number<V>(Parameters::velocity_x * Parameters::velocity_x + Parameters::velocity_y * Parameters::velocity_y));
  }

  /// κ ∇c·a, which enters with the opposite sign of flux. \param gradients [direction][variable]
  template <class V>
  static State<V> viscous_flux(const State<V>&, const Array<State<V>, dimension>& gradients, const Vector<V>& a) {
    V slope = V(0);
    for (int d = 0; d < dimension; ++d) slope += gradients[d][0] * a[d];
    return {{number<V>(Parameters::diffusivity) * slope}};
  }

  template <class V>
  static V largest_diffusivity(const State<V>&) {
    return number<V>(Parameters::diffusivity);
  }

 private:
  /// Velocity · a.
  template <class V>
  static V along(const Vector<V>& a) {
    return number<V>(Parameters::velocity_x) * a[0] + number<V>(Parameters::velocity_y) * a[1];
  }
};

/// A wall along the stream that lets nothing diffuse through it: ∂c/∂n = 0.
struct InsulatedWall {
  template <class Equations, class V>
  static Array<V, Equations::variables> ghost(const Array<V, Equations::variables>& inside,
                                              const FacePoint<V, Equations::dimension>&) {
    return inside;
  }

  /// The gradients without their part along n.
  template <class Equations, class V>
  static BoundaryGradients<Equations, V> viscous_gradients(const Array<V, Equations::variables>&,
                                                           const BoundaryGradients<Equations, V>& gradients,
                                                           const FacePoint<V, Equations::dimension>& at) {
    V slope = V(0);
    for (int d = 0; d < Equations::dimension; ++d) slope += gradients[d][0] * at.normal[d];
    BoundaryGradients<Equations, V> result;
    for (int d = 0; d < Equations::dimension; ++d) result[d][0] = gradients[d][0] - slope * at.normal[d];
    return result;
  }
};

}  // namespace galerna::kernels
