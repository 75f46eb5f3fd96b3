/// \file
/// What walls to which the fluid sticks have in common. The ghost state of the inviscid flux mirrors the velocity
/// about the wall, so that this flux is a pressure; velocity and temperature of the wall come in by the viscous terms,
/// through the boundary state u_b = (density from inside, velocity of the wall, temperature of the wall or from
/// inside). F. Bassi, S. Rebay, J. Comput. Phys. 131 (1997) 267; R. Hartmann, P. Houston, Int. J. Numer. Anal. Model. 3
/// (2006) 1, who keep the density in this way.
#pragma once

#include "kernels/boundary/mirror.hpp"

namespace galerna::kernels {

/// Temperature p/ρ of a state.
template <class Equations, class V>
V temperature_of(const Array<V, Equations::variables>& state) {
  const auto w = Equations::primitive(state);
  return w.pressure * reciprocal(w.density);
}

/// u_b of a wall: density from inside, the velocity without its component along n (walls may slide, but let nothing
/// through), the temperature.
template <class Equations, class V>
Array<V, Equations::variables> wall_state(const Array<V, Equations::variables>& inside,
                                          const Array<V, Equations::dimension>& velocity, const V& temperature,
                                          const Array<V, Equations::dimension>& n) {
  typename Equations::template Primitive<V> w;
  w.density = inside[0];
  w.pressure = w.density * temperature;
  const V across = dot(velocity, n);
  for (int d = 0; d < Equations::dimension; ++d) w.velocity[d] = velocity[d] - across * n[d];
  return Equations::conservative(w);
}

template <class V, int dimension>
Array<V, dimension> at_rest() {
  Array<V, dimension> velocity;
  for (int d = 0; d < dimension; ++d) velocity[d] = V(0);
  return velocity;
}

/// The gradients without the derivative of temperature along n; density and velocity keep theirs. At constant density
/// and velocity dE = ρ/(γ − 1) dT, so that only the gradient of energy changes.
template <class Equations, class V>
BoundaryGradients<Equations, V> without_normal_heat(const Array<V, Equations::variables>& state,
                                                    const BoundaryGradients<Equations, V>& gradients,
                                                    const Array<V, Equations::dimension>& n) {
  constexpr int energy = Equations::variables - 1;
  const auto w = Equations::primitive(state);
  const V across = dot(Equations::flow_gradients(w, gradients).temperature, n);
  const V change = number<V>(1 / (Equations::gamma - 1)) * w.density * across;
  BoundaryGradients<Equations, V> result = gradients;
  for (int d = 0; d < Equations::dimension; ++d) result[d][energy] = gradients[d][energy] - change * n[d];
  return result;
}

/// Ghost state of all walls.
struct Wall {
  template <class Equations, class V>
  static Array<V, Equations::variables> ghost(const Array<V, Equations::variables>& inside,
                                              const FacePoint<V, Equations::dimension>& at) {
    return mirrored<Equations>(inside, at.normal);
  }
};

/// The gradients of walls that take no heat.
struct AdiabaticWall : Wall {
  template <class Equations, class V>
  static BoundaryGradients<Equations, V> viscous_gradients(const Array<V, Equations::variables>& boundary_state,
                                                           const BoundaryGradients<Equations, V>& gradients,
                                                           const FacePoint<V, Equations::dimension>& at) {
    return without_normal_heat<Equations>(boundary_state, gradients, at.normal);
  }
};

}  // namespace galerna::kernels
