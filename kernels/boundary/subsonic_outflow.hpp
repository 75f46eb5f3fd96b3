/// \file
/// Subsonic outflow with a prescribed static pressure: entropy, tangential velocity and the outgoing Riemann invariant
/// come from inside,  ρ = ρ_i (p/p_i)^{1/γ},  v = v_i + 2 (c_i − c)/(γ − 1) n.  Supersonic outflow takes the state
/// inside. J. Blazek, Computational Fluid Dynamics: Principles and Applications, ch. 8.
#pragma once

#include "kernels/boundary/condition.hpp"

namespace galerna::kernels {

/// \tparam Data has `template <class V> static V pressure(x, y, z, t)`.
template <class Data>
struct SubsonicOutflow {
  template <class Equations, class V>
  static Array<V, Equations::variables> ghost(const Array<V, Equations::variables>& inside,
                                              const FacePoint<V, Equations::dimension>& at) {
    constexpr double gamma = Equations::gamma;
    const auto wi = Equations::primitive(inside);
    const V ci = Equations::sound_speed(wi);

    typename Equations::template Primitive<V> w;
    w.pressure = Data::template pressure<V>(at.position[0], at.position[1], at.position[2], at.time);
    w.density = wi.density * pow(V(w.pressure / wi.pressure), number<V>(1 / gamma));
    const V c = Equations::sound_speed(w);
    for (int d = 0; d < Equations::dimension; ++d)
      w.velocity[d] = wi.velocity[d] + number<V>(2 / (gamma - 1)) * (ci - c) * at.normal[d];
    const auto subsonic = Equations::conservative(w);

    const auto supersonic = dot(wi.velocity, at.normal) > ci;
    Array<V, Equations::variables> outside;
    for (int v = 0; v < Equations::variables; ++v) outside[v] = select(supersonic, inside[v], subsonic[v]);
    return outside;
  }
};

}  // namespace galerna::kernels
