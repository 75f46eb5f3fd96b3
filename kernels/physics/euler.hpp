/// \file
/// The compressible Euler equations ∂u/∂t + ∇·F(u) = 0 of a perfect gas in d = 2 or 3 dimensions,
///   u = (ρ, ρv, E),  F = (ρv, ρ v⊗v + p I, (E + p) v),  p = (γ − 1)(E − ρ|v|²/2)       (docs/theory.md, Euler
///   equations).
/// Temperature is p/ρ (gas constant 1).
#pragma once

#include "kernels/array.hpp"
#include "kernels/power.hpp"

namespace galerna::kernels {

/// \tparam Parameters has `static constexpr double gamma`, the ratio of specific heats.
template <int dimension, class Parameters>
struct Euler {
  static constexpr int variables = dimension + 2;
  static constexpr double gamma = Parameters::gamma;

  template <class V>
  using State = Array<V, variables>;  ///< (density, momentum…, energy)
  template <class V>
  using Vector = Array<V, dimension>;

  template <class V>
  struct Primitive {
    V density;
    Vector<V> velocity;
    V pressure;
  };

  template <class V>
  static Primitive<V> primitive(const State<V>& u) {
    Primitive<V> w;
    w.density = u[0];
    const V inverse_density = reciprocal(u[0]);
    V twice_kinetic = V(0);
    for (int d = 0; d < dimension; ++d) {
      w.velocity[d] = u[1 + d] * inverse_density;
      twice_kinetic += w.velocity[d] * u[1 + d];
    }
    w.pressure = number<V>(gamma - 1) * (u[variables - 1] - number<V>(0.5) * twice_kinetic);
    return w;
  }

  template <class V>
  static State<V> conservative(const Primitive<V>& w) {
    State<V> u;
    u[0] = w.density;
    V square = V(0);
    for (int d = 0; d < dimension; ++d) {
      u[1 + d] = w.density * w.velocity[d];
      square += w.velocity[d] * w.velocity[d];
    }
    u[variables - 1] = w.pressure * number<V>(1 / (gamma - 1)) + number<V>(0.5) * w.density * square;
    return u;
  }

  /// State from (density, velocity…, pressure).
  template <class V>
  static State<V> from_primitive(const State<V>& values) {
    Primitive<V> w;
    w.density = values[0];
    for (int d = 0; d < dimension; ++d) w.velocity[d] = values[1 + d];
    w.pressure = values[variables - 1];
    return conservative(w);
  }

  template <class V>
  static V sound_speed(const Primitive<V>& w) {
    return positive_sqrt(V(number<V>(gamma) * w.pressure * reciprocal(w.density)));
  }

  /// F(u)·a for any vector a (not only unit normals): physical fluxes, and contravariant ones with a = ∇ξ.
  template <class V>
  static State<V> flux(const State<V>& u, const Primitive<V>& w, const Vector<V>& a) {
    V speed = V(0);
    for (int d = 0; d < dimension; ++d) speed += w.velocity[d] * a[d];
    State<V> f;
    f[0] = u[0] * speed;
    for (int d = 0; d < dimension; ++d) f[1 + d] = u[1 + d] * speed + w.pressure * a[d];
    f[variables - 1] = (u[variables - 1] + w.pressure) * speed;
    return f;
  }

  /// Entropy p ρ^−γ of a state over that of another one.
  template <class V>
  static V entropy_ratio(const State<V>& u, const State<V>& reference) {
    const V pressure = primitive(u).pressure * reciprocal(primitive(reference).pressure);
    return pressure * power_near_one(V(u[0] * reciprocal(reference[0])), -gamma);
  }

  /// |v·n| + c, the largest wave speed along the unit vector n.
  template <class V>
  static V wave_speed(const State<V>&, const Primitive<V>& w, const Vector<V>& n) {
    V speed = V(0);
    for (int d = 0; d < dimension; ++d) speed += w.velocity[d] * n[d];
    return abs(speed) + sound_speed(w);
  }

  /// |v| + c, the largest wave speed in any direction.
  template <class V>
  static V largest_wave_speed(const State<V>& u) {
    const Primitive<V> w = primitive(u);
    V square = V(0);
    for (int d = 0; d < dimension; ++d) square += w.velocity[d] * w.velocity[d];
    return sqrt(square) + sound_speed(w);
  }

  /// (ρ, v, p)
  template <class V>
  static State<V> primitive_values(const State<V>& u) {
    const Primitive<V> w = primitive(u);
    State<V> values;
    values[0] = w.density;
    for (int d = 0; d < dimension; ++d) values[1 + d] = w.velocity[d];
    values[variables - 1] = w.pressure;
    return values;
  }

