/// \file
/// The largest eigenvalue of S v = λ K v with symmetric S and symmetric, positive semidefinite K whose null space S
/// shares (docs/theory.md, "The certified penalty").
///
/// Both n × n matrices lie in one array of n + 1 numbers a row: K(i, j), j ≤ i, at [i][j] and S(i, j), i ≤ j, at
/// [i][j + 1]. Constants have n = 0, and no eigenvalue but 0.
#pragma once

#include "kernels/polytopic/team.hpp"

namespace galerna::kernels::polytopic {

template <int n>
struct MatrixPair {
  double* at;

  double& k(int i, int j) const { return i >= j ? at[i * (n + 1) + j] : at[j * (n + 1) + i]; }
  double& s(int i, int j) const { return i <= j ? at[i * (n + 1) + j + 1] : at[j * (n + 1) + i + 1]; }

  // Where it is known which of i and j is the larger: K with i ≥ j, S with i ≤ j.
  double& lower(int i, int j) const { return at[i * (n + 1) + j]; }
  double& upper(int i, int j) const { return at[i * (n + 1) + j + 1]; }
};

/// The pair that an item of a launch leaves in memory for its eigenvalue. Where those of several come together, and
/// each for one thread, they lie side by side, number by number.
template <int dimension, int n>
struct StoredPair {
  static constexpr bool side_by_side = moment_teams(dimension) > 1 && eigenvalue_fits_in_thread(n + 1);
  double* at;
  std::int64_t step;

