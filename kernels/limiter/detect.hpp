/// \file
/// Which elements the hierarchical limiter works on, and what it needs to know of their neighbours.
#pragma once

#include "kernels/limiter/derivatives.hpp"

namespace galerna::kernels {

/// How much trouble there is, from 0 to 1: a variable (density, energy) jumps across a side, on the average over the
/// side, by more than 14 % of the range of the means of the element and its face neighbours (1), by less than 7 % (0),
/// or by something in between: a switch without a ramp would let rounding errors decide. Where the solution is smooth
/// the jump is O(h^{p+1}) and the range O(h), or O(h²) at an extremum; at a discontinuity both are of the size of its
/// jump. After L. Krivodonova et al., Appl. Numer. Math. 48 (2004) 323, made free of the scale of lengths. Jumps below
/// `sensor_floor` of the mean are no trouble.
template <class Config>
typename Config::Value troubled(const LimitArguments& a, const Item& item) {
  using V = typename Config::Value;
  using Real = typename Config::Real;
  using Operators = typename Config::Operators;
  constexpr int watched[] = {0, Config::Equations::variables - 1};
  const State<Config> own_mean = gather_mean<Config>(a.state, own_elements<Config>(item));
  V largest_jump[2] = {V(0), V(0)}, least[2], most[2];
  for (int k = 0; k < 2; ++k) least[k] = most[k] = own_mean[watched[k]];
  for (int side = 0; side < Operators::sides; ++side) {
    const Integers<Config> codes = face_codes<Config>(a, item, side),
                           beyond_side = face_neighbours<Config>(a, item, side),
                           elements = inner_elements<Config>(item, beyond_side);
    const State<Config> bound = bounding_mean<Config>(a, item, beyond_side);
    for (int k = 0; k < 2; ++k) {
      least[k] = min(least[k], bound[watched[k]]);
      most[k] = max(most[k], bound[watched[k]]);
    }
    V jump[2] = {V(0), V(0)};
    for (int j = 0; j < Operators::modes; ++j) {
      const State<Config> beyond = gather_mode<Config>(a.state, elements, j), own = load_mode<Config>(a.state, item, j);
      const V basis = generate<Config>([&](int i) {
        return codes[i] < 0 ? Real(Config::Limits::side_mean(side, j))
                            : Real(Config::Limits::side_mean(side_of<Config>(codes[i]), j));
      });
      for (int k = 0; k < 2; ++k) {
        jump[k] += basis * beyond[watched[k]] - V(Config::Limits::side_mean(side, j)) * own[watched[k]];
      }
    }
    for (int k = 0; k < 2; ++k) largest_jump[k] = max(largest_jump[k], V(abs(jump[k])));
  }
  V result = V(0);
  for (int k = 0; k < 2; ++k) {
    const V smooth =
        number<V>(0.07) * (most[k] - least[k]) + number<V>(Config::sensor_floor) * abs(own_mean[watched[k]]);
    result = max(result, V(largest_jump[k] * reciprocal(V(smooth + number<V>(1e-30))) - V(1)));
  }
  return min(result, V(1));
}

template <class Config, int k>
void store_derivatives(const LimitArguments& a, const Item& item, const BarycentricGradients<Config>& gradients) {
  constexpr int variables = Config::Equations::variables, dimension = Config::Equations::dimension,
                count = stored_derivatives(dimension, Config::Operators::degree), modes = modes_up_to(dimension, k);
  Array<Array<typename Config::Value, modes>, variables> c;
  for (int j = 0; j < modes; ++j) {
    const State<Config> mode = load_mode<Config>(a.state, item, j);
    for (int v = 0; v < variables; ++v) c[v][j] = mode[v];
  }
  for (int v = 0; v < variables; ++v) {
    const auto mean = mean_derivatives<Config, k>(c[v], gradients);
    for (int r = 0; r < mean.size(); ++r)
      store<Config>(a.derivatives, item, variables * count, v * count + first_derivative(dimension, k) + r, mean[r]);
  }
  if constexpr (k > 2) store_derivatives<Config, k - 1>(a, item, gradients);
}

/// Before `limit`: marks troubled elements and stores the means of derivatives.
template <class Config>
void detect(const LimitArguments& a, const Item& item) {
  if (!a.control->active) return;
  store<Config>(a.troubled, item, 1, 0, troubled<Config>(a, item));
  if constexpr (Config::Operators::degree >= 2)
    store_derivatives<Config, Config::Operators::degree>(a, item, barycentric_gradients<Config>(a.gradients, item));
}

}  // namespace galerna::kernels