  /// Small change of (ρ, v, p) that goes with a small change du of the state about w:
  /// dv = (d(ρv) − v dρ)/ρ, dp = (γ − 1)(dE − v·d(ρv) + ½|v|² dρ).
  template <class V>
  static State<V> primitive_change(const Primitive<V>& w, const State<V>& du) {
    State<V> dw;
    const V inverse_density = reciprocal(w.density);
    V work = V(0), square = V(0);
    dw[0] = du[0];
    for (int d = 0; d < dimension; ++d) {
      dw[1 + d] = (du[1 + d] - w.velocity[d] * du[0]) * inverse_density;
      work += w.velocity[d] * du[1 + d];
      square += w.velocity[d] * w.velocity[d];
    }
    dw[variables - 1] = number<V>(gamma - 1) * (du[variables - 1] - work + number<V>(0.5) * square * du[0]);
    return dw;
  }

  /// The inverse of primitive_change.
  template <class V>
  static State<V> conservative_change(const Primitive<V>& w, const State<V>& dw) {
    State<V> du;
    V work = V(0), square = V(0);
    du[0] = dw[0];
    for (int d = 0; d < dimension; ++d) {
      du[1 + d] = w.velocity[d] * dw[0] + w.density * dw[1 + d];
      work += w.velocity[d] * dw[1 + d];
      square += w.velocity[d] * w.velocity[d];
    }
    du[variables - 1] =
        dw[variables - 1] * number<V>(1 / (gamma - 1)) + number<V>(0.5) * square * dw[0] + w.density * work;
    return du;
  }

  /// In space: two unit vectors perpendicular to the unit vector n and to each other, those of the direction
  /// r = (2, 3, 6)/7 turned as r is turned into n on the shortest way. No such vectors are continuous for all n; these
  /// jump at −r only, far from the axes along which meshes and shocks lie, so that rounding errors do not decide.
  template <class V>
  static Array<Vector<V>, 2> tangents(const Vector<V>& n) {
    static_assert(dimension == 3);
    constexpr double r[3] = {2.0 / 7, 3.0 / 7, 6.0 / 7},
                     sides[2][3] = {{3.0 / 7, -6.0 / 7, 2.0 / 7}, {6.0 / 7, 2.0 / 7, -3.0 / 7}};
    V cosine = V(0);
    for (int d = 0; d < 3; ++d) cosine += number<V>(r[d]) * n[d];
    const V inverse = reciprocal(max(V(V(1) + cosine), number<V>(1e-7)));
    Array<Vector<V>, 2> result;
    for (int i = 0; i < 2; ++i) {
      V along = V(0);
      for (int d = 0; d < 3; ++d) along += number<V>(sides[i][d]) * n[d];
      for (int d = 0; d < 3; ++d) result[i][d] = number<V>(sides[i][d]) - along * inverse * (number<V>(r[d]) + n[d]);
    }
    return result;
  }

  /// Amplitudes of the waves along the unit vector n in a change of (ρ, v, p): entropy dρ − dp/c², shear dv·t for the
  /// tangents t ⟂ n, and the two acoustic ones dp ± ρ c dv·n.
  template <class V>
  static State<V> wave_amplitudes(const Primitive<V>& w, const Vector<V>& n, const State<V>& dw) {
    constexpr int pressure = variables - 1;
    const V c = sound_speed(w);
    V along = dw[1] * n[0] + dw[2] * n[1];
    if constexpr (dimension == 3) along += dw[3] * n[2];
    State<V> waves;
    waves[0] = dw[0] - dw[pressure] * reciprocal(V(c * c));
    if constexpr (dimension == 2) {
      waves[1] = dw[2] * n[0] - dw[1] * n[1];
    } else {
      const auto t = tangents(n);
      for (int i = 0; i < 2; ++i) waves[1 + i] = dw[1] * t[i][0] + dw[2] * t[i][1] + dw[3] * t[i][2];
    }
    waves[pressure - 1] = dw[pressure] - w.density * c * along;
    waves[pressure] = dw[pressure] + w.density * c * along;
    return waves;
  }

  /// The inverse of wave_amplitudes.
  template <class V>
  static State<V> from_wave_amplitudes(const Primitive<V>& w, const Vector<V>& n, const State<V>& waves) {
    constexpr int pressure = variables - 1;
    const V c = sound_speed(w),
            along = number<V>(0.5) * (waves[pressure] - waves[pressure - 1]) * reciprocal(V(w.density * c));
    State<V> dw;
    dw[pressure] = number<V>(0.5) * (waves[pressure - 1] + waves[pressure]);
    dw[0] = waves[0] + dw[pressure] * reciprocal(V(c * c));
    if constexpr (dimension == 2) {
      dw[1] = along * n[0] - waves[1] * n[1];
      dw[2] = along * n[1] + waves[1] * n[0];
    } else {
      const auto t = tangents(n);
      for (int d = 0; d < 3; ++d) dw[1 + d] = along * n[d] + waves[1] * t[0][d] + waves[2] * t[1][d];
    }
    return dw;
  }

  /// Mask: where density and pressure are positive and finite (NaN fails every comparison).
  template <class V>
  static auto admissible(const State<V>& u) {
    const V largest = V(3e38f);
    const V pressure = primitive(u).pressure;
    return u[0] > V(0) && pressure > V(0) && u[0] < largest && pressure < largest;
  }
};

}  // namespace galerna::kernels
