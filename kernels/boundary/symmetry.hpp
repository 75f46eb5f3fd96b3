/// \file
/// Plane of symmetry: the ghost state is the mirror image of the state inside. In viscous flow the boundary state has
/// no normal velocity, and the gradients are made symmetric: neither shear stress nor heat flux.
#pragma once

#include "kernels/boundary/mirror.hpp"

namespace galerna::kernels {

struct Symmetry {
  template <class Equations, class V>
  static Array<V, Equations::variables> ghost(const Array<V, Equations::variables>& inside,
                                              const FacePoint<V, Equations::dimension>& at) {
    return mirrored<Equations>(inside, at.normal);
  }

  template <class Equations, class V>
  static Array<V, Equations::variables> viscous_state(const Array<V, Equations::variables>& inside,
                                                      const FacePoint<V, Equations::dimension>& at) {
    return without_normal_velocity<Equations>(inside, at.normal);
  }

  template <class Equations, class V>
  static BoundaryGradients<Equations, V> viscous_gradients(const Array<V, Equations::variables>&,
                                                           const BoundaryGradients<Equations, V>& gradients,
                                                           const FacePoint<V, Equations::dimension>& at) {
    return symmetric_gradients<Equations>(gradients, at.normal);
  }
};

}  // namespace galerna::kernels