  StoredPair(const PolytopicArguments& a, std::int64_t item)
      : at(a.scratch + (side_by_side ? item : item * n * (n + 1))), step(side_by_side ? a.count : 1) {}
  double& lower(int i, int j) const { return at[(i * (n + 1) + j) * step]; }
  double& upper(int i, int j) const { return at[(i * (n + 1) + j + 1) * step]; }
};

/// A symmetric tridiagonal matrix, and what it is made by.
template <int n>
struct EigenvalueWork {
  static constexpr int length = n > 0 ? n : 1;
  double diagonal[length], off_diagonal[length], vector[length], product[length];
};

/// Rows and columns `one` and `other` change places, of both matrices; columns of L before `one` are rows of the factor
/// and move with them.
template <int n>
void exchange(const MatrixPair<n>& m, int one, int other) {
  const auto swap = [](double& a, double& b) {
    const double kept = a;
    a = b;
    b = kept;
  };
  for (int i = 0; i < n; ++i) {
    if (i == one || i == other) continue;
    swap(m.s(i, one), m.s(i, other));
    swap(m.k(i, one), m.k(i, other));
  }
  swap(m.s(one, one), m.s(other, other));
  swap(m.k(one, one), m.k(other, other));
}

/// K = L Lᵀ with pivoting on the diagonal, L in the place of K; rows and columns of S move along. Pivots below 1e-12 of
/// the first one are no part of the space in which eigenvalues are sought.
/// \return the rank
template <int n>
int factorize(const MatrixPair<n>& m) {
  double scale = 0;
  for (int step = 0; step < n; ++step) {
    int where = step;
    for (int i = step; i < n; ++i)
      if (m.lower(i, i) > m.lower(where, where)) where = i;
    const double pivot = m.lower(where, where);
    if (step == 0) scale = pivot;
    if (!(pivot > 1e-12 * scale)) return step;
    if (where != step) exchange(m, step, where);
    const double root = sqrt(pivot);
    m.lower(step, step) = root;
    for (int i = step + 1; i < n; ++i) m.lower(i, step) /= root;
    for (int i = step + 1; i < n; ++i) {
      const double factor = m.lower(i, step);
      for (int j = step + 1; j <= i; ++j) m.lower(i, j) -= factor * m.lower(j, step);
    }
  }
  return n;
}

/// S ← L⁻¹ S L⁻ᵀ of the first `rank` rows, from the symmetric elimination: rows and columns beyond k lose L(i, k) times
/// row k.
template <int n>
void transform(const MatrixPair<n>& m, EigenvalueWork<n>& w, int rank) {
  for (int k = 0; k < rank; ++k) {
    const double scale = 1 / m.lower(k, k), corner = m.upper(k, k) * (scale * scale);
    for (int j = 0; j < k; ++j) m.upper(j, k) *= scale;
    for (int j = k + 1; j < rank; ++j) w.vector[j] = m.upper(k, j) * scale;
    // Rows above k have their columns beyond k reduced, too.
    for (int i = k + 1; i < rank; ++i) {
      const double factor = m.lower(i, k), rest = w.vector[i] - factor * corner;
      for (int j = 0; j < k; ++j) m.upper(j, i) -= factor * m.upper(j, k);
      for (int j = i; j < rank; ++j) m.upper(i, j) -= factor * w.vector[j] + m.lower(j, k) * rest;
    }
    m.upper(k, k) = corner;
    for (int j = k + 1; j < rank; ++j) m.upper(k, j) = w.vector[j] - m.lower(j, k) * corner;
  }
}

/// S ← a tridiagonal matrix with the same eigenvalues, by Householder's reflections (Golub, Van Loan, § 8.3.1), in
/// w.diagonal and w.off_diagonal (between i and i + 1).
template <int n>
void tridiagonalize(const MatrixPair<n>& m, EigenvalueWork<n>& w, int rank) {
  for (int k = 0; k + 2 < rank; ++k) {
    double square = 0;
    for (int i = k + 1; i < rank; ++i) square += m.upper(k, i) * m.upper(k, i);
    const double first = m.upper(k, k + 1), norm = first > 0 ? -sqrt(square) : sqrt(square);
    w.off_diagonal[k] = norm;
    for (int i = k + 1; i < rank; ++i) w.vector[i] = m.upper(k, i);
    w.vector[k + 1] -= norm;
    const double length = 2 * (square - first * norm), scale = length > 0 ? 2 / length : 0;
    double product = 0;
    for (int i = k + 1; i < rank; ++i) {
      double sum = 0;
      for (int j = k + 1; j < i; ++j) sum += m.upper(j, i) * w.vector[j];
      for (int j = i; j < rank; ++j) sum += m.upper(i, j) * w.vector[j];
      w.product[i] = scale * sum;
    }
    for (int i = k + 1; i < rank; ++i) product += w.product[i] * w.vector[i];
    const double half = scale * product / 2;
    for (int i = k + 1; i < rank; ++i) w.product[i] -= half * w.vector[i];
    for (int i = k + 1; i < rank; ++i)
      for (int j = i; j < rank; ++j) m.upper(i, j) -= w.vector[i] * w.product[j] + w.product[i] * w.vector[j];
  }
  for (int i = 0; i < rank; ++i) w.diagonal[i] = m.upper(i, i);
  if (rank >= 2) w.off_diagonal[rank - 2] = m.upper(rank - 2, rank - 1);
}

/// Whether the tridiagonal matrix has an eigenvalue above x, by Sturm sequences (Golub, Van Loan, § 8.4.2).
template <int n>
bool has_eigenvalue_above(const EigenvalueWork<n>& w, int rank, double x) {
  double d = 1;
  for (int i = 0; i < rank; ++i) {
    const double off = i > 0 ? w.off_diagonal[i - 1] : 0;
    d = w.diagonal[i] - x - off * off / (d == 0 ? -1e-300 : d);
    if (d > 0) return true;
  }
  return false;
}

/// Near the largest eigenvalue of the tridiagonal matrix, by Laguerre's iteration, which falls towards it from a bound
/// above (J. H. Wilkinson, The Algebraic Eigenvalue Problem, chapter 7): with the characteristic polynomial's
/// G = p′/p = Σ 1/(x − λ_i) and H = −G′, x ← x − n / (G + √((n − 1)(n H − G²))). Where eigenvalues lie close together,
/// half of the digits are lost.
template <int n>
double near_largest_eigenvalue(const EigenvalueWork<n>& w, int rank, double bound) {
  const double unit = 1 / bound;  // so that the polynomial neither over- nor underflows
  double x = 1;
  for (int iteration = 0; iteration < 20; ++iteration) {
    double value = 1, below = 0, slope = 0, slope_below = 0, curvature = 0, curvature_below = 0;
    for (int i = 0; i < rank; ++i) {
      const double shift = x - w.diagonal[i] * unit, off = i > 0 ? w.off_diagonal[i - 1] * unit : 0;
      const double next = shift * value - off * off * below;
      const double next_slope = value + shift * slope - off * off * slope_below;
      const double next_curvature = 2 * slope + shift * curvature - off * off * curvature_below;
      below = value;
      slope_below = slope;
      curvature_below = curvature;
      value = next;
      slope = next_slope;
      curvature = next_curvature;
    }
    // At the eigenvalue, or beyond it by rounding.
    if (!(value > 0)) break;
    const double g = slope / value, h = g * g - curvature / value;
    const double step = rank / (g + sqrt(max((rank - 1) * (rank * h - g * g), 0.0)));
    x -= step;
    // The next step would be of the order of this one's cube.
    if (!(step > 1e-6 * x)) break;
  }
  return x * bound;
}

/// The largest eigenvalue of the tridiagonal matrix: an interval around where it should be, wider until it is in there,
/// then bisection.
template <int n>
double largest_eigenvalue(const EigenvalueWork<n>& w, int rank) {
  double low = w.diagonal[0], high = low;
  for (int i = 0; i < rank; ++i) {
    const double radius = (i > 0 ? abs(w.off_diagonal[i - 1]) : 0) + (i + 1 < rank ? abs(w.off_diagonal[i]) : 0);
    low = max(low, w.diagonal[i]);
    high = max(high, w.diagonal[i] + radius);
  }
  if (rank == 1 || !(high > 0)) return high;
  if (rank == 2) {
    const double half = (w.diagonal[0] - w.diagonal[1]) / 2;
    return (w.diagonal[0] + w.diagonal[1]) / 2 + sqrt(half * half + w.off_diagonal[0] * w.off_diagonal[0]);
  }
  const double near = near_largest_eigenvalue(w, rank, high);
  for (double width = 4e-16 * near; near + width < high; width *= 16)
    (has_eigenvalue_above(w, rank, near + width) ? low : high) = near + width;
  for (double width = 4e-16 * near; near - width > low; width *= 16)
    (has_eigenvalue_above(w, rank, near - width) ? low : high) = near - width;
  while (high - low > 1e-15 * high) {
    const double middle = low + (high - low) / 2;
    (has_eigenvalue_above(w, rank, middle) ? low : high) = middle;
  }
  return high;
}

/// By one thread. \param pair overwritten
template <int n>
double largest_generalized_eigenvalue(double* pair, EigenvalueWork<n>& w) {
  const MatrixPair<n> m{pair};
  const int rank = factorize(m);
  if (rank == 0) return 0;
  transform(m, w, rank);
  tridiagonalize(m, w, rank);
  return max(largest_eigenvalue(w, rank), 0.0);
}

}  // namespace galerna::kernels::polytopic
