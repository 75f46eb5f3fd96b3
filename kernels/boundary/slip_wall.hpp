/// \file
/// Slip wall: the ghost state mirrors the velocity about the wall, v⁺ = v − 2 (v·n) n, with density and pressure
/// unchanged. n is the normal of the true surface at the quadrature point: with it a straight-sided mesh keeps its
/// order of accuracy along curved walls (L. Krivodonova, M. Berger, J. Comput. Phys. 211 (2006) 492).
#pragma once

#include "kernels/boundary/condition.hpp"

namespace galerna::kernels {

struct SlipWall {
  template <class Equations, class V>
  static Array<V, Equations::variables> ghost(const Array<V, Equations::variables>& inside,
                                              const FacePoint<V, Equations::dimension>& at) {
    V normal_momentum = V(0);
    for (int d = 0; d < Equations::dimension; ++d) normal_momentum += inside[1 + d] * at.wall_normal[d];
    Array<V, Equations::variables> outside = inside;
    for (int d = 0; d < Equations::dimension; ++d)
      outside[1 + d] = inside[1 + d] - V(2) * normal_momentum * at.wall_normal[d];
    return outside;
  }
};

}  // namespace galerna::kernels
