/// \file
/// Limiting of linear functions against bounds: the factors α by which a slope must shrink.
#pragma once

#include "kernels/limiter/neighbours.hpp"

namespace galerna::kernels {

/// Least and largest difference from the mean that a limited function may have; both include 0.
template <class Case>
struct Bounds {
  State<Case> least, most;

  Bounds() {
    for (int v = 0; v < State<Case>::size(); ++v) least[v] = most[v] = typename Case::Value(0);
  }
  void include(const State<Case>& difference) {
    for (int v = 0; v < State<Case>::size(); ++v) {
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
template <class Case>
typename Case::Value rounding_noise(const Modes<Case>& c) {
  using V = typename Case::Value;
  V largest = V(0);
  for (int v = 0; v < Case::Equations::variables; ++v) largest = max(largest, V(abs(c[v][0])));
  return number<V>(sizeof(typename Case::Real) == 8 ? 1e-12 : 1e-4) * largest;
}

/// Barth and Jespersen's limiter of a linear solution (AIAA 89-0366) as in M. Fuhry, A. Giuliani, L. Krivodonova
/// (2014), eqs. 17–19: at the integration points of the sides no variable may leave the range of the means of the
/// element and its face neighbours. \param slopes [variable][mode − 1] in the limited variables. \return α of each
/// variable.
template <class Case, class About, class Slopes>
State<Case> face_factors(const LimitArguments& a, const Item& item, const About& about, const Slopes& slopes,
                         const typename Case::Value& noise) {
  using V = typename Case::Value;
  using Operators = typename Case::Operators;
  Bounds<Case> bounds, reached;
  for (int side = 0; side < Operators::sides; ++side)
    bounds.include(about.difference(bounding_mean<Case>(a, item, face_neighbours<Case>(a, item, side))));
#pragma unroll
  for (int side = 0; side < Operators::sides; ++side)
#pragma unroll
    for (int q = 0; q < Operators::side_points; ++q) {
      State<Case> difference;
      for (int v = 0; v < State<Case>::size(); ++v) {
        difference[v] = V(0);
        for (int d = 0; d < Case::Equations::dimension; ++d)
          difference[v] += V(Operators::side_basis(side, q, 1 + d)) * slopes[v][d];
      }
      reached.include(difference);
    }
  State<Case> factors;
  for (int v = 0; v < State<Case>::size(); ++v)
    factors[v] = slope_factor(bounds.least[v], bounds.most[v], reached.least[v], reached.most[v], noise);
  return factors;
}

/// The same at the vertices, against the means of all elements around each vertex: J. S. Park, S.-H. Yoon, C. Kim, J.
/// Comput. Phys. 229 (2010) 788; D. Kuzmin, J. Comput. Appl. Math. 233 (2010) 3077.
template <class Case, class About, class Slopes>
State<Case> vertex_factors(const LimitArguments& a, const Item& item, const About& about, const Slopes& slopes,
                           const typename Case::Value& noise) {
  using V = typename Case::Value;
  State<Case> factors;
  for (int v = 0; v < State<Case>::size(); ++v) factors[v] = V(1);
  for (int vertex = 0; vertex < Case::Operators::sides; ++vertex) {
    Bounds<Case> bounds, reached;
    for_each_around<Case>(a, item, vertex, [&](const Integers<Case>& elements) {
      bounds.include(about.difference(bounding_mean<Case>(a, item, elements)));
    });
    State<Case> difference;
    for (int v = 0; v < State<Case>::size(); ++v) {
      difference[v] = V(0);
      for (int d = 0; d < Case::Equations::dimension; ++d)
        difference[v] += V(Case::Limits::vertex_derivative(1, 0, vertex, 1 + d)) * slopes[v][d];
    }
    reached.include(difference);
    for (int v = 0; v < State<Case>::size(); ++v)
      factors[v] =
          min(factors[v], slope_factor(bounds.least[v], bounds.most[v], reached.least[v], reached.most[v], noise));
  }
  return factors;
}

}  // namespace galerna::kernels
