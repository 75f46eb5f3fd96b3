/// \file
/// Values at quadrature points and integrals over them, so many points at a time that what belongs to them stays in
/// registers: on the GPU one point, on the CPU several, so that a number that is loaded serves all of them.
#pragma once

#include "kernels/state.hpp"
#ifndef __CUDACC_RTC__
#include "kernels/batch/product.hpp"
#endif

namespace galerna::kernels {

/// f(0), …, f(n − 1), written out.
template <int n, class F>
void unrolled(const F& f) {
  if constexpr (n > 0) {
    unrolled<n - 1>(f);
    f(n - 1);
  }
}

/// Points first … first + count − 1.
struct OnePoint {
  int first;
  static constexpr int count = 1;
};

/// Calls f(part) for parts of the points 0 … points − 1; a part has `first` and the constant `count`.
template <class Case, int points, class F>
void for_each_points(const F& f) {
#ifdef __CUDACC_RTC__
#pragma unroll(Case::unroll_points)
  for (int q = 0; q < points; ++q) f(OnePoint{q});
#else
  for_each_rows<Case, points>(f);
#endif
}

/// States at several points.
template <class Case, int count>
using PointStates = Array<State<Case>, count>;

template <class Case, int count>
PointStates<Case, count> zero_states() {
  PointStates<Case, count> u;
  unrolled<count>([&](int k) {
    for (int v = 0; v < Case::Equations::variables; ++v) u[k][v] = typename Case::Value(0);
  });
  return u;
}

/// u_k = Σ_j basis(k, j) c_j of the item's element.
template <class Case, int count, class Basis>
PointStates<Case, count> states_at(const void* state, const Item& item, const Basis& basis) {
  using V = typename Case::Value;
  PointStates<Case, count> u = zero_states<Case, count>();
#pragma unroll(Case::unroll_modes)
  for (int j = 0; j < Case::Operators::modes; ++j) {
    const State<Case> mode = load_mode<Case>(state, item, j);
    unrolled<count>([&](int k) {
      const V factor = V(basis(k, j));
      for (int v = 0; v < Case::Equations::variables; ++v) u[k][v] += factor * mode[v];
    });
  }
  return u;
}

/// r_j += Σ_k basis(k, j) f_k
template <class Case, int count, class Basis>
void add_integral(Modes<Case>& r, const PointStates<Case, count>& f, const Basis& basis) {
  using V = typename Case::Value;
  constexpr int variables = Case::Equations::variables;
#pragma unroll
  for (int j = 0; j < Case::Operators::modes; ++j) {
    State<Case> sum;
    for (int v = 0; v < variables; ++v) sum[v] = r[v][j];
    unrolled<count>([&](int k) {
      const V factor = V(basis(k, j));
      for (int v = 0; v < variables; ++v) sum[v] += factor * f[k][v];
    });
    for (int v = 0; v < variables; ++v) r[v][j] = sum[v];
  }
}

template <class Case>
Modes<Case> zero_modes() {
  Modes<Case> r;
  for (int v = 0; v < Case::Equations::variables; ++v)
    for (int j = 0; j < Case::Operators::modes; ++j) r[v][j] = typename Case::Value(0);
  return r;
}

}  // namespace galerna::kernels
