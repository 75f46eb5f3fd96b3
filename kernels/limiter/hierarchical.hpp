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
  constexpr int variables = Case::Equations::variables, count = stored_derivatives(Case::Operators::degree);
  State<Case> difference;
  for (int v = 0; v < variables; ++v)
    difference[v] =
        gather<Case>(a.derivatives, elements, variables * count, v * count + first_derivative(k) + r) - own[v];
  return about.to(difference);
}

/// α of degree k for each variable.
template <class Case, int k, class About>
State<Case> degree_factors(const LimitArguments& a, const Item& item, const About& about, const Modes<Case>& c,
                           const Array<Vector<Case>, 3>& gradients) {
  using V = typename Case::Value;
  constexpr int variables = Case::Equations::variables;
  Array<State<Case>, k> mean;
  Array<Array<State<Case>, k>, 3> at_vertex;
  for (int v = 0; v < variables; ++v) {
    for (int r = 0; r < k; ++r) mean[r][v] = V(0);
    for (int vertex = 0; vertex < 3; ++vertex) {
      const auto values = derivatives_at_vertex<Case, k>(c[v], vertex, gradients);
      for (int r = 0; r < k; ++r) {
        at_vertex[vertex][r][v] = values[r];
        mean[r][v] += number<V>(1.0 / 3) * values[r];
      }
    }
  }
  State<Case> factors;
  for (int v = 0; v < variables; ++v) factors[v] = V(1);
  for (int vertex = 0; vertex < 3; ++vertex)
    for (int r = 0; r < k; ++r) {
      Bounds<Case> bounds, reached;
      for_each_around<Case>(a, item, vertex, [&](const Integers<Case>& elements) {
        if constexpr (k == 1)
          bounds.include(about.difference(gather_mean<Case>(a.state, elements)));
        else
          bounds.include(derivative_difference<Case, k>(a, about, elements, mean[r], r));
      });
      State<Case> difference;
      for (int v = 0; v < variables; ++v) difference[v] = at_vertex[vertex][r][v] - mean[r][v];
      reached.include(about.to(difference));
      for (int v = 0; v < variables; ++v)
        factors[v] =
            min(factors[v], slope_factor(bounds.least[v], bounds.most[v], reached.least[v], reached.most[v], V(0)));
    }
  return factors;
}

/// Scales the modes of degree k and higher by 1 − `where` (1 − α_k). \param lower α of degree k − 1 (1 at the bottom).
template <class Case, int k, class About>
void limit_degrees(const LimitArguments& a, const Item& item, const About& about, Modes<Case>& c,
                   const Array<Vector<Case>, 3>& gradients, const typename Case::Value& where,
                   const State<Case>& lower) {
  using V = typename Case::Value;
  constexpr int variables = Case::Equations::variables;
  State<Case> factors = degree_factors<Case, k>(a, item, about, c, gradients);
  for (int v = 0; v < variables; ++v) factors[v] = min(factors[v], lower[v]);
  // Higher degrees first: they are judged by the solution as it was.
  if constexpr (k < Case::Operators::degree) limit_degrees<Case, k + 1>(a, item, about, c, gradients, where, factors);
  for (int j = modes_up_to(k - 1); j < modes_up_to(k); ++j) {
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
