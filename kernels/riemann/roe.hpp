/// \file
/// Roe's flux with Harten's entropy fix: P. L. Roe, J. Comput. Phys. 43 (1981) 357; A. Harten, J. M. Hyman, J. Comput.
/// Phys. 50 (1983) 235. The eigenvalues of the acoustic waves below δ = 0.1 c are replaced by (λ² + δ²)/(2δ).
#pragma once

#include "kernels/riemann/roe_averages.hpp"

namespace galerna::kernels {

struct Roe {
  /// \param normal unit vector from left to right.
  template <IsGas Equations, class V>
  static Array<V, Equations::variables> flux(const Array<V, Equations::variables>& left,
                                             const Array<V, Equations::variables>& right,
                                             const Array<V, Equations::dimension>& normal) {
    constexpr int dimension = Equations::dimension;
    const auto wl = Equations::primitive(left), wr = Equations::primitive(right);

    const RoeAverages<Equations, V> roe(left, wl, right, wr, normal);
    const Array<V, dimension>& velocity = roe.velocity;
    const V u = roe.normal_velocity, enthalpy = roe.enthalpy, density = roe.density, c = roe.sound_speed,
            c2 = roe.sound_speed_squared;
    Array<V, dimension> jump;
    V jump_u = V(0);
    for (int d = 0; d < dimension; ++d) {
      jump[d] = wr.velocity[d] - wl.velocity[d];
      jump_u += jump[d] * normal[d];
    }

    // Wave strengths times |eigenvalue|: entropy and shear waves at u, acoustic waves at u ± c.
    const V jump_p = wr.pressure - wl.pressure;
    const V speed = abs(u);
    const V minus = entropy_fix(V(u - c), c) * (jump_p - density * c * jump_u) / (V(2) * c2);
    const V plus = entropy_fix(V(u + c), c) * (jump_p + density * c * jump_u) / (V(2) * c2);
    const V entropy = speed * (wr.density - wl.density - jump_p / c2);

    Array<V, Equations::variables> dissipation;
    dissipation[0] = minus + entropy + plus;
    V shear_energy = V(0);
    for (int d = 0; d < dimension; ++d) {
      const V shear = speed * density * (jump[d] - jump_u * normal[d]);
      shear_energy += shear * velocity[d];
      dissipation[1 + d] =
          minus * (velocity[d] - c * normal[d]) + entropy * velocity[d] + shear + plus * (velocity[d] + c * normal[d]);
    }
    dissipation[dimension + 1] =
        minus * (enthalpy - c * u) + entropy * number<V>(0.5) * roe.square + shear_energy + plus * (enthalpy + c * u);

    const auto fl = Equations::flux(left, wl, normal), fr = Equations::flux(right, wr, normal);
    Array<V, Equations::variables> f;
    for (int v = 0; v < Equations::variables; ++v) f[v] = number<V>(0.5) * (fl[v] + fr[v] - dissipation[v]);
    return f;
  }

 private:
  template <class V>
  static V entropy_fix(const V& eigenvalue, const V& c) {
    const V delta = number<V>(0.1) * c, size = abs(eigenvalue);
    return select(size < delta, V((eigenvalue * eigenvalue + delta * delta) / (V(2) * delta)), size);
  }
};

}  // namespace galerna::kernels
