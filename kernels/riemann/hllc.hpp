/// \file
/// HLLC flux with the wave speed estimates of Einfeldt and Batten: E. F. Toro, M. Spruce, W. Speares, Shock Waves 4
/// (1994) 25; P. Batten et al., SIAM J. Sci. Comput. 18 (1997) 1553. Resolves contact and shear waves exactly.
#pragma once

#include "kernels/riemann/roe_averages.hpp"

namespace galerna::kernels {

struct Hllc {
  /// \param normal unit vector from left to right.
  template <IsGas Equations, class V>
  static Array<V, Equations::variables> flux(const Array<V, Equations::variables>& left,
                                             const Array<V, Equations::variables>& right,
                                             const Array<V, Equations::dimension>& normal) {
    constexpr int dimension = Equations::dimension;
    const auto wl = Equations::primitive(left), wr = Equations::primitive(right);
    V ul = V(0), ur = V(0);
    for (int d = 0; d < dimension; ++d) {
      ul += wl.velocity[d] * normal[d];
      ur += wr.velocity[d] * normal[d];
    }
    const V cl = Equations::sound_speed(wl), cr = Equations::sound_speed(wr);

    // Roe averages give the speeds of the outer waves.
    const RoeAverages<Equations, V> roe(left, wl, right, wr, normal);
    const V u = roe.normal_velocity, c = roe.sound_speed;
    const V sl = min(V(ul - cl), V(u - c)), sr = max(V(ur + cr), V(u + c));

    const V ml = wl.density * (sl - ul), mr = wr.density * (sr - ur);
    const V contact = (wr.pressure - wl.pressure + ul * ml - ur * mr) / (ml - mr);

    const auto fl = Equations::flux(left, wl, normal), fr = Equations::flux(right, wr, normal);
    const auto star_l = star_flux<Equations>(left, wl.pressure, ul, sl, contact, fl, normal);
    const auto star_r = star_flux<Equations>(right, wr.pressure, ur, sr, contact, fr, normal);
    Array<V, Equations::variables> f;
    for (int v = 0; v < Equations::variables; ++v) {
      const V middle = select(contact >= V(0), star_l[v], star_r[v]);
      f[v] = select(sl >= V(0), fl[v], select(sr <= V(0), fr[v], middle));
    }
    return f;
  }

 private:
  /// Flux between the outer wave of speed s and the contact of speed `contact`: F + s (u* − u).
  template <class Equations, class V>
  static Array<V, Equations::variables> star_flux(const Array<V, Equations::variables>& state, const V& pressure,
                                                  const V& speed, const V& s, const V& contact,
                                                  const Array<V, Equations::variables>& flux,
                                                  const Array<V, Equations::dimension>& normal) {
    constexpr int dimension = Equations::dimension;
    const V factor = (s - speed) / (s - contact);
    const V star_density = state[0] * factor;
    Array<V, Equations::variables> f;
    f[0] = flux[0] + s * (star_density - state[0]);
    for (int d = 0; d < dimension; ++d) {
      const V star = factor * state[1 + d] + star_density * (contact - speed) * normal[d];
      f[1 + d] = flux[1 + d] + s * (star - state[1 + d]);
    }
    const V energy = state[dimension + 1];
    const V star_energy =
        factor * energy + star_density * (contact - speed) * (contact + pressure / (state[0] * (s - speed)));
    f[dimension + 1] = flux[dimension + 1] + s * (star_energy - energy);
    return f;
  }
};

}  // namespace galerna::kernels
