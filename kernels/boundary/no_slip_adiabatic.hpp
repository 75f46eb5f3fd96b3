/// \file
/// Wall at rest that takes no heat: u_b has no velocity and the temperature from inside; the derivative of temperature
/// along the normal is removed.
#pragma once

#include "kernels/boundary/no_slip.hpp"

namespace galerna::kernels {

struct NoSlipAdiabatic : AdiabaticWall {
  template <class Equations, class V>
  static Array<V, Equations::variables> viscous_state(const Array<V, Equations::variables>& inside,
                                                      const FacePoint<V, Equations::dimension>& at) {
    return wall_state<Equations>(inside, at_rest<V, Equations::dimension>(), temperature_of<Equations>(inside),
                                 at.normal);
  }
};

}  // namespace galerna::kernels
