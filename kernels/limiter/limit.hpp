/// \file
/// The limiter pass after a stage: slopes, then positivity, in place. Means do not change, so that an element may be limited while its
/// neighbours still read it. Case adds
///   using LimitedVariables   of variables.hpp
///   using Limits             tables vertex_derivative(k, s, vertex, mode), side_mean(side, mode)
///   limiter                  SlopeLimiter
///   vertex_neighbours, keeps_positive   settings
#pragma once

#include "kernels/limiter/hierarchical.hpp"
#include "kernels/limiter/positivity.hpp"
#include "kernels/limiter/slopes.hpp"
#include "kernels/limiter/variables.hpp"

namespace galerna::kernels {

enum class SlopeLimiter { none, barth_jespersen, hierarchical };

/// Direction of the pressure's gradient at the mean, of unit length; x where it vanishes.
template <class Case>
Vector<Case> pressure_direction(const Modes<Case>& c, const State<Case>& mean,
                                const Array<Vector<Case>, Case::Equations::dimension + 1>& gradients) {
  using V = typename Case::Value;
  using Equations = typename Case::Equations;
  constexpr int dimension = Equations::dimension, variables = Equations::variables;
  const auto w = Equations::primitive(mean);
  Vector<Case> direction;
  for (int d = 0; d < dimension; ++d) direction[d] = V(0);
  // The linear part of the pressure at the vertices gives its gradient, Σ_i p_i ∇λ_i.
  for (int vertex = 0; vertex <= dimension; ++vertex) {
    State<Case> du;
    for (int v = 0; v < variables; ++v) {
      du[v] = V(0);
      for (int k = 0; k < dimension; ++k) du[v] += V(Case::Limits::vertex_derivative(1, 0, vertex, 1 + k)) * c[v][1 + k];
    }
    const V change = Equations::primitive_change(w, du)[variables - 1];
    for (int d = 0; d < dimension; ++d) direction[d] += change * gradients[vertex][d];
  }
  V square = V(0);
  for (int d = 0; d < dimension; ++d) square += direction[d] * direction[d];
  const auto clear = square > number<V>(1e-30) * w.pressure * w.pressure;
  const V inverse = V(1) / sqrt(select(clear, square, V(1)));
  for (int d = 0; d < dimension; ++d) direction[d] = select(clear, V(direction[d] * inverse), V(d == 0 ? 1 : 0));
  return direction;
}

/// Limits a linear solution. \return 1 in the lanes where a slope was cut, else 0.
template <class Case, class About>
typename Case::Value limit_linear(const LimitArguments& a, const Item& item, const About& about, Modes<Case>& c) {
  using V = typename Case::Value;
  constexpr int variables = Case::Equations::variables, dimension = Case::Equations::dimension;
  Array<Array<V, dimension>, variables> slopes;
  for (int d = 0; d < dimension; ++d) {
    State<Case> mode;
    for (int v = 0; v < variables; ++v) mode[v] = c[v][1 + d];
    mode = about.to(mode);
    for (int v = 0; v < variables; ++v) slopes[v][d] = mode[v];
  }
  State<Case> factors;
  if constexpr (Case::vertex_neighbours) factors = vertex_factors<Case>(a, item, about, slopes, rounding_noise<Case>(c));
  else factors = face_factors<Case>(a, item, about, slopes, rounding_noise<Case>(c));
  V smallest = V(1);
  for (int v = 0; v < variables; ++v) smallest = min(smallest, factors[v]);
  for (int d = 0; d < dimension; ++d) {
    State<Case> mode;
    for (int v = 0; v < variables; ++v) mode[v] = slopes[v][d] * factors[v];
    mode = about.from(mode);
    for (int v = 0; v < variables; ++v) c[v][1 + d] = select(smallest < V(1), mode[v], c[v][1 + d]);
  }
  return select(smallest < V(1), V(1), V(0));
}

template <class Case>
typename Case::Value limit_slopes(const LimitArguments& a, const Item& item, Modes<Case>& c) {
  using V = typename Case::Value;
  using Equations = typename Case::Equations;
  using About = typename Case::LimitedVariables::template About<Equations, V>;
  V where = V(1);
  if constexpr (Case::limiter == SlopeLimiter::hierarchical) {
    where = load<Case>(a.troubled, item, 1, 0);
    if (!any(where > V(0))) return where;
  }
  State<Case> mean;
  for (int v = 0; v < Equations::variables; ++v) mean[v] = V(mean_scale<Case>()) * c[v][0];
  const auto gradients = barycentric_gradients<Case>(a.gradients, item);
  const About about(mean, pressure_direction<Case>(c, mean, gradients));
  if constexpr (Case::limiter == SlopeLimiter::hierarchical) {
    State<Case> uncut;
    for (int v = 0; v < Equations::variables; ++v) uncut[v] = V(1);
    limit_degrees<Case, 1>(a, item, about, c, gradients, where, uncut);
    return where;
  } else {
    return limit_linear<Case>(a, item, about, c);
  }
}

template <class Case>
void limit(const LimitArguments& a, const Item& item) {
  using V = typename Case::Value;
  constexpr int variables = Case::Equations::variables, modes = Case::Operators::modes;
  if (!a.control->active) return;
  Modes<Case> c = load_modes<Case>(a.state, item);
  V limited = V(0), scaled = V(0);
  if constexpr (Case::limiter != SlopeLimiter::none) limited = limit_slopes<Case>(a, item, c);
  if constexpr (Case::keeps_positive) scaled = keep_positive<Case>(c);
  if (any(limited + scaled > V(0)))
#pragma unroll
    for (int j = 1; j < modes; ++j) {
      State<Case> mode;
      for (int v = 0; v < variables; ++v) mode[v] = c[v][j];
      store_mode<Case>(a.state, item, j, mode);
    }
  const Integers<Case> own = own_elements<Case>(item);
  const V counted = generate<Case>([&](int i) { return typename Case::Real(own[i] < a.elements ? 1 : 0); });
  const int count_limited = block_count(V(limited * counted) > V(0)), count_scaled = block_count(V(scaled * counted) > V(0));
  if (item.lane == 0) {
    a.counts[item.block] += count_limited;
    a.counts[a.blocks + item.block] += count_scaled;
  }
}

}  // namespace galerna::kernels
