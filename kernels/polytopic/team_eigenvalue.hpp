/// \file
/// The largest eigenvalue of S v = λ K v (kernels/polytopic/eigenvalue.hpp) by the threads of a team of a GPU, for
/// which few waits count more than few operations: what one number decides, every thread computes for itself.
#pragma once

#include "kernels/polytopic/eigenvalue.hpp"

namespace galerna::kernels::polytopic {

/// f(i, j) for j ≤ i, first ≤ i < n.
template <class L, int n, class F>
void share_rows(int first, const F& f) {
  share<L>((n - first) * n, [&](int k) {
    const int i = first + k / n, j = k % n;
    if (j <= i) f(i, j);
  });
}

/// S ← L⁻¹ S L⁻ᵀ with K = L Lᵀ, eliminated together. Rows with pivots below 1e-12 of K's largest number on the diagonal
/// are left out, as zeros: they are no part of the space in which eigenvalues are sought.
template <class L, int n>
void reduce_pair(const MatrixPair<n>& m, EigenvalueWork<n>& w) {
  double scale = 0;
  for (int i = 0; i < n; ++i) scale = max(scale, m.lower(i, i));
  for (int k = 0; k < n; ++k) {
    const double pivot = m.lower(k, k);
    const bool active = pivot > 1e-12 * scale;
    share<L>(n, [&](int i) {
      w.product[i] = active && i > k ? m.lower(i, k) / pivot : 0;
      w.vector[i] = i >= k ? m.upper(k, i) : m.upper(i, k);
      if (i == k) w.diagonal[k] = active ? 1 / sqrt(pivot) : 0;
    });
    if (!active) continue;
    share_rows<L, n>(k + 1, [&](int i, int j) {
      const double l = w.product[i];
      m.upper(j, i) -= l * w.vector[j] + w.product[j] * (w.vector[i] - l * w.vector[k]);
      if (j > k) m.lower(i, j) -= l * w.product[j] * pivot;
    });
  }
  share_rows<L, n>(0, [&](int i, int j) { m.upper(j, i) *= w.diagonal[i] * w.diagonal[j]; });
}

/// S ← a tridiagonal matrix with the same eigenvalues, as tridiagonalize().
template <class L, int n>
void tridiagonalize_by_team(const MatrixPair<n>& m, EigenvalueWork<n>& w) {
  for (int k = 0; k + 2 < n; ++k) {
    double square = 0;
    for (int i = k + 1; i < n; ++i) square += m.upper(k, i) * m.upper(k, i);
    const double first = m.upper(k, k + 1), norm = first > 0 ? -sqrt(square) : sqrt(square);
    const double length = square - first * norm, scale = length > 0 ? 1 / length : 0;
    const auto reflector = [&](int i) { return m.upper(k, i) - (i == k + 1 ? norm : 0); };
    share<L>(n - k - 1, [&](int r) {
      const int i = k + 1 + r;
      double sum = 0;
      for (int j = k + 1; j < i; ++j) sum += m.upper(j, i) * reflector(j);
      for (int j = i; j < n; ++j) sum += m.upper(i, j) * reflector(j);
      w.product[i] = scale * sum;
      if (r == 0) w.off_diagonal[k] = norm;
    });
    double half = 0;
    for (int i = k + 1; i < n; ++i) half += w.product[i] * reflector(i);
    half *= scale / 2;
    share_rows<L, n>(k + 1, [&](int i, int j) {
      if (j <= k) return;
      const double v = reflector(i), u = reflector(j);
      m.upper(j, i) -= v * (w.product[j] - half * u) + u * (w.product[i] - half * v);
    });
  }
  share<L>(n, [&](int i) {
    w.diagonal[i] = m.upper(i, i);
    if (i == 0 && n > 1) w.off_diagonal[n - 2] = m.upper(n - 2, n - 1);
  });
}

/// Whether all eigenvalues of the tridiagonal matrix lie below x / unit: the leading minors' signs (Golub, Van Loan,
/// § 8.4.2), without divisions.
template <int n, class Work>
bool all_eigenvalues_below(const Work& w, double unit, double x) {
  double below = 1, minor = x - w.diagonal[0] * unit;
  bool positive = minor > 0;
  for (int i = 1; i < n; ++i) {
    const double off = w.off_diagonal[i - 1] * unit;
    const double next = (x - w.diagonal[i] * unit) * minor - off * off * below;
    below = minor;
    minor = next;
    positive = positive && minor > 0;
  }
  return positive;
}

/// The largest eigenvalue of the tridiagonal matrix: each thread of a warp tests one number of an interval, until that
/// is as short as rounding allows. \return known to all threads
template <int n>
double largest_eigenvalue_by_warp(const EigenvalueWork<n>& w) {
  double low = w.diagonal[0], high = low;
  for (int i = 0; i < n; ++i) {
    const double radius = (i > 0 ? abs(w.off_diagonal[i - 1]) : 0) + (i + 1 < n ? abs(w.off_diagonal[i]) : 0);
    low = max(low, w.diagonal[i]);
    high = max(high, w.diagonal[i] + radius);
  }
  if (!(high > 0)) return 0;
  const double unit = 1 / high;
  low *= unit;
  high = 1 + 1e-15;
  const int lane = team_rank() % 32;
  for (int pass = 0; pass < 14 && high - low > 4e-16 * high; ++pass) {
    const double step = (high - low) * (1.0 / 33);
    const int above = __popc(__ballot_sync(0xffffffffu, all_eigenvalues_below<n>(w, unit, low + (lane + 1) * step)));
    const double begin = low;
    low = begin + (32 - above) * step;
    if (above > 0) high = begin + (33 - above) * step;
  }
  return high / unit;
}

/// \param pair overwritten \return known to all threads
template <class L, int n>
double largest_generalized_eigenvalue_by_team(double* pair, EigenvalueWork<n>& w) {
  if constexpr (n == 0) {
    return 0;
  } else {
    const MatrixPair<n> m{pair};
    reduce_pair<L>(m, w);
    tridiagonalize_by_team<L>(m, w);
    return max(largest_eigenvalue_by_warp(w), 0.0);
  }
}

}  // namespace galerna::kernels::polytopic
