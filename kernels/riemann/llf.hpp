/// \file
/// Local Lax–Friedrichs (Rusanov) flux: F* = ½ (F(u⁻) + F(u⁺))·n − ½ λ (u⁺ − u⁻), λ the larger of both sides' wave
/// speeds along n (of gases |v·n| + c).
/// V. V. Rusanov, USSR Comput. Math. Math. Phys. 1 (1962) 304.
#pragma once

#include "kernels/array.hpp"
#include "kernels/lane.hpp"

namespace galerna::kernels {

struct LocalLaxFriedrichs {
  /// \param normal unit vector from left to right.
  template <class Equations, class V>
  static Array<V, Equations::variables> flux(const Array<V, Equations::variables>& left,
                                             const Array<V, Equations::variables>& right,
                                             const Array<V, Equations::dimension>& normal) {
    const auto wl = Equations::primitive(left), wr = Equations::primitive(right);
    const V half_speed =
        number<V>(0.5) * max(V(Equations::wave_speed(left, wl, normal)), V(Equations::wave_speed(right, wr, normal)));
    const auto fl = Equations::flux(left, wl, normal), fr = Equations::flux(right, wr, normal);
    Array<V, Equations::variables> f;
    for (int v = 0; v < Equations::variables; ++v)
      f[v] = number<V>(0.5) * (fl[v] + fr[v]) - half_speed * (right[v] - left[v]);
    return f;
  }
};

}  // namespace galerna::kernels
