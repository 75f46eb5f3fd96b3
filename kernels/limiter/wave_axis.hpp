/// \file
/// The axis along which waves are told apart where the pressure hardly changes.
#pragma once

#include "kernels/array.hpp"
#include "kernels/lane.hpp"

namespace galerna::kernels {

/// A fixed axis: along it waves are told apart in uniform flow. None that a mesh or a stream is likely to be at right
/// angles to.
template <class V, int dimension>
Array<V, dimension> calm_axis() {
  if constexpr (dimension == 2)
    return {{number<V>(0.8), number<V>(0.6)}};
  else
    return {{number<V>(6.0 / 7), number<V>(3.0 / 7), number<V>(2.0 / 7)}};
}

/// The unit eigenvector of the largest eigenvalue of q⊗q + 10⁻⁴ a⊗a, of either sign: that of q where q is larger than
/// 0.01, that of the fixed axis a where it is smaller, with a smooth turn in between. Waves along n and −n are the
/// same; of arrows, such as q + 0.01 a, there is none where q = −0.01 a, and rounding errors decide. The axis jumps
/// where q is at right angles to a and of the length 0.01 only, where both eigenvalues are equal.
template <class V, int dimension>
Array<V, dimension> wave_axis(const Array<V, dimension>& q) {
  const Array<V, dimension> a = calm_axis<V, dimension>();
  V along = V(0), across = V(0);
  for (int d = 0; d < dimension; ++d) along += q[d] * a[d];
  Array<V, dimension> h;  // the part of q across a
  for (int d = 0; d < dimension; ++d) {
    h[d] = q[d] - along * a[d];
    across += h[d] * h[d];
  }
  // In the plane of a and h, by twice the angle from a.
  const V tiny = number<V>(1e-30), twice = V(2) * along, excess = along * along + number<V>(1e-4) - across;
  const V size = sqrt(V(excess * excess + twice * twice * across + tiny));
  const auto near_a = excess > V(0);
  const V of_a = select(near_a, V(size + excess), V(twice * across)), of_h = select(near_a, twice, V(size - excess));
  Array<V, dimension> n;
  V square = tiny;
  for (int d = 0; d < dimension; ++d) {
    n[d] = of_a * a[d] + of_h * h[d];
    square += n[d] * n[d];
  }
  const V inverse = reciprocal(V(sqrt(square)));
  for (int d = 0; d < dimension; ++d) n[d] *= inverse;
  return n;
}

}  // namespace galerna::kernels
