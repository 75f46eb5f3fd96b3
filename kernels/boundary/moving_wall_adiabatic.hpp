/// \file
/// Wall that slides along itself with prescribed velocity and takes no heat: as no_slip_adiabatic.hpp, with the wall's
/// velocity in u_b. A component of the velocity along the normal is left out.
#pragma once

#include "kernels/boundary/no_slip.hpp"

namespace galerna::kernels {

/// \tparam Data has `template <class V> static Array<V, dimension> velocity(x, y, z, t)`.
template <class Data>
struct MovingWallAdiabatic : AdiabaticWall {
  template <class Equations, class V>
  static Array<V, Equations::variables> viscous_state(const Array<V, Equations::variables>& inside,
                                                      const FacePoint<V, Equations::dimension>& at) {
    const auto& x = at.position;
    const auto velocity = Data::template velocity<V>(x[0], x[1], x[2], at.time);
    return wall_state<Equations>(inside, velocity, temperature_of<Equations>(inside), at.normal);
  }
};

}  // namespace galerna::kernels
