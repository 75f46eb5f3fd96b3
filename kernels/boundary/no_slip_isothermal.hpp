/// \file
/// Wall at rest of prescribed temperature (p/ρ): u_b has no velocity and the wall's temperature; the gradients are
/// those from inside.
#pragma once

#include "kernels/boundary/no_slip.hpp"

namespace galerna::kernels {

/// \tparam Data has `template <class V> static V temperature(x, y, z, t)`.
template <class Data>
struct NoSlipIsothermal : Wall {
  template <class Equations, class V>
  static Array<V, Equations::variables> viscous_state(const Array<V, Equations::variables>& inside,
                                                      const FacePoint<V, Equations::dimension>& at) {
    const auto& x = at.position;
    const V temperature = Data::template temperature<V>(x[0], x[1], x[2], at.time);
    return wall_state<Equations>(inside, at_rest<V, Equations::dimension>(), temperature, at.normal);
  }
};

}  // namespace galerna::kernels
