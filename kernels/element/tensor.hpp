/// \file
/// A thread's part of the solution on a quadrilateral with (p + 1)² Gauss points, one point at a time along lines (sum
/// factorization). The modes are products P_a(ξ) P_b(η) of orthonormal Legendre polynomials, number a n + b, n = p + 1;
/// the points are (x_i, x_j), number i n + j. In between the Lagrange polynomials ℓ_i of the Gauss points serve as
/// basis: derivatives couple points of one line, and a point of a side only those of the line that ends there.
/// With V the values of the modes at the points and W the weights, Vᵀ W V is the identity. Integrals against modes are
/// Vᵀ s with s those against the ℓ, and the weight-adjusted mass matrix (docs/theory.md) gives Vᵀ W |J|⁻¹ V Vᵀ s =
/// Vᵀ |J|⁻¹ s. Config::Operators has
///   line_mode(i, a)          P_a(x_i)
///   line_end(e, i)           ℓ_i(∓1) for e = 0, 1
///   line_slope(i, k)         ℓ_k'(x_i),   line_end_slope(e, k)   ℓ_k'(∓1)
///   line_lift(e, i)          ½ Σ_a P_a(x_i) P_a(∓1),   end_lift   ½ Σ_a P_a(1)²
#pragma once

#include "kernels/element/geometry.hpp"
#include "kernels/element/thread_group.hpp"

namespace galerna::kernels {

/// Where a point of a side of the reference square lies: at the end `end` of the line number `line` along direction d.
struct LineEnd {
  int direction, end, line;

  /// \param n points of a side, which are counted counterclockwise round the square from its corner (−1, −1)
  constexpr LineEnd(int side, int q, int n)
      : direction(side % 2 == 0 ? 1 : 0), end(side == 1 || side == 2 ? 1 : 0), line(side < 2 ? q : n - 1 - q) {}
};

template <class Config>
class TensorBasis {
 public:
  using V = typename Config::Value;
  using Operators = typename Config::Operators;
  static constexpr int n = Operators::side_points;
  static_assert(Operators::modes == n * n && Operators::volume_points == n * n && Operators::sides == 4);

  explicit TensorBasis(const PartModes<Config>& coefficients) {
    const auto to_points = [](int i, int a) { return Operators::line_mode(i, a); };
    s_ = coefficients;
    for_each_number<n>([&](int line) { transform(s_, line * n, 1, to_points); });
    for_each_number<n>([&](int line) { transform(s_, line, n, to_points); });
    for_each_number<n * n>([&](int m) {
      u_.set(m, s_[m]);
      s_[m] = zero_part<Config>();
    });
  }

  template <class Points>
  Array<Part<Config>, Points::count> values(Points batch) const {
    Array<Part<Config>, Points::count> result;
    for_each_number<Points::count>([&](int k) { result[k] = u_.at(batch.first + k); });
    return result;
  }

  template <class Points>
  Array<Part<Config>, Points::count> side_values(Points batch) const {
    Array<Part<Config>, Points::count> result;
    for_each_number<Points::count>([&](int k) {
      const LineEnd at = end_of(batch.first + k);
      result[k] = along(at.direction, at.line, [&](int i) { return Operators::line_end(at.end, i); });
    });
    return result;
  }

  template <class Points>
  Array<Part<Config>, Points::count> derivatives(Points batch, int d) const {
    Array<Part<Config>, Points::count> result;
    for_each_number<Points::count>([&](int k) {
      const int i = (batch.first + k) / n, j = (batch.first + k) % n;
      result[k] = along(d, d == 0 ? j : i, [&](int m) { return Operators::line_slope(d == 0 ? i : j, m); });
    });
    return result;
  }

  template <class Points, class Inside>
  Array<Part<Config>, Points::count> side_derivatives(Points batch, int d, const Inside& inside) const {
    Array<Part<Config>, Points::count> result;
    for_each_number<Points::count>([&](int k) {
      const LineEnd at = end_of(batch.first + k);
      if (d == at.direction) {
        result[k] = along(d, at.line, [&](int i) { return Operators::line_end_slope(at.end, i); });
        return;
      }
      const int side = (batch.first + k) / n;
      result[k] = zero_part<Config>();
      for_each_number<n>([&](int q) {
        const V slope = V(Operators::line_slope(at.line, LineEnd(side, q, n).line));
        add_product<Config>(result[k], slope, inside.at(side * n + q));
      });
    });
    return result;
  }

