/// \file
/// What boundary conditions say about viscous terms. Beside `ghost` (condition.hpp) a condition may have
///   template <class Equations, class V>
///   static Array<V, Equations::variables> viscous_state(const Array<V, Equations::variables>& inside,
///                                                       const FacePoint<V, Equations::dimension>& at);
/// the boundary state u_b, at which the viscous flux is taken and to which the lifting jumps (u_b − u⁻), and
///   template <class Equations, class V>
///   static BoundaryGradients<Equations, V> viscous_gradients(const Array<V, Equations::variables>& boundary_state,
///                                                            const BoundaryGradients<Equations, V>& gradients,
///                                                            const FacePoint<V, Equations::dimension>& at);
/// the gradients that the flux sees in place of those from inside. The viscous flux through the face is F_v(u_b,
/// viscous_gradients(∇u⁻ + lifting))·n, without any average. A condition without them takes its ghost state and the
/// gradients from inside (docs/theory.md, Boundary conditions of viscous flow).
#pragma once

#include "kernels/boundary/condition.hpp"

namespace galerna::kernels {

/// ∇u of the conservative variables: [direction][variable].
template <class Equations, class V>
using BoundaryGradients = Array<Array<V, Equations::variables>, Equations::dimension>;

/// u_b of a condition.
template <class Condition, class Equations, class V>
Array<V, Equations::variables> viscous_state(const Array<V, Equations::variables>& inside,
                                             const FacePoint<V, Equations::dimension>& at) {
  if constexpr (requires { Condition::template viscous_state<Equations>(inside, at); })
    return Condition::template viscous_state<Equations>(inside, at);
  else
    return Condition::template ghost<Equations>(inside, at);
}

/// The gradients that the viscous flux sees. \param gradients those from inside, with the lifting's part.
template <class Condition, class Equations, class V>
BoundaryGradients<Equations, V> viscous_gradients(const Array<V, Equations::variables>& boundary_state,
                                                  const BoundaryGradients<Equations, V>& gradients,
                                                  const FacePoint<V, Equations::dimension>& at) {
  if constexpr (requires { Condition::template viscous_gradients<Equations>(boundary_state, gradients, at); })
    return Condition::template viscous_gradients<Equations>(boundary_state, gradients, at);
  else
    return gradients;
}

/// F_v·n through a boundary face.
template <class Condition, class Equations, class V>
Array<V, Equations::variables> boundary_viscous_flux(const Array<V, Equations::variables>& boundary_state,
                                                     const BoundaryGradients<Equations, V>& gradients,
                                                     const FacePoint<V, Equations::dimension>& at) {
  return Equations::viscous_flux(boundary_state,
                                 viscous_gradients<Condition, Equations, V>(boundary_state, gradients, at), at.normal);
}

/// The same of the conditions of a case, chosen by number, as BoundaryList (ghosts.hpp) does for ghost states.
template <class... Conditions>
struct ViscousBoundaryList {
  /// u_b of condition number `index`.
  template <class Equations, class V>
  static Array<V, Equations::variables> state(int index, const Array<V, Equations::variables>& inside,
                                              const FacePoint<V, Equations::dimension>& at) {
    Array<V, Equations::variables> result = inside;
    int position = 0;
    ((position++ == index ? (void)(result = viscous_state<Conditions, Equations, V>(inside, at)) : (void)0), ...);
    return result;
  }

  /// F_v·n of condition number `index`.
  template <class Equations, class V>
  static Array<V, Equations::variables> flux(int index, const Array<V, Equations::variables>& boundary_state,
                                             const BoundaryGradients<Equations, V>& gradients,
                                             const FacePoint<V, Equations::dimension>& at) {
    Array<V, Equations::variables> result = boundary_state;
    int position = 0;
    ((position++ == index
          ? (void)(result = boundary_viscous_flux<Conditions, Equations, V>(boundary_state, gradients, at))
          : (void)0),
     ...);
    return result;
  }
};

}  // namespace galerna::kernels
