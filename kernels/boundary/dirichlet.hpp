/// \file
/// Prescribed state: the ghost state is that of the case's formulas, whatever the state inside. Serves supersonic
/// inflow (all waves enter) and exact data on any boundary; the numerical flux takes from it what the waves let in.
#pragma once

#include "kernels/boundary/condition.hpp"

namespace galerna::kernels {

/// \tparam Data has `template <class V> static Array<V, variables> state(x, y, z, t)`, conservative.
template <class Data>
struct Dirichlet {
  template <class Equations, class V>
  static Array<V, Equations::variables> ghost(const Array<V, Equations::variables>&,
                                              const FacePoint<V, Equations::dimension>& at) {
    return Data::template state<V>(at.position[0], at.position[1], at.position[2], at.time);
  }
};

}  // namespace galerna::kernels