  template <class Points>
  void add(Points batch, int d, const Array<Part<Config>, Points::count>& f) {
    for_each_number<Points::count>([&](int k) {
      const int q = batch.first + k, i = q / n, j = q % n;
      Part<Config> weighted = zero_part<Config>();
      add_product<Config>(weighted, V(Operators::volume_weight(q)), f[k]);
      for_each_term<n>([&](int m) {
        add_product<Config>(s_[d == 0 ? m * n + j : i * n + m], V(Operators::line_slope(d == 0 ? i : j, m)), weighted);
      });
    });
  }

  template <class Points>
  void add_values(Points batch, const Array<Part<Config>, Points::count>& f) {
    for_each_number<Points::count>([&](int k) {
      const int q = batch.first + k;
      add_product<Config>(s_[q], V(Operators::volume_weight(q)), f[k]);
    });
  }

  template <class Points>
  void add_sides(Points batch, const Array<Part<Config>, Points::count>& f) {
    for_each_number<Points::count>([&](int k) {
      const LineEnd at = end_of(batch.first + k);
      for_each_term<n>([&](int i) {
        add_product<Config>(s_[point_on(at.direction, at.line, i)], V(Operators::line_end(at.end, i)), f[k]);
      });
    });
  }

  template <class Points, class Jump>
  static Array<Part<Config>, Points::count> lift(Points batch, int side, const Jump& jump) {
    const LineEnd first(side, 0, n);
    Array<Part<Config>, Points::count> result;
    for_each_number<Points::count>([&](int k) {
      const int i = (batch.first + k) / n, j = (batch.first + k) % n;
      const int line = first.direction == 0 ? j : i, place = first.direction == 0 ? i : j;
      result[k] = zero_part<Config>();
      add_product<Config>(result[k], V(Operators::line_lift(first.end, place)),
                          jump(first.line == 0 ? line : n - 1 - line));
    });
    return result;
  }

  template <class Jump>
  static Part<Config> side_lift(int, int q, const Jump& jump) {
    Part<Config> result = zero_part<Config>();
    add_product<Config>(result, V(Operators::end_lift), jump(q));
    return result;
  }

  const PartModes<Config>& change(const Geometry<Config>& geometry, const GroupThread<Config>& thread) {
    [[maybe_unused]] Part<Config> integral = zero_part<Config>();
    if constexpr (!Config::affine)
      for_each_batch<Config, n * n>([&](auto batch) {
        using Points = decltype(batch);
        const auto inverse = share_numbers<Config>(batch, thread, [&](int q) { return geometry.inverse(q); });
        for_each_number<Points::count>([&](int k) {
          Part<Config>& s = s_[batch.first + k];
          add_product<Config>(integral, V(1), s);
          for (int v = 0; v < Part<Config>::size(); ++v) s[v] *= inverse[k];
        });
      });
    const auto to_modes = [](int a, int i) { return Operators::line_mode(i, a); };
    for_each_number<n>([&](int line) { transform(s_, line * n, 1, to_modes); });
    for_each_number<n>([&](int line) { transform(s_, line, n, to_modes); });
    // The rule is exact for the integral of the change where the geometry is bilinear.
    if constexpr (!Config::affine && !Config::bilinear)
      for (int v = 0; v < Part<Config>::size(); ++v) {
        V missing = integral[v];
        for_each_number<n * n>([&](int m) { missing -= geometry.mean(m) * s_[m][v]; });
        s_[0][v] += missing / geometry.mean(0);
      }
    return s_;
  }

 private:
  static constexpr LineEnd end_of(int point) { return LineEnd(point / n, point % n, n); }
  static constexpr int point_on(int direction, int line, int i) { return direction == 0 ? i * n + line : line * n + i; }

  /// Σ_i coefficient(i) u along a line of points.
  template <class Coefficient>
  Part<Config> along(int direction, int line, const Coefficient& coefficient) const {
    Part<Config> sum = zero_part<Config>();
    for_each_term<n>([&](int i) { add_product<Config>(sum, V(coefficient(i)), u_.at(point_on(direction, line, i))); });
    return sum;
  }

  /// The numbers `first`, first + stride, … become their combinations.
  template <class Coefficient>
  static void transform(Array<Part<Config>, n * n>& numbers, int first, int stride, const Coefficient& coefficient) {
    Array<Part<Config>, n> before;
    for_each_number<n>([&](int i) { before[i] = numbers[first + i * stride]; });
    for_each_number<n>([&](int i) {
      Part<Config> sum = zero_part<Config>();
      for_each_term<n>([&](int k) { add_product<Config>(sum, V(coefficient(i, k)), before[k]); });
      numbers[first + i * stride] = sum;
    });
  }

  static constexpr bool shared = n >= 3 && n <= 5;  // faster there, measured on an H200
  PartArray<Config, n * n, shared> u_;              ///< at the points
  Array<Part<Config>, n * n> s_;                    ///< integrals against the Lagrange polynomials
};

}  // namespace galerna::kernels
