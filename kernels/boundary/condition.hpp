/// \file
/// What boundary conditions have in common. A condition is a struct with one static function
///   template <class Equations, class V>
///   static Array<V, Equations::variables> ghost(const Array<V, Equations::variables>& inside,
///                                               const FacePoint<V, Equations::dimension>& at);
/// that gives the state beyond the boundary; the numerical flux between `inside` and the ghost state does the rest.
/// Conditions with prescribed data are templates over a struct that the case's formulas make.
#pragma once

#include "kernels/array.hpp"
#include "kernels/lane.hpp"

namespace galerna::kernels {

/// Where and when a ghost state is asked for.
template <class V, int dimension>
struct FacePoint {
  Array<V, 3> position;        ///< of the quadrature point; unused coordinates are 0
  Array<V, dimension> normal;  ///< outward unit normal of the face
  Array<V, dimension>
      wall_normal;  ///< outward unit normal of the true surface, which a straight face only approximates
  V time;
  Array<V, 2> wall_force;  ///< of the fluid on all walls, per unit span (Control::wall_force_x, wall_force_y)
};

template <class Condition, class Equations>
concept HasGhost = requires(const Array<double, Equations::variables>& inside,
                            const FacePoint<double, Equations::dimension>& at) {
  Condition::template ghost<Equations>(inside, at);
};

template <class V, int n>
V dot(const Array<V, n>& a, const Array<V, n>& b) {
  V sum = a[0] * b[0];
  for (int d = 1; d < n; ++d) sum += a[d] * b[d];
  return sum;
}

}  // namespace galerna::kernels
