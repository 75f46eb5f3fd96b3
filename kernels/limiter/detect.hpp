/// \file
/// Which elements the hierarchical limiter works on, and what it needs to know of their neighbours.
#pragma once

#include "kernels/limiter/derivatives.hpp"

namespace galerna::kernels {

/// Troubled: density or energy jumps across a side, on the average over the side, by more than a tenth of the range of the means of the element
/// and its face neighbours. Where the solution is smooth the jump is O(h^{p+1}) and the range O(h), or O(h²) at an extremum; at a
/// discontinuity both are of the size of its jump. After L. Krivodonova et al., Appl. Numer. Math. 48 (2004) 323, made free of the scale of
/// lengths. Ranges below a millionth of the mean are no trouble.
template <class Case>
typename Case::Value troubled(const LimitArguments& a, const Item& item, int variable) {
  using V = typename Case::Value;
  using Real = typename Case::Real;
  using Operators = typename Case::Operators;
  constexpr int modes = Operators::modes, values = Case::Equations::variables * modes;
  const V own_mean = V(mean_scale<Case>()) * load<Case>(a.state, item, values, variable * modes);
  V largest_jump = V(0), least = own_mean, most = own_mean;
  for (int side = 0; side < Operators::sides; ++side) {
    const Integers<Case> codes = face_codes<Case>(a, item, side), elements = face_neighbours<Case>(a, item, side);
    V jump = V(0);
    for (int j = 0; j < modes; ++j) {
      const V mode = gather<Case>(a.state, elements, values, variable * modes + j);
      if (j == 0) {
        least = min(least, V(V(mean_scale<Case>()) * mode));
        most = max(most, V(V(mean_scale<Case>()) * mode));
      }
      const V basis = generate<Case>(
          [&](int i) { return codes[i] < 0 ? Real(Case::Limits::side_mean(side, j)) : Real(Case::Limits::side_mean(codes[i] & 3, j)); });
      jump += basis * mode - V(Case::Limits::side_mean(side, j)) * load<Case>(a.state, item, values, variable * modes + j);
    }
    largest_jump = max(largest_jump, V(abs(jump)));
  }
  return select(largest_jump > number<V>(0.1) * (most - least) + number<V>(1e-6) * abs(own_mean), V(1), V(0));
}

template <class Case, int k>
void store_derivatives(const LimitArguments& a, const Item& item, const Array<Vector<Case>, 3>& gradients) {
  constexpr int variables = Case::Equations::variables, modes = Case::Operators::modes;
  constexpr int count = stored_derivatives(Case::Operators::degree);
  for (int v = 0; v < variables; ++v) {
    Array<typename Case::Value, modes_up_to(k)> c;
    for (int j = 0; j < modes_up_to(k); ++j) c[j] = load<Case>(a.state, item, variables * modes, v * modes + j);
    const auto mean = mean_derivatives<Case, k>(c, gradients);
    for (int r = 0; r < k; ++r)
      store<Case>(a.derivatives, item, variables * count, v * count + first_derivative(k) + r, mean[r]);
  }
  if constexpr (k > 2) store_derivatives<Case, k - 1>(a, item, gradients);
}

/// Before `limit`: marks troubled elements and stores the means of derivatives.
template <class Case>
void detect(const LimitArguments& a, const Item& item) {
  using V = typename Case::Value;
  if (!a.control->active) return;
  const V density = troubled<Case>(a, item, 0), energy = troubled<Case>(a, item, Case::Equations::variables - 1);
  store<Case>(a.troubled, item, 1, 0, max(density, energy));
  if constexpr (Case::Operators::degree >= 2)
    store_derivatives<Case, Case::Operators::degree>(a, item, barycentric_gradients<Case>(a.gradients, item));
}

}  // namespace galerna::kernels
