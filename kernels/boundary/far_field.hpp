/// \file
/// Characteristic far field: the one-dimensional Riemann invariants along the normal n, with the outgoing one from
/// inside and the incoming one from the free stream,
///   R⁺ = v·n + 2c/(γ − 1) (inside),  R⁻ = v·n − 2c/(γ − 1) (free stream),
///   v·n = (R⁺ + R⁻)/2,  c = (γ − 1)(R⁺ − R⁻)/4;
/// entropy p/ρ^γ and tangential velocity come from the side that the flow comes from, and from both where it goes along
/// the boundary. Supersonic flow takes the whole state from that side. J. Blazek, Computational Fluid Dynamics:
/// Principles and Applications, ch. 8.
#pragma once

#include "kernels/boundary/condition.hpp"

namespace galerna::kernels {

/// Of entropy and tangential velocity, by the normal speed u: 1 for outflow, 0 for inflow, and smooth in between over
/// 2 `width`, so that the residual of a flow along the boundary has a derivative.
template <class V>
V share_from_inside(const V& u, const V& width) {
  const V bounded = select(u > width, width, select(u < -width, V(-width), u)), x = bounded / width;
  return number<V>(0.5) + x * (number<V>(0.75) - number<V>(0.25) * x * x);
}

/// The ghost state between the state inside and that of the free stream, for the outward unit normal.
template <class Equations, class V>
Array<V, Equations::variables> characteristic_state(const Array<V, Equations::variables>& inside,
                                                    const Array<V, Equations::variables>& stream,
                                                    const Array<V, Equations::dimension>& normal) {
  constexpr double gamma = Equations::gamma;
  constexpr int dimension = Equations::dimension;
  const auto wi = Equations::primitive(inside), ws = Equations::primitive(stream);
  const V ui = dot(wi.velocity, normal), us = dot(ws.velocity, normal);
  const V ci = Equations::sound_speed(wi), cs = Equations::sound_speed(ws);

  const V outgoing = ui + number<V>(2 / (gamma - 1)) * ci, incoming = us - number<V>(2 / (gamma - 1)) * cs;
  const V u = number<V>(0.5) * (outgoing + incoming), c = number<V>(0.25 * (gamma - 1)) * (outgoing - incoming);
  const V share = share_from_inside(u, V(number<V>(0.05) * sqrt(dot(ws.velocity, ws.velocity)) + number<V>(1e-6) * cs));
  const auto mixed = [&share](const V& in, const V& out) { return V(share * in + (V(1) - share) * out); };
  const V entropy =
      mixed(V(wi.pressure / pow(wi.density, number<V>(gamma))), V(ws.pressure / pow(ws.density, number<V>(gamma))));

  typename Equations::template Primitive<V> w;
  w.density = pow(V(c * c / (number<V>(gamma) * entropy)), number<V>(1 / (gamma - 1)));
  w.pressure = w.density * c * c * number<V>(1 / gamma);
  for (int d = 0; d < dimension; ++d)
    w.velocity[d] = mixed(V(wi.velocity[d] - ui * normal[d]), V(ws.velocity[d] - us * normal[d])) + u * normal[d];
  const auto subsonic = Equations::conservative(w);

  const auto supersonic_out = ui > ci, supersonic_in = us < -cs;
  Array<V, Equations::variables> outside;
  for (int v = 0; v < Equations::variables; ++v)
    outside[v] = select(supersonic_out, inside[v], select(supersonic_in, stream[v], subsonic[v]));
  return outside;
}

/// \tparam Data has `template <class V> static Array<V, variables> state(x, y, z, t)`, the free stream, conservative.
template <class Data>
struct FarField {
  template <class Equations, class V>
  static Array<V, Equations::variables> ghost(const Array<V, Equations::variables>& inside,
                                              const FacePoint<V, Equations::dimension>& at) {
    const auto& x = at.position;
    return characteristic_state<Equations>(inside, Data::template state<V>(x[0], x[1], x[2], at.time), at.normal);
  }
};

}  // namespace galerna::kernels
