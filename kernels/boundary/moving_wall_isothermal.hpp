/// \file
/// Wall that slides along itself with prescribed velocity, at prescribed temperature (p/ρ): as no_slip_isothermal.hpp,
/// with the wall's velocity in u_b. A component of the velocity along the normal is left out.
#pragma once

#include "kernels/boundary/no_slip.hpp"

namespace galerna::kernels {

/// \tparam Data has static functions of (x, y, z, t) templated on V: temperature, and velocity, an Array<V, dimension>.
template <class Data>
struct MovingWallIsothermal : Wall {
  template <class Equations, class V>
  static Array<V, Equations::variables> viscous_state(const Array<V, Equations::variables>& inside,
                                                      const FacePoint<V, Equations::dimension>& at) {
    const auto& x = at.position;
    const auto velocity = Data::template velocity<V>(x[0], x[1], x[2], at.time);
    const V temperature = Data::template temperature<V>(x[0], x[1], x[2], at.time);
    return wall_state<Equations>(inside, velocity, temperature, at.normal);
  }
};

}  // namespace galerna::kernels
