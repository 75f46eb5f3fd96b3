/// \file
/// Vertex-based hierarchical slope limiter: D. Kuzmin, J. Comput. Appl. Math. 233 (2010) 3077; Int. J. Numer. Meth.
/// Fluids 71 (2013) 1178. The modes of degree k are scaled by α_k such that the (k − 1)-th derivatives of the part of
/// degree ≤ k, linear functions, stay at each vertex between the means of the elements around it. Kuzmin keeps smooth
/// extrema by α_k = max_{l ≥ k} α_l; here the sensor of detect.hpp does, and in the elements that it finds a cut at one
/// degree holds for all higher ones, α_k = min_{l ≤ k} α_l: at a shock no derivative can be trusted.
#pragma once

#include "kernels/limiter/derivatives.hpp"
#include "kernels/limiter/slopes.hpp"

namespace galerna::kernels {

/// Difference of derivative (k, r) of neighbours from the element's own mean of it, in the limited variables.
template <class Case, int k, class About>
State<Case> derivative_difference(const LimitArguments& a, const About& about, const Integers<Case>& elements,
                                  const State<Case>& own, int r) {
  constexpr int variables = Case::Equations::variables, dimension = Case::Equations::dimension,
                count = stored_derivatives(dimension, Case::Operators::degree);
  State<Case> difference;
  for (int v = 0; v < variables; ++v)
    difference[v] =
        gather<Case>(a.derivatives, elements, variables * count, v * count + first_derivative(dimension, k) + r) -
        own[v];
  return about.to(difference);
}

/// [component r] of derivatives of order k − 1.
template <class Case, int k>
using StateDerivatives = Array<State<Case>, Derivatives<Case, k>::size()>;

/// A linear function about its mean: difference [vertex][component r][variable], in the limited variables.
template <class Case, int k>
using VertexDifferences = Array<StateDerivatives<Case, k>, Case::Operators::sides>;

/// Bounds of component r around a vertex. Derivatives have none beyond the boundary: where such a vertex leaves them
/// `open`, nothing is cut.
template <class Case, int k, class About>
Bounds<Case> bounds_around(const LimitArguments& a, const Item& item, const About& about, int vertex,
                           const State<Case>& mean, int r, typename Case::Value& open) {
  using V = typename Case::Value;
  Bounds<Case> bounds;
  open = V(0);
  for_each_around<Case>(a, item, vertex, [&](const Integers<Case>& elements) {
    if constexpr (k == 1) {
      bounds.include(about.difference(bounding_mean<Case>(a, item, elements)));
    } else {
      bounds.include(derivative_difference<Case, k>(a, about, inner_elements<Case>(item, elements), mean, r));
      if constexpr (Case::boundary_bounds)
        open = max(open, generate<Case>([&](int i) { return typename Case::Real(elements[i] < 0 ? 1 : 0); }));
    }
  });
  return bounds;
}

/// What components of derivatives may overshoot: a part of the largest variation of any of them. In a shear layer the
/// derivatives along it are next to nothing, and so are their bounds: they shall not decide about those across.
template <class Case, int k>
State<Case> tolerated(const StateDerivatives<Case, k>& differences) {
  using V = typename Case::Value;
  State<Case> result;
  for (int v = 0; v < State<Case>::size(); ++v) {
    result[v] = V(0);
    if constexpr (k > 1)
      for (int r = 0; r < differences.size(); ++r)
        result[v] = max(result[v], V(number<V>(Case::derivative_tolerance) * abs(differences[r][v])));
  }
  return result;
}

/// α of degree k for each variable.
template <class Case, int k, class About>
State<Case> degree_factors(const LimitArguments& a, const Item& item, const About& about, const Modes<Case>& c,
                           const BarycentricGradients<Case>& gradients) {
  using V = typename Case::Value;
  constexpr int variables = Case::Equations::variables, vertices = Case::Operators::sides;
  StateDerivatives<Case, k> mean;
  VertexDifferences<Case, k> differences;
  for (int v = 0; v < variables; ++v) {
    for (int r = 0; r < mean.size(); ++r) mean[r][v] = V(0);
    for (int vertex = 0; vertex < vertices; ++vertex) {
      const auto values = derivatives_at_vertex<Case, k>(c[v], vertex, gradients);
      for (int r = 0; r < mean.size(); ++r) {
        differences[vertex][r][v] = values[r];
        mean[r][v] += number<V>(1.0 / vertices) * values[r];
      }
    }
  }
  State<Case> factors;
  for (int v = 0; v < variables; ++v) factors[v] = V(1);
  for (int vertex = 0; vertex < vertices; ++vertex) {
    for (int r = 0; r < mean.size(); ++r) {
      for (int v = 0; v < variables; ++v) differences[vertex][r][v] -= mean[r][v];
      differences[vertex][r] = about.to(differences[vertex][r]);
    }
    const State<Case> noise = tolerated<Case, k>(differences[vertex]);
    for (int r = 0; r < mean.size(); ++r) {
      V open;
      const Bounds<Case> bounds = bounds_around<Case, k>(a, item, about, vertex, mean[r], r, open);
      Bounds<Case> reached;
      reached.include(differences[vertex][r]);
      for (int v = 0; v < variables; ++v) {
        const V factor = slope_factor(bounds.least[v], bounds.most[v], reached.least[v], reached.most[v], noise[v]);
        factors[v] = min(factors[v], select(open > V(0), V(1), factor));
      }
    }
  }
  return factors;
}

/// Scales the modes of degree k and higher by 1 − `where` (1 − α_k). \param lower α of degree k − 1 (1 at the bottom).
template <class Case, int k, class About>
void limit_degrees(const LimitArguments& a, const Item& item, const About& about, Modes<Case>& c,
                   const BarycentricGradients<Case>& gradients, const typename Case::Value& where,
                   const State<Case>& lower) {
  using V = typename Case::Value;
  constexpr int variables = Case::Equations::variables, dimension = Case::Equations::dimension;
  State<Case> factors = degree_factors<Case, k>(a, item, about, c, gradients);
  for (int v = 0; v < variables; ++v) factors[v] = min(factors[v], lower[v]);
  // Higher degrees first: they are judged by the solution as it was.
  if constexpr (k < Case::Operators::degree) limit_degrees<Case, k + 1>(a, item, about, c, gradients, where, factors);
  for (int j = modes_up_to(dimension, k - 1); j < modes_up_to(dimension, k); ++j) {
    State<Case> mode;
    for (int v = 0; v < variables; ++v) mode[v] = c[v][j];
    State<Case> limited = about.to(mode);
    for (int v = 0; v < variables; ++v) limited[v] *= factors[v];
    limited = about.from(limited);
    for (int v = 0; v < variables; ++v)
      c[v][j] = select(where > V(0), V(mode[v] + where * (limited[v] - mode[v])), mode[v]);
  }
}

}  // namespace galerna::kernels
