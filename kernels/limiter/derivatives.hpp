/// \file
/// Derivatives of order m = k − 1 of the part of the solution of degree ≤ k: linear functions on the element, which the
/// hierarchical limiter bounds. They are numbered by how often they are taken in y and z: component t is
/// ∂^m/∂x^{m−t}∂y^t in two dimensions, component t (t + 1)/2 + s is ∂^m/∂x^{m−t}∂y^{t−s}∂z^s in three, the same number
/// for every m. Means of those with k ≥ 2 are stored for neighbours: derivative number first_derivative(k) + r of
/// stored_derivatives(p).
#pragma once

#include "kernels/limiter/neighbours.hpp"

namespace galerna::kernels {

/// Derivatives of order k − 1.
constexpr int derivative_count(int dimension, int k) {
  return dimension == 2 ? k : k * (k + 1) / 2;
}
constexpr int first_derivative(int dimension, int k) {
  return (dimension == 2 ? k * (k - 1) / 2 : k * (k - 1) * (k + 1) / 6) - 1;
}
constexpr int stored_derivatives(int dimension, int degree) {
  return degree < 2 ? 0 : first_derivative(dimension, degree + 1);
}
/// Modes of degree ≤ k on a triangle or a tetrahedron.
constexpr int modes_up_to(int dimension, int k) {
  return dimension == 2 ? (k + 1) * (k + 2) / 2 : (k + 1) * (k + 2) * (k + 3) / 6;
}
/// The component with t derivatives in y and z, s of them in z.
constexpr int derivative_component(int dimension, int t, int s) {
  return dimension == 2 ? t : t * (t + 1) / 2 + s;
}

/// Numbers of derivatives of order k − 1 in the Config's dimension.
template <class Config, int k>
using Derivatives = Array<typename Config::Value, derivative_count(Config::Equations::dimension, k)>;

/// The product Π (ξ_d + η_d z + ζ_d w) over m directions d, `in_y` times y and `in_z` times z among them, as polynomial
/// in z and w: coefficients of derivatives on the reference element.
template <class Config, int m>
Derivatives<Config, m + 1> reference_coefficients(int in_y, int in_z, const BarycentricGradients<Config>& gradients) {
  using V = typename Config::Value;
  constexpr int dimension = Config::Equations::dimension;
  constexpr auto at = [](int t, int s) { return derivative_component(dimension, t, s); };
  Derivatives<Config, m + 1> product;
  product[0] = V(1);
  for (int i = 1; i < product.size(); ++i) product[i] = V(0);
  for (int factor = 0; factor < m; ++factor) {
    const int direction = factor < m - in_y - in_z ? 0 : factor < m - in_z ? 1 : 2;
    const V xi = gradients[1][direction], eta = gradients[2][direction];
    for (int t = m; t > 0; --t)
      for (int s = dimension == 3 ? t : 0; s >= 0; --s) {
        V& coefficient = product[at(t, s)];
        if (dimension == 2 || s < t)
          coefficient = coefficient * xi + product[at(t - 1, s)] * eta;
        else
          coefficient *= xi;
        if constexpr (dimension == 3)
          if (s > 0) coefficient += product[at(t - 1, s - 1)] * gradients[3][direction];
      }
    product[0] *= xi;
  }
  return product;
}

/// Physical derivatives of order m from those on the reference element: with ∂x = ξ_x ∂ξ + η_x ∂η + ζ_x ∂ζ and likewise
/// for y and z each is a product of m such sums.
template <class Config, int m>
Derivatives<Config, m + 1> physical_derivatives(const Derivatives<Config, m + 1>& reference,
                                                const BarycentricGradients<Config>& gradients) {
  using V = typename Config::Value;
  constexpr int dimension = Config::Equations::dimension;
  Derivatives<Config, m + 1> physical;
  for (int t = 0; t <= m; ++t)
    for (int s = 0; s <= (dimension == 3 ? t : 0); ++s) {
      const auto product = reference_coefficients<Config, m>(t - s, s, gradients);
      V& sum = physical[derivative_component(dimension, t, s)];
      sum = V(0);
      for (int i = 0; i < product.size(); ++i) sum += product[i] * reference[i];
    }
  return physical;
}

/// Values at a vertex, of all components, from the modes of one variable.
template <class Config, int k, class ModesOfVariable>
Derivatives<Config, k> derivatives_at_vertex(const ModesOfVariable& c, int vertex,
                                             const BarycentricGradients<Config>& gradients) {
  using V = typename Config::Value;
  Derivatives<Config, k> reference;
  for (int s = 0; s < reference.size(); ++s) {
    reference[s] = V(0);
    for (int j = 0; j < modes_up_to(Config::Equations::dimension, k); ++j)
      reference[s] += V(Config::Limits::vertex_derivative(k, s, vertex, j)) * c[j];
  }
  return physical_derivatives<Config, k - 1>(reference, gradients);
}

/// Means over the element: of a linear function, the average of the values at the vertices.
template <class Config, int k, class ModesOfVariable>
Derivatives<Config, k> mean_derivatives(const ModesOfVariable& c, const BarycentricGradients<Config>& gradients) {
  using V = typename Config::Value;
  constexpr int vertices = Config::Operators::sides;
  Derivatives<Config, k> mean;
  for (int r = 0; r < mean.size(); ++r) mean[r] = V(0);
  for (int vertex = 0; vertex < vertices; ++vertex) {
    const auto values = derivatives_at_vertex<Config, k>(c, vertex, gradients);
    for (int r = 0; r < mean.size(); ++r) mean[r] += number<V>(1.0 / vertices) * values[r];
  }
  return mean;
}

}  // namespace galerna::kernels
