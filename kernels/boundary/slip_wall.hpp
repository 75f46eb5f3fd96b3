/// \file
/// Slip wall: the ghost state mirrors the velocity about the wall, v⁺ = v − 2 (v·n) n, with density and pressure
/// unchanged. n is the normal of the true surface at the quadrature point: with it a straight-sided mesh keeps its
/// order of accuracy along curved walls (L. Krivodonova, M. Berger, J. Comput. Phys. 211 (2006) 492). In viscous flow
/// the wall takes neither shear stress nor heat, as a plane of symmetry, about the normal of the face.
#pragma once

#include "kernels/boundary/symmetry.hpp"

namespace galerna::kernels {

struct SlipWall : Symmetry {
  template <class Equations, class V>
  static Array<V, Equations::variables> ghost(const Array<V, Equations::variables>& inside,
                                              const FacePoint<V, Equations::dimension>& at) {
    return mirrored<Equations>(inside, at.wall_normal);
  }
};

}  // namespace galerna::kernels
