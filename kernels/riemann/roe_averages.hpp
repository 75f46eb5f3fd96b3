/// \file
/// Roe's averages of two states of a gas: P. L. Roe, J. Comput. Phys. 43 (1981) 357.
#pragma once

#include "kernels/equations.hpp"
#include "kernels/lane.hpp"

namespace galerna::kernels {

/// Velocity v and enthalpy H are weighted by √ρ; the speed of sound follows from c² = (γ − 1)(H − |v|²/2).
template <class Equations, class V>
struct RoeAverages {
  V density;  ///< √(ρ_l ρ_r)
  Array<V, Equations::dimension> velocity;
  V normal_velocity, square;  ///< v·n, |v|²
  V enthalpy;
  V sound_speed, sound_speed_squared;

  template <class Primitive>
  RoeAverages(const Array<V, Equations::variables>& left, const Primitive& wl,
              const Array<V, Equations::variables>& right, const Primitive& wr,
              const Array<V, Equations::dimension>& normal) {
    constexpr int dimension = Equations::dimension;
    const V root_l = sqrt(wl.density), root_r = sqrt(wr.density), weight = reciprocal(V(root_l + root_r));
    density = root_l * root_r;
    normal_velocity = square = V(0);
    for (int d = 0; d < dimension; ++d) {
      velocity[d] = (root_l * wl.velocity[d] + root_r * wr.velocity[d]) * weight;
      normal_velocity += velocity[d] * normal[d];
      square += velocity[d] * velocity[d];
    }
    const V enthalpy_l = (left[dimension + 1] + wl.pressure) / wl.density;
    const V enthalpy_r = (right[dimension + 1] + wr.pressure) / wr.density;
    enthalpy = (root_l * enthalpy_l + root_r * enthalpy_r) * weight;
    sound_speed_squared =
        number<V>(Equations::gamma - 1) * max(V(enthalpy - number<V>(0.5) * square), number<V>(1e-30));
    sound_speed = sqrt(sound_speed_squared);
  }
};

}  // namespace galerna::kernels
