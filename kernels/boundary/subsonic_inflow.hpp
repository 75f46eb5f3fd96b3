/// \file
/// Subsonic inflow with prescribed total pressure p₀, total temperature T₀ (T = p/ρ) and flow direction d: the Riemann
/// invariant R = v·n + 2c/(γ − 1) that leaves the domain comes from inside. With k = (γ − 1)/2, α = d·n, c₀² = γ T₀,
/// the speed q along d satisfies  c = k (R − α q),  c² = c₀² − k q²,  so
///   (k²α² + k) q² − 2 k² R α q + k² R² − c₀² = 0  (the larger root).
/// J. Blazek, Computational Fluid Dynamics: Principles and Applications, ch. 8.
#pragma once

#include "kernels/boundary/condition.hpp"

namespace galerna::kernels {

/// \tparam Data has static functions of (x, y, z, t) templated on V: total_pressure, total_temperature, and direction,
/// an Array<V, dimension> of any length > 0 that points into the domain.
template <class Data>
struct SubsonicInflow {
  template <class Equations, class V>
  static Array<V, Equations::variables> ghost(const Array<V, Equations::variables>& inside,
                                              const FacePoint<V, Equations::dimension>& at) {
    constexpr double gamma = Equations::gamma, k = 0.5 * (gamma - 1);
    const V x = at.position[0], y = at.position[1], z = at.position[2], t = at.time;
    const auto wi = Equations::primitive(inside);
    const V invariant = dot(wi.velocity, at.normal) + number<V>(2 / (gamma - 1)) * Equations::sound_speed(wi);

    auto direction = Data::template direction<V>(x, y, z, t);
    const V length = sqrt(dot(direction, direction));
    for (int d = 0; d < Equations::dimension; ++d) direction[d] = direction[d] / length;
    const V alpha = dot(direction, at.normal);
    const V total_temperature = Data::template total_temperature<V>(x, y, z, t);
    const V total_c2 = number<V>(gamma) * total_temperature;

    const V a = number<V>(k * k) * alpha * alpha + number<V>(k), half_b = number<V>(k * k) * invariant * alpha;
    const V c = number<V>(k * k) * invariant * invariant - total_c2;
    const V speed = max(V((half_b + sqrt(max(V(half_b * half_b - a * c), V(0)))) / a), V(0));

    // Below T₀/10 (Mach 6.7) the flow is no subsonic inflow at all: keep the state physical while the flow develops.
    const V temperature =
        max(V(total_temperature - number<V>(k / gamma) * speed * speed), V(number<V>(0.1) * total_temperature));
    typename Equations::template Primitive<V> w;
    w.pressure = Data::template total_pressure<V>(x, y, z, t) *
                 pow(V(temperature / total_temperature), number<V>(gamma / (gamma - 1)));
    w.density = w.pressure / temperature;
    for (int d = 0; d < Equations::dimension; ++d) w.velocity[d] = speed * direction[d];
    return Equations::conservative(w);
  }
};

}  // namespace galerna::kernels
