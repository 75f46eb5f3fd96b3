/// \file
/// Products of modes as sums of Legendre polynomials: with P_a = √(2a + 1) L_a, the product of two modes, or of their
/// derivatives, is in each direction a sum Σ_m c_m L_m, so that ∫ w D φ_i D' φ_j = Σ_k c_k ∫ w L_k, a sparse sum over
/// the moments of w (docs/theory.md, "Moments").
///
/// Cases have products(kind, a, b), where c_0, c_1, … of P_a P_b (kind 0), P_a P_b' (1) and P_a' P_b' (2) lie.
#pragma once

#include "kernels/polytopic/coefficients.hpp"

namespace galerna::kernels::polytopic {

/// One direction's Σ c_m L_m; m = first, first + 2, …, last.
struct Series {
  const double* c;
  int first, last;
};

template <class Config>
Series product_series(int kind, int a, int b) {
  const int apart = a > b ? a - b : b - a;
  return {Config::products(kind, a, b), kind == 0 ? apart : (a + b + kind) % 2, a + b - kind};
}

/// Where the moments with degree n in the second direction begin, those of the first direction one behind the other,
/// total degree ≤ highest.
constexpr int moment_row(int highest, int n) {
  return n * (highest + 1) - n * (n - 1) / 2;
}

/// The same of degree o in the third.
constexpr int moment_plane(int highest, int o) {
  return total_degree_modes(3, highest) - total_degree_modes(3, highest - o);
}

template <int highest>
double expand(const double* moment, const Array<Series, 2>& s) {
  double sum = 0;
  for (int n = s[1].first; n <= s[1].last; n += 2) {
    const double* row = moment + moment_row(highest, n);
    double along = 0;
    for (int m = s[0].first; m <= s[0].last; m += 2) along += s[0].c[m] * row[m];
    sum += s[1].c[n] * along;
  }
  return sum;
}

template <int highest>
double expand(const double* moment, const Array<Series, 3>& s) {
  double sum = 0;
  for (int o = s[2].first; o <= s[2].last; o += 2) {
    const double* plane = moment + moment_plane(highest, o);
    double across = 0;
    for (int n = s[1].first; n <= s[1].last; n += 2) {
      const double* row = plane + moment_row(highest - o, n);
      double along = 0;
      for (int m = s[0].first; m <= s[0].last; m += 2) along += s[0].c[m] * row[m];
      across += s[1].c[n] * along;
    }
    sum += s[2].c[o] * across;
  }
  return sum;
}

/// Integrals of two modes of a box. \tparam L Layout of the modes
template <class Config, class L>
class ModePair {
 public:
  static constexpr int d = L::dimension, highest = 2 * L::degree;

  ModePair(int i, int j) {
    for (int k = 0; k < d; ++k) {
      left_[k] = Config::mode(k, i);
      right_[k] = Config::mode(k, j);
    }
  }

  /// ∫ w φ_i φ_j
  double values(const double* moment) const { return expand<highest>(moment, plain()); }

  /// Σ_k ∫ w_k φ_i ∂_k φ_j. \param stride between the moments of w_0, w_1, …
  double derivatives(const double* moment, int stride, const double* inverse) const {
    double sum = 0;
    for (int k = 0; k < d; ++k) {
      Array<Series, d> s = plain();
      s[k] = product_series<Config>(1, left_[k], right_[k]);
      sum += inverse[k] * expand<highest>(moment + k * stride, s);
    }
    return sum;
  }

  /// Σ_kl ∫ w_kl ∂_k φ_i ∂_l φ_j with symmetric w.
  double gradients(const double* moment, int stride, const double* inverse) const {
    double sum = 0;
    for (int k = 0; k < d; ++k)
      for (int l = k; l < d; ++l) {
        const double* own = moment + symmetric_entry(d, k, l) * stride;
        Array<Series, d> s = plain();
        double part;
        if (k == l) {
          s[k] = product_series<Config>(2, left_[k], right_[k]);
          part = expand<highest>(own, s);
        } else {
          s[k] = product_series<Config>(1, right_[k], left_[k]);
          s[l] = product_series<Config>(1, left_[l], right_[l]);
          part = expand<highest>(own, s);
          s[k] = product_series<Config>(1, left_[k], right_[k]);
          s[l] = product_series<Config>(1, right_[l], left_[l]);
          part += expand<highest>(own, s);
        }
        sum += inverse[k] * inverse[l] * part;
      }
    return sum;
  }

 private:
  Array<Series, d> plain() const {
    Array<Series, d> s;
    for (int k = 0; k < d; ++k) s[k] = product_series<Config>(0, left_[k], right_[k]);
    return s;
  }

  int left_[d], right_[d];
};

}  // namespace galerna::kernels::polytopic
