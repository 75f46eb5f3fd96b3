/// \file
/// Limiting of linear functions against bounds: the factors α by which a slope must shrink.
#pragma once

#include "kernels/limiter/neighbours.hpp"

namespace galerna::kernels {

/// Least and largest difference from the mean that a limited function may have; both include 0.
template <class Config>
struct Bounds {
  State<Config> least, most;

  Bounds() {
    for (int v = 0; v < State<Config>::size(); ++v) least[v] = most[v] = typename Config::Value(0);
  }
  void include(const State<Config>& difference) {
    for (int v = 0; v < State<Config>::size(); ++v) {
      least[v] = min(least[v], difference[v]);
      most[v] = max(most[v], difference[v]);
    }
  }
};

/// The largest α ≤ 1 with least ≤ α δ ≤ most for δ between `lowest` ≤ 0 and `highest` ≥ 0. Overshoots below `noise` do
/// not count.
template <class V>
V slope_factor(const V& least, const V& most, const V& lowest, const V& highest, const V& noise) {
  const auto over = highest > most + noise, under = lowest < least - noise;
  const V above = select(over, V(most * reciprocal(V(select(over, highest, V(1))))), V(1));
  const V below = select(under, V(least * reciprocal(V(select(under, lowest, V(1))))), V(1));
  return min(above, below);
}

/// What counts as rounding error of the solution: a few thousand units in the last place of the largest mean.
template <class Config>
typename Config::Value rounding_noise(const Modes<Config>& c) {
  using V = typename Config::Value;
  V largest = V(0);
  for (int v = 0; v < Config::Equations::variables; ++v) largest = max(largest, V(abs(c[v][0])));
  return number<V>(sizeof(typename Config::Real) == 8 ? 1e-12 : 1e-4) * largest;
}

/// Barth and Jespersen's limiter of a linear solution (AIAA 89-0366) as in M. Fuhry, A. Giuliani, L. Krivodonova
/// (2014), eqs. 17–19: at the integration points of the sides no variable may leave the range of the means of the
/// element and its face neighbours. \param slopes [variable][mode − 1] in the limited variables. \return α of each
/// variable.
template <class Config, class About, class Slopes>
State<Config> face_factors(const LimitArguments& a, const Item& item, const About& about, const Slopes& slopes,
                           const typename Config::Value& noise) {
  using V = typename Config::Value;
  using Operators = typename Config::Operators;
  Bounds<Config> bounds, reached;
  for (int side = 0; side < Operators::sides; ++side)
    bounds.include(about.difference(bounding_mean<Config>(a, item, face_neighbours<Config>(a, item, side))));
#pragma unroll
  for (int side = 0; side < Operators::sides; ++side)
#pragma unroll
    for (int q = 0; q < Operators::side_points; ++q) {
      State<Config> difference;
      for (int v = 0; v < State<Config>::size(); ++v) {
        difference[v] = V(0);
        for (int d = 0; d < Config::Equations::dimension; ++d)
          difference[v] += V(Operators::side_basis(side, q, 1 + d)) * slopes[v][d];
      }
      reached.include(difference);
    }
  State<Config> factors;
  for (int v = 0; v < State<Config>::size(); ++v)
    factors[v] = slope_factor(bounds.least[v], bounds.most[v], reached.least[v], reached.most[v], noise);
  return factors;
}

/// The same at the vertices, against the means of all elements around each vertex: J. S. Park, S.-H. Yoon, C. Kim, J.
/// Comput. Phys. 229 (2010) 788; D. Kuzmin, J. Comput. Appl. Math. 233 (2010) 3077.
template <class Config, class About, class Slopes>
State<Config> vertex_factors(const LimitArguments& a, const Item& item, const About& about, const Slopes& slopes,
                             const typename Config::Value& noise) {
  using V = typename Config::Value;
  State<Config> factors;
  for (int v = 0; v < State<Config>::size(); ++v) factors[v] = V(1);
  for (int vertex = 0; vertex < Config::Operators::sides; ++vertex) {
    Bounds<Config> bounds, reached;
    for_each_around<Config>(a, item, vertex, [&](const Integers<Config>& elements) {
      bounds.include(about.difference(bounding_mean<Config>(a, item, elements)));
    });
    State<Config> difference;
    for (int v = 0; v < State<Config>::size(); ++v) {
      difference[v] = V(0);
      for (int d = 0; d < Config::Equations::dimension; ++d)
        difference[v] += V(Config::Limits::vertex_derivative(1, 0, vertex, 1 + d)) * slopes[v][d];
    }
    reached.include(difference);
    for (int v = 0; v < State<Config>::size(); ++v)
      factors[v] =
          min(factors[v], slope_factor(bounds.least[v], bounds.most[v], reached.least[v], reached.most[v], noise));
  }
  return factors;
}

}  // namespace galerna::kernels
