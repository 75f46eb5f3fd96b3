/// \file
/// Supersonic outflow: no wave enters, so the ghost state is the state inside.
#pragma once

#include "kernels/boundary/condition.hpp"

namespace galerna::kernels {

struct SupersonicOutflow {
  template <class Equations, class V>
  static Array<V, Equations::variables> ghost(const Array<V, Equations::variables>& inside,
                                              const FacePoint<V, Equations::dimension>&) {
    return inside;
  }
};

}  // namespace galerna::kernels
