/// \file
/// Far field of a body with lift: as far_field.hpp, but the free stream carries the velocity that the body's lift
/// induces at large distance, that of a compressible point vortex. The force on the walls gives its circulation by
/// Kutta and Joukowski, L = ρ U Γ per unit span, so that no reference length is needed. With r and θ from the centre,
/// the stream's speed U, direction α, Mach number M and β = √(1 − M²), Γ > 0 clockwise,
///   F = Γ β / (2π r (1 − M² sin²(θ − α))),  u = U cos α + F sin θ,  v = U sin α − F cos θ;
/// density and pressure follow from the entropy and total enthalpy of the stream. J. L. Thomas, M. D. Salas, AIAA J. 24
/// (1986) 1074. A stream at rest or a supersonic one carries no vortex.
#pragma once

#include "kernels/boundary/far_field.hpp"

namespace galerna::kernels {

/// The free stream with the vortex of the lift. \param offset of the point from the centre. \param force on the walls,
/// per unit span.
template <class Equations, class V>
Array<V, Equations::variables> with_lift_vortex(const Array<V, Equations::variables>& stream, const Array<V, 2>& offset,
                                                const Array<V, 2>& force) {
  static_assert(Equations::dimension == 2, "the vortex of a lift is plane");
  constexpr double gamma = Equations::gamma, two_pi = 6.283185307179586;
  auto w = Equations::primitive(stream);
  const V square = dot(w.velocity, w.velocity), r2 = dot(offset, offset);
  const V c = Equations::sound_speed(w), sound_square = c * c;
  const V beta2 = (sound_square - square) / sound_square;
  const auto carries = beta2 > V(0) && square > V(0);

  // U r sin(θ − α) and ρ U² Γ
  const V across = w.velocity[0] * offset[1] - w.velocity[1] * offset[0];
  const V lift = w.velocity[0] * force[1] - w.velocity[1] * force[0];
  const V denominator = number<V>(two_pi) * w.density * square * (r2 - across * across / sound_square);
  const V f = select(carries, V(lift * sqrt(select(carries, beta2, V(0))) / select(carries, denominator, V(1))), V(0));
  const V u = w.velocity[0] + f * offset[1], v = w.velocity[1] - f * offset[0];

  // c² + (γ − 1)/2 |v|² and p/ρ^γ are those of the stream.
  const V ratio = V(1) + number<V>(0.5 * (gamma - 1)) * (square - (u * u + v * v)) / sound_square;
  const V thinning = pow(ratio, number<V>(1 / (gamma - 1)));
  w.density = w.density * thinning;
  w.pressure = w.pressure * thinning * ratio;
  w.velocity[0] = u;
  w.velocity[1] = v;
  return Equations::conservative(w);
}

/// \tparam Data as of FarField, and `template <class V> static Array<V, 2> lift_centre(x, y, z, t)`.
template <class Data>
struct LiftingFarField {
  template <class Equations, class V>
  static Array<V, Equations::variables> ghost(const Array<V, Equations::variables>& inside,
                                              const FacePoint<V, Equations::dimension>& at) {
    const auto& x = at.position;
    const auto stream = Data::template state<V>(x[0], x[1], x[2], at.time);
    const auto centre = Data::template lift_centre<V>(x[0], x[1], x[2], at.time);
    const Array<V, 2> offset = {{x[0] - centre[0], x[1] - centre[1]}};
    return characteristic_state<Equations>(inside, with_lift_vortex<Equations>(stream, offset, at.wall_force),
                                           at.normal);
  }
};

}  // namespace galerna::kernels
