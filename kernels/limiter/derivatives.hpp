/// \file
/// Derivatives of order m = k − 1 of the part of the solution of degree ≤ k: linear functions on the element, which the
/// hierarchical limiter bounds. Component r is ∂^m/∂x^{m−r}∂y^r (two dimensions). Means of those with k ≥ 2 are stored
/// for neighbours: derivative number first_derivative(k) + r of stored_derivatives(p).
#pragma once

#include "kernels/limiter/neighbours.hpp"

namespace galerna::kernels {

constexpr int first_derivative(int k) {
  return k * (k - 1) / 2 - 1;
}
constexpr int stored_derivatives(int degree) {
  return degree < 2 ? 0 : first_derivative(degree + 1);
}
/// Modes of degree ≤ k on a triangle.
constexpr int modes_up_to(int k) {
  return (k + 1) * (k + 2) / 2;
}

/// Physical derivatives of order m from those on the reference element: with ∂x = ξ_x ∂ξ + η_x ∂η and likewise for y,
/// component r is the product (ξ_x + η_x z)^{m−r} (ξ_y + η_y z)^r, in which z^s stands for the reference component s.
/// \param gradients ∇λ_0, ∇λ_1 = ∇ξ, ∇λ_2 = ∇η.
template <class Case, int m>
Array<typename Case::Value, m + 1> physical_derivatives(const Array<typename Case::Value, m + 1>& reference,
                                                        const Array<Vector<Case>, 3>& gradients) {
  using V = typename Case::Value;
  Array<V, m + 1> physical;
  for (int r = 0; r <= m; ++r) {
    Array<V, m + 1> product;
    product[0] = V(1);
    for (int s = 1; s <= m; ++s) product[s] = V(0);
    for (int factor = 0; factor < m; ++factor) {
      const int direction = factor < m - r ? 0 : 1;
      const V xi = gradients[1][direction], eta = gradients[2][direction];
      for (int s = m; s > 0; --s) product[s] = product[s] * xi + product[s - 1] * eta;
      product[0] *= xi;
    }
    physical[r] = V(0);
    for (int s = 0; s <= m; ++s) physical[r] += product[s] * reference[s];
  }
  return physical;
}

/// Values at a vertex, components r = 0 … k − 1, from the modes of one variable.
template <class Case, int k, class ModesOfVariable>
Array<typename Case::Value, k> derivatives_at_vertex(const ModesOfVariable& c, int vertex,
                                                     const Array<Vector<Case>, 3>& gradients) {
  using V = typename Case::Value;
  Array<V, k> reference;
  for (int s = 0; s < k; ++s) {
    reference[s] = V(0);
    for (int j = 0; j < modes_up_to(k); ++j) reference[s] += V(Case::Limits::vertex_derivative(k, s, vertex, j)) * c[j];
  }
  return physical_derivatives<Case, k - 1>(reference, gradients);
}

/// Means over the element: of a linear function, the average of the values at the vertices.
template <class Case, int k, class ModesOfVariable>
Array<typename Case::Value, k> mean_derivatives(const ModesOfVariable& c, const Array<Vector<Case>, 3>& gradients) {
  using V = typename Case::Value;
  Array<V, k> mean;
  for (int r = 0; r < k; ++r) mean[r] = V(0);
  for (int vertex = 0; vertex < 3; ++vertex) {
    const auto values = derivatives_at_vertex<Case, k>(c, vertex, gradients);
    for (int r = 0; r < k; ++r) mean[r] += number<V>(1.0 / 3) * values[r];
  }
  return mean;
}

}  // namespace galerna::kernels
