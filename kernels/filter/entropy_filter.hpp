/// \file
/// Entropy filter: T. Dzanic, F. D. Witherden, J. Comput. Phys. 468 (2022) 111501. Modes of degree n are multiplied by
/// f^(n²), f as near to 1 as keeps the entropy at all quadrature points from falling below the least one that there
/// was in the element, its neighbours and what flows in before the stage (E. Tadmor's minimum principle, Appl. Numer.
/// Math. 2 (1986) 211), and the density within the range that it had there. Only elements that the sensor finds are
/// filtered, or smooth extrema would be cut. Means stay (docs/theory.md, Entropy filter).
#pragma once

#include "kernels/filter/sensor.hpp"

namespace galerna::kernels {

/// Of the states at a point, the parts of degree 1, 2, … p: [degree − 1][variable]. They have no mean.
template <class Config>
using DegreeParts = Array<State<Config>, Config::Operators::degree>;

/// \param basis(mode) values at the point, or over the mean
template <class Config, class Basis>
DegreeParts<Config> degree_parts(const Modes<Config>& c, const Basis& basis) {
  using V = typename Config::Value;
  constexpr int variables = Config::Equations::variables;
  DegreeParts<Config> parts;
  for (int n = 0; n < parts.size(); ++n)
    for (int v = 0; v < variables; ++v) parts[n][v] = V(0);
#pragma unroll
  for (int j = 1; j < Config::Operators::modes; ++j)
    for (int v = 0; v < variables; ++v) parts[Config::Filter::degree(j) - 1][v] += V(basis(j)) * c[v][j];
  return parts;
}

/// f^(n²), n = 1 … p.
template <class Config>
Array<typename Config::Value, Config::Operators::degree> filter_factors(const typename Config::Value& f) {
  using V = typename Config::Value;
  Array<V, Config::Operators::degree> factors;
  V odd = f;  // f^(2n + 1)
  factors[0] = f;
  for (int n = 1; n < factors.size(); ++n) {
    odd = odd * f * f;
    factors[n] = factors[n - 1] * odd;
  }
  return factors;
}

/// The state at a point once it is filtered.
template <class Config>
State<Config> filtered_state(const State<Config>& mean, const DegreeParts<Config>& parts,
                             const typename Config::Value& f) {
  State<Config> u = mean;
  const auto factors = filter_factors<Config>(f);
  for (int n = 0; n < parts.size(); ++n)
    for (int v = 0; v < u.size(); ++v) u[v] += factors[n] * parts[n][v];
  return u;
}

/// Modes of degree ≥ 1 over the mean of the element, where metric terms are not constant.
template <class Config>
DegreeParts<Config> means_of_parts(const FilterArguments& a, const Item& item, const Modes<Config>& c) {
  using V = typename Config::Value;
  constexpr int modes = Config::Operators::modes;
  const V inverse = V(mean_scale<Config>()) * reciprocal(load<Config>(a.means, item, modes, 0));
  return degree_parts<Config>(c, [&](int j) { return V(inverse * load<Config>(a.means, item, modes, j)); });
}

/// The factor f. Bisection takes a fixed number of steps, so that results repeat.
/// \param bounds hold for the mean
template <class Config>
typename Config::Value filter_strength(const Modes<Config>& c, const State<Config>& mean,
                                       const DegreeParts<Config>& means, const FilterBounds<Config>& bounds) {
  using V = typename Config::Value;
  using Operators = typename Config::Operators;
  constexpr int bisections = 12, volume_points = Operators::volume_points;
  const V inverse_density = reciprocal(mean[0]);
  V f = V(1);
#pragma unroll 1
  for (int k = 0; k < volume_points + all_side_points<Operators>(); ++k) {
    const int on_side = k - volume_points;
    DegreeParts<Config> parts = degree_parts<Config>(c, [&](int j) {
      return on_side < 0 ? Operators::volume_basis(k, j)
                         : Operators::side_basis(side_at<Operators>(on_side), point_on_side<Operators>(on_side), j);
    });
    if constexpr (has_weighted_mean<Config>())
      for (int n = 0; n < parts.size(); ++n)
        for (int v = 0; v < mean.size(); ++v) parts[n][v] -= means[n][v];
    // How far the state is from the nearest bound; negative beyond it.
    const auto margin = [&](const V& factor) {
      const State<Config> u = filtered_state<Config>(mean, parts, factor);
      const V density = u[0] * inverse_density;
      return min(V(entropy_ratio<Config>(u, mean) - bounds.entropy),
                 V(min(V(density - bounds.least_density), V(bounds.largest_density - density))));
    };
    const auto low = margin(f) < V(0);
    if (!any(low)) continue;
    V kept = V(0), cut = f;
#pragma unroll 1
    for (int step = 0; step < bisections; ++step) {
      const V middle = number<V>(0.5) * (kept + cut);
      const auto bad = margin(middle) < V(0);
      cut = select(bad, middle, cut);
      kept = select(bad, kept, middle);
    }
    f = select(low, kept, f);
  }
  return f;
}

/// Multiplies the modes of degree n by f^(n²) and keeps the mean.
template <class Config>
void apply_filter(const typename Config::Value& f, const State<Config>& mean, const DegreeParts<Config>& means,
                  Modes<Config>& c) {
  using V = typename Config::Value;
  constexpr int variables = Config::Equations::variables;
  const auto factors = filter_factors<Config>(f);
#pragma unroll
  for (int j = 1; j < Config::Operators::modes; ++j)
    for (int v = 0; v < variables; ++v) c[v][j] *= factors[Config::Filter::degree(j) - 1];
  if constexpr (has_weighted_mean<Config>())
    for (int v = 0; v < variables; ++v) {
      V constant = mean[v];
      for (int n = 0; n < means.size(); ++n) constant -= factors[n] * means[n][v];
      c[v][0] = constant * reciprocal(V(mean_scale<Config>()));
    }
}

/// Filters the elements that the sensor finds. \return 1 in the lanes where modes changed, else 0
template <class Config>
typename Config::Value filter_entropy(const FilterArguments& a, const Item& item, Modes<Config>& c) {
  using V = typename Config::Value;
  using Equations = typename Config::Equations;
  V found = trouble_at_sides<Config>(a, item);
  if constexpr (Config::Operators::degree >= 4) found = max(found, trouble_of_modes<Config>(c));
  if (!any(found > V(0))) return V(0);
  const State<Config> mean = mean_of<Config>(a, item, c);
  if (any(select(Equations::admissible(mean), V(0), V(1)) > V(0))) return V(0);  // the step is taken again
  // A stage may leave the bounds by a thousandth: entropy that is constant but for errors of the scheme would be cut at
  // every stage otherwise (docs/theory.md, Entropy filter).
  FilterBounds<Config> bounds = filter_bounds<Config>(a, item, mean);
  const V share = number<V>(1 - 1e-3) * found;
  bounds.entropy *= share;
  bounds.least_density *= share;
  bounds.largest_density = bounds.largest_density / max(share, number<V>(1e-30));
  DegreeParts<Config> means{};
  if constexpr (has_weighted_mean<Config>()) means = means_of_parts<Config>(a, item, c);
  // Lanes that share a pack with others have no part in their trouble.
  const V f = select(found > V(0), filter_strength<Config>(c, mean, means, bounds), V(1));
  const auto cut = f < V(1);
  if (!any(cut)) return V(0);
  apply_filter<Config>(f, mean, means, c);
  return select(cut, V(1), V(0));
}

/// After a stage, in place.
template <class Config>
void filter(const FilterArguments& a, const Item& item) {
  using V = typename Config::Value;
  if (!a.control->active) return;
  Modes<Config> c = load_modes<Config>(a.state, item);
  const V filtered = filter_entropy<Config>(a, item, c);
  V scaled = V(0);
  if constexpr (Config::keeps_positive) scaled = keep_positive<Config>(a, item, c);
  if (any(filtered + scaled > V(0))) store_limited<Config>(a.state, item, c);
  count_limited<Config>(a, item, filtered, scaled);
}

}  // namespace galerna::kernels
