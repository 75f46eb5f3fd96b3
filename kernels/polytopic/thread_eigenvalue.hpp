/// \file
/// The largest eigenvalue of S v = λ K v by one thread of a GPU, in its registers, for matrices that are small enough:
/// for them a team would have work for a few of its threads only (kernels/polytopic/team_eigenvalue.hpp has the steps).
#pragma once

#include "kernels/polytopic/team_eigenvalue.hpp"

namespace galerna::kernels::polytopic {

/// A symmetric matrix, on and below the diagonal. Loops over it are unrolled, so that it lies in registers.
template <int n>
struct LowerTriangle {
  double at[n > 0 ? n*(n + 1) / 2 : 1];
  double& operator()(int i, int j) { return i >= j ? at[i * (i + 1) / 2 + j] : at[j * (j + 1) / 2 + i]; }
};

/// As reduce_pair().
template <int n>
void reduce_in_registers(LowerTriangle<n>& k, LowerTriangle<n>& s) {
  double scale = 0, inverse_root[n];
#pragma unroll
  for (int i = 0; i < n; ++i) scale = max(scale, k(i, i));
#pragma unroll
  for (int step = 0; step < n; ++step) {
    const double pivot = k(step, step);
    const bool active = pivot > 1e-12 * scale;
    const double inverse = active ? 1 / pivot : 0;
    inverse_root[step] = sqrt(inverse);
    double row[n], factor[n];
#pragma unroll
    for (int i = 0; i < n; ++i) {
      row[i] = s(i, step);
      factor[i] = i > step ? k(i, step) * inverse : 0;
    }
#pragma unroll
    for (int i = step + 1; i < n; ++i) {
      const double rest = row[i] - factor[i] * row[step];
#pragma unroll
      for (int j = 0; j <= i; ++j) {
        s(i, j) -= factor[i] * row[j];
        if (j <= step) continue;
        s(i, j) -= factor[j] * rest;
        k(i, j) -= factor[i] * k(j, step);
      }
    }
  }
#pragma unroll
  for (int i = 0; i < n; ++i)
#pragma unroll
    for (int j = 0; j <= i; ++j) s(i, j) *= inverse_root[i] * inverse_root[j];
}

/// As tridiagonalize_by_team().
template <int n>
void tridiagonalize_in_registers(LowerTriangle<n>& s, EigenvalueWork<n>& w) {
#pragma unroll
  for (int k = 0; k + 2 < n; ++k) {
    double square = 0, v[n], p[n];
#pragma unroll
    for (int i = k + 1; i < n; ++i) square += s(i, k) * s(i, k);
    const double first = s(k + 1, k), norm = first > 0 ? -sqrt(square) : sqrt(square);
    const double length = square - first * norm, scale = length > 0 ? 1 / length : 0;
    w.off_diagonal[k] = norm;
#pragma unroll
    for (int i = k + 1; i < n; ++i) v[i] = s(i, k) - (i == k + 1 ? norm : 0);
    double half = 0;
#pragma unroll
    for (int i = k + 1; i < n; ++i) {
      double sum = 0;
#pragma unroll
      for (int j = k + 1; j < n; ++j) sum += s(i, j) * v[j];
      p[i] = scale * sum;
      half += p[i] * v[i];
    }
    half *= scale / 2;
#pragma unroll
    for (int i = k + 1; i < n; ++i) p[i] -= half * v[i];
#pragma unroll
    for (int i = k + 1; i < n; ++i)
#pragma unroll
      for (int j = k + 1; j <= i; ++j) s(i, j) = s(i, j) - v[i] * p[j] - p[i] * v[j];
  }
#pragma unroll
  for (int i = 0; i < n; ++i) w.diagonal[i] = s(i, i);
  w.off_diagonal[n - 2] = s(n - 1, n - 2);
}

/// \param k, s overwritten
template <int n>
double largest_eigenvalue_in_registers(LowerTriangle<n>& k, LowerTriangle<n>& s) {
  if constexpr (n == 0) {
    return 0;
  } else {
    EigenvalueWork<n> work;
    reduce_in_registers(k, s);
    tridiagonalize_in_registers(s, work);
    return max(largest_eigenvalue(work, n), 0.0);
  }
}

/// λ of polytope list[item], whose pair of matrices moment_volume() has left.
template <class Config, int degree>
void thread_eigenvalues(const PolytopicArguments& a, std::int64_t item) {
  constexpr int n = modes_of_degree<Config>(degree) - 1;
  const StoredPair<Config::dimension, n> pair(a, item);
  LowerTriangle<n> k, s;
#pragma unroll
  for (int i = 0; i < n; ++i)
#pragma unroll
    for (int j = 0; j <= i; ++j) {
      k(i, j) = pair.lower(i, j);
      s(i, j) = pair.upper(j, i);
    }
  a.eigenvalues[a.list[item]] = largest_eigenvalue_in_registers(k, s);
}

}  // namespace galerna::kernels::polytopic
