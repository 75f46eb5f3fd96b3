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
template <class Config, int k, class About>
State<Config> derivative_difference(const LimitArguments& a, const About& about, const Integers<Config>& elements,
                                    const State<Config>& own, int r) {
  constexpr int variables = Config::Equations::variables, dimension = Config::Equations::dimension,
                count = stored_derivatives(dimension, Config::Operators::degree);
  State<Config> difference;
  for (int v = 0; v < variables; ++v)
    difference[v] =
        gather<Config>(a.derivatives, elements, variables * count, v * count + first_derivative(dimension, k) + r) -
        own[v];
  return about.to(difference);
}

/// [component r] of derivatives of order k − 1.
template <class Config, int k>
using StateDerivatives = Array<State<Config>, Derivatives<Config, k>::size()>;

/// A linear function about its mean: difference [vertex][component r][variable], in the limited variables.
template <class Config, int k>
using VertexDifferences = Array<StateDerivatives<Config, k>, Config::Operators::sides>;

/// Bounds of component r around a vertex. Derivatives have none beyond the boundary: where such a vertex leaves them
/// `open`, nothing is cut.
template <class Config, int k, class About>
Bounds<Config> bounds_around(const LimitArguments& a, const Item& item, const About& about, int vertex,
                             const State<Config>& mean, int r, typename Config::Value& open) {
  using V = typename Config::Value;
  Bounds<Config> bounds;
  open = V(0);
  for_each_around<Config>(a, item, vertex, [&](const Integers<Config>& elements) {
    if constexpr (k == 1) {
      bounds.include(about.difference(bounding_mean<Config>(a, item, elements)));
    } else {
      bounds.include(derivative_difference<Config, k>(a, about, inner_elements<Config>(item, elements), mean, r));
      if constexpr (Config::boundary_bounds)
        open = max(open, generate<Config>([&](int i) { return typename Config::Real(elements[i] < 0 ? 1 : 0); }));
    }
  });
  return bounds;
}

/// By how much derivatives may leave their bounds: a part of the largest variation of any component at any vertex. In a
/// flow along one direction derivatives across it are next to nothing, and so are their bounds: their ratio, which may
/// be anything, shall not decide about derivatives along the flow.
template <class Config, int k>
State<Config> bounds_ease(const VertexDifferences<Config, k>& differences) {
  using V = typename Config::Value;
  State<Config> ease;
  for (int v = 0; v < State<Config>::size(); ++v) {
    ease[v] = V(0);
    if constexpr (k > 1)
      for (int vertex = 0; vertex < differences.size(); ++vertex)
        for (int r = 0; r < differences[vertex].size(); ++r)
          ease[v] = max(ease[v], V(number<V>(Config::bounds_ease) * abs(differences[vertex][r][v])));
  }
  return ease;
}

/// The linear functions of the derivatives of order k − 1 of all variables, about their means.
template <class Config, int k, class About>
VertexDifferences<Config, k> vertex_differences(const About& about, const Modes<Config>& c,
                                                const BarycentricGradients<Config>& gradients,
                                                StateDerivatives<Config, k>& mean) {
  using V = typename Config::Value;
  constexpr int variables = Config::Equations::variables, vertices = Config::Operators::sides;
  VertexDifferences<Config, k> differences;
  for (int v = 0; v < variables; ++v) {
    for (int r = 0; r < mean.size(); ++r) mean[r][v] = V(0);
    for (int vertex = 0; vertex < vertices; ++vertex) {
      const auto values = derivatives_at_vertex<Config, k>(c[v], vertex, gradients);
      for (int r = 0; r < mean.size(); ++r) {
        differences[vertex][r][v] = values[r];
        mean[r][v] += number<V>(1.0 / vertices) * values[r];
      }
    }
  }
  for (int vertex = 0; vertex < vertices; ++vertex)
    for (int r = 0; r < mean.size(); ++r) {
      for (int v = 0; v < variables; ++v) differences[vertex][r][v] -= mean[r][v];
      differences[vertex][r] = about.to(differences[vertex][r]);
    }
  return differences;
}

/// α of degree k for each variable.
template <class Config, int k, class About>
State<Config> degree_factors(const LimitArguments& a, const Item& item, const About& about, const Modes<Config>& c,
                             const BarycentricGradients<Config>& gradients) {
  using V = typename Config::Value;
  constexpr int variables = Config::Equations::variables, vertices = Config::Operators::sides;
  StateDerivatives<Config, k> mean;
  const VertexDifferences<Config, k> differences = vertex_differences<Config, k>(about, c, gradients, mean);
  const State<Config> ease = bounds_ease<Config, k>(differences);
  State<Config> factors;
  for (int v = 0; v < variables; ++v) factors[v] = V(1);
  for (int vertex = 0; vertex < vertices; ++vertex) {
    for (int r = 0; r < mean.size(); ++r) {
      V open;
      const Bounds<Config> bounds = bounds_around<Config, k>(a, item, about, vertex, mean[r], r, open);
      Bounds<Config> reached;
      reached.include(differences[vertex][r]);
      for (int v = 0; v < variables; ++v) {
        const V factor = slope_factor(V(bounds.least[v] - ease[v]), V(bounds.most[v] + ease[v]), reached.least[v],
                                      reached.most[v], V(0));
        factors[v] = min(factors[v], select(open > V(0), V(1), factor));
      }
    }
  }
  return factors;
}

/// Scales the modes of degree k and higher by 1 − `where` (1 − α_k). \param lower α of degree k − 1 (1 at the bottom).
template <class Config, int k, class About>
void limit_degrees(const LimitArguments& a, const Item& item, const About& about, Modes<Config>& c,
                   const BarycentricGradients<Config>& gradients, const typename Config::Value& where,
                   const State<Config>& lower) {
  using V = typename Config::Value;
  constexpr int variables = Config::Equations::variables, dimension = Config::Equations::dimension;
  State<Config> factors = degree_factors<Config, k>(a, item, about, c, gradients);
  for (int v = 0; v < variables; ++v) factors[v] = min(factors[v], lower[v]);
  // Higher degrees first: they are judged by the solution as it was.
  if constexpr (k < Config::Operators::degree)
    limit_degrees<Config, k + 1>(a, item, about, c, gradients, where, factors);
  for (int j = modes_up_to(dimension, k - 1); j < modes_up_to(dimension, k); ++j) {
    State<Config> mode;
    for (int v = 0; v < variables; ++v) mode[v] = c[v][j];
    State<Config> limited = about.to(mode);
    for (int v = 0; v < variables; ++v) limited[v] *= factors[v];
    limited = about.from(limited);
    for (int v = 0; v < variables; ++v)
      c[v][j] = select(where > V(0), V(mode[v] + where * (limited[v] - mode[v])), mode[v]);
  }
}

struct Hierarchical {
  /// In troubled elements.
  template <class Config>
  static typename Config::Value where(const LimitArguments& a, const Item& item) {
    return load<Config>(a.troubled, item, 1, 0);
  }

  template <class Config, class About>
  static typename Config::Value limit(const LimitArguments& a, const Item& item, const About& about,
                                      const BarycentricGradients<Config>& gradients,
                                      const typename Config::Value& where, Modes<Config>& c) {
    using V = typename Config::Value;
    State<Config> uncut;
    for (int v = 0; v < Config::Equations::variables; ++v) uncut[v] = V(1);
    limit_degrees<Config, 1>(a, item, about, c, gradients, where, uncut);
    return select(where > V(0), V(1), V(0));
  }
};

}  // namespace galerna::kernels
