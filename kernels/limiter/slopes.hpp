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

/// Of each variable the size in which its rounding errors are counted: its mean or, of a momentum that may be 0, what
/// waves carry, |F(u)·e| / λ. Both scale with the units of the variable.
template <class Config>
State<Config> sizes_of(const State<Config>& mean) {
  using V = typename Config::Value;
  using Equations = typename Config::Equations;
  State<Config> sizes;
  for (int v = 0; v < Equations::variables; ++v) sizes[v] = abs(mean[v]);
  const auto w = Equations::primitive(mean);
  for (int d = 0; d < Equations::dimension; ++d) {
    Vector<Config> e;
    for (int k = 0; k < Equations::dimension; ++k) e[k] = V(k == d ? 1 : 0);
    const State<Config> flux = Equations::flux(mean, w, e);
    const V speed = Equations::wave_speed(mean, w, e);
    const auto moves = speed > V(0);
    const V slowness = select(moves, reciprocal(V(select(moves, speed, V(1)))), V(0));
    for (int v = 0; v < Equations::variables; ++v) sizes[v] = max(sizes[v], V(abs(flux[v]) * slowness));
  }
  return sizes;
}

/// What counts as rounding error of the limited variables: a few thousand units in the last place of the means.
template <class Config, class About>
State<Config> rounding_noise(const About& about, const Modes<Config>& c) {
  using V = typename Config::Value;
  constexpr int variables = Config::Equations::variables;
  constexpr double units = sizeof(typename Config::Real) == 8 ? 1e-12 : 1e-4;
  State<Config> mean, noise;
  for (int v = 0; v < variables; ++v) mean[v] = V(mean_scale<Config>()) * c[v][0], noise[v] = V(0);
  const State<Config> sizes = sizes_of<Config>(mean);
  for (int k = 0; k < variables; ++k) {
    State<Config> change;
    for (int v = 0; v < variables; ++v) change[v] = v == k ? V(number<V>(units) * sizes[k]) : V(0);
    change = about.to(change);
    for (int v = 0; v < variables; ++v) noise[v] += abs(change[v]);
  }
  return noise;
}

/// Barth and Jespersen's limiter of a linear solution (AIAA 89-0366) as in M. Fuhry, A. Giuliani, L. Krivodonova
/// (2014), eqs. 17–19: at the integration points of the sides no variable may leave the range of the means of the
/// element and its face neighbours. \param slopes [variable][mode − 1] in the limited variables. \return α of each
/// variable.
template <class Config, class About, class Slopes>
State<Config> face_factors(const LimitArguments& a, const Item& item, const About& about, const Slopes& slopes,
                           const State<Config>& noise) {
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
    factors[v] = slope_factor(bounds.least[v], bounds.most[v], reached.least[v], reached.most[v], noise[v]);
  return factors;
}

/// The same at the vertices, against the means of all elements around each vertex: J. S. Park, S.-H. Yoon, C. Kim, J.
/// Comput. Phys. 229 (2010) 788; D. Kuzmin, J. Comput. Appl. Math. 233 (2010) 3077.
template <class Config, class About, class Slopes>
State<Config> vertex_factors(const LimitArguments& a, const Item& item, const About& about, const Slopes& slopes,
                             const State<Config>& noise) {
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
          min(factors[v], slope_factor(bounds.least[v], bounds.most[v], reached.least[v], reached.most[v], noise[v]));
  }
  return factors;
}

}  // namespace galerna::kernels
