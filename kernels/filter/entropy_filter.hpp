/// \file
/// Entropy filter: T. Dzanic, F. D. Witherden, J. Comput. Phys. 468 (2022) 111501. Modes of degree n are multiplied by
/// f^(n²), f as near to 1 as keeps the entropy at all quadrature points from falling below the least one that there
/// was in the element, its neighbours and what flows in before the stage (E. Tadmor's minimum principle, Appl. Numer.
/// Math. 2 (1986) 211), and the density within the range that it had there. Only elements that the sensor finds are
/// filtered, or smooth extrema would be cut. Means stay (docs/theory.md, Entropy filter).
#pragma once

#include "kernels/filter/extremes.hpp"
#include "kernels/limiter/positivity.hpp"

namespace galerna::kernels {

/// The parts of degree 1, 2, … p of the state at a point, less their means: [degree − 1][variable].
template <class Config>
using DegreeParts = Array<State<Config>, Config::Operators::degree>;
/// Of a thread's variables, the means of the parts over the element.
template <class Config>
using OwnDegreeParts = Array<Part<Config>, Config::Operators::degree>;

/// Of a thread's variables, the parts at the points of a batch: [degree − 1][point].
/// \param basis(k, mode) values at its points
template <class Config, int count, class Basis>
Array<Array<Part<Config>, count>, Config::Operators::degree> degree_parts(const PartModes<Config>& c,
                                                                          const Basis& basis) {
  using V = typename Config::Value;
  Array<Array<Part<Config>, count>, Config::Operators::degree> parts;
  for (int n = 0; n < parts.size(); ++n)
    for (int k = 0; k < count; ++k) parts[n][k] = zero_part<Config>();
  for_each_mode_from<Config, 1>([&](int j) {
    const int n = Config::Filter::degree(j) - 1;
    unrolled<count>([&](int k) { add_product<Config>(parts[n][k], V(basis(k, j)), c[j]); });
  });
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
OwnDegreeParts<Config> means_of_parts(const FilterArguments& a, const SharedElement<Config>& element) {
  using V = typename Config::Value;
  constexpr int modes = Config::Operators::modes;
  const V inverse = V(mean_scale<Config>()) * reciprocal(load<Config>(a.means, element.item(), modes, 0));
  const auto parts = degree_parts<Config, 1>(
      element.c, [&](int, int j) { return V(inverse * load<Config>(a.means, element.item(), modes, j)); });
  OwnDegreeParts<Config> means;
  for (int n = 0; n < means.size(); ++n) means[n] = parts[n][0];
  return means;
}

/// The factor that keeps the state at a point within bounds that hold for the mean: 1, or k / 2^12 by bisection, which
/// looks at no other point. The least factor of all points therefore hangs on no order of them: threads of a GPU look
/// at some each. \return the less one of it and `so_far`
template <class Config>
typename Config::Value filter_at_point(const State<Config>& mean, const DegreeParts<Config>& parts,
                                       const FilterBounds<Config>& bounds, const typename Config::Value& so_far) {
  using V = typename Config::Value;
  constexpr int bisections = 12;
  const V inverse_density = reciprocal(mean[0]);
  // Whether the state is beyond a bound.
  const auto beyond = [&](const V& factor) {
    const State<Config> u = filtered_state<Config>(mean, parts, factor);
    const V density = u[0] * inverse_density;
    return min(V(entropy_ratio<Config>(u, mean) - bounds.entropy),
               V(min(V(density - bounds.least_density), V(bounds.largest_density - density)))) < V(0);
  };
  V kept = select(beyond(V(1)), V(0), V(1)), cut = V(1);
  // Once more is kept than so far, the factor is of no importance.
#pragma unroll 1
  for (int step = 0; step < bisections && any(kept < so_far); ++step) {
    const V middle = number<V>(0.5) * (kept + cut);
    const auto bad = beyond(middle);
    cut = select(bad, middle, cut);
    kept = select(bad, kept, middle);
  }
  return min(kept, so_far);
}

/// The factor f that serves all points.
template <class Config>
typename Config::Value filter_strength(const SharedElement<Config>& element, const State<Config>& mean,
                                       const OwnDegreeParts<Config>& means, const FilterBounds<Config>& bounds) {
  using V = typename Config::Value;
  using Operators = typename Config::Operators;
  V f = V(1);
  const auto look = [&](auto batch, const auto& basis) {
    using Points = decltype(batch);
    auto parts = degree_parts<Config, Points::count>(element.c, basis);
    Array<Array<State<Config>, states_of<Config, Points>()>, Operators::degree> states;
    for (int n = 0; n < states.size(); ++n) {
      if constexpr (has_weighted_mean<Config>())
        for (int k = 0; k < Points::count; ++k) add_product<Config>(parts[n][k], V(-1), means[n]);
      states[n] = join_parts<Config, Points>(element.thread, parts[n]);
    }
    for (int s = 0; s < states[0].size(); ++s) {
      DegreeParts<Config> at;
      for (int n = 0; n < at.size(); ++n) at[n] = states[n][s];
      f = filter_at_point<Config>(mean, at, bounds, f);
    }
  };
  using Tables = typename Config::LoopTables;
  loop_through_batches<Config, Operators::volume_points>(
      [&](auto batch) { look(batch, [&](int k, int j) { return Tables::volume_basis(batch.first + k, j); }); });
  loop_through_batches<Config, all_side_points<Operators>()>(
      [&](auto batch) { look(batch, [&](int k, int j) { return Tables::side_basis(batch.first + k, j); }); });
  return element.least(f);
}

/// Multiplies the modes of degree n by f^(n²) and keeps the mean.
template <class Config>
void apply_filter(const typename Config::Value& f, const State<Config>& mean, const OwnDegreeParts<Config>& means,
                  SharedElement<Config>& element) {
  using V = typename Config::Value;
  const auto factors = filter_factors<Config>(f);
  PartModes<Config>& c = element.c;
  for_each_mode_from<Config, 1>([&](int j) {
    const V factor = factors[Config::Filter::degree(j) - 1];
    for (int k = 0; k < Part<Config>::size(); ++k) c[j][k] *= factor;
  });
  if constexpr (has_weighted_mean<Config>())
    for (int k = 0; k < Part<Config>::size(); ++k) {
      V constant = mean[element.variable(k)];
      for (int n = 0; n < means.size(); ++n) constant -= factors[n] * means[n][k];
      // Not where others of the pack are filtered: the number would be rounded.
      c[0][k] = select(f < V(1), V(constant * reciprocal(V(mean_scale<Config>()))), c[0][k]);
    }
}

/// Filters elements in trouble. \param trouble from 0 to 1 \return 1 in the lanes where modes changed, else 0
template <class Config>
typename Config::Value filter_entropy(const FilterArguments& a, typename Config::Value trouble,
                                      SharedElement<Config>& element) {
  using V = typename Config::Value;
  const State<Config> mean = element.mean(a);
  // Where a mean is lost, the step is taken again.
  trouble = select(Config::Equations::admissible(mean), trouble, V(0));
  // A stage may leave the bounds by a thousandth: entropy that is constant but for errors of the scheme would be cut at
  // every stage otherwise (docs/theory.md, Entropy filter).
  FilterBounds<Config> bounds = filter_bounds<Config>(a, element.item(), mean);
  const V share = number<V>(1 - 1e-3) * trouble;
  bounds.entropy *= share;
  bounds.least_density *= share;
  bounds.largest_density = bounds.largest_density / max(share, number<V>(1e-30));
  OwnDegreeParts<Config> means{};
  if constexpr (has_weighted_mean<Config>()) means = means_of_parts<Config>(a, element);
  // Elements that share a pack or a warp with others have no part in their trouble.
  const V f = select(trouble > V(0), filter_strength<Config>(element, mean, means, bounds), V(1));
  if (element.item().thread == 0) store<Config>(a.strengths, element.item(), 1, 0, V(V(1) - f));
  const auto cut = f < V(1);
  if (!element.any_of(cut)) return V(0);
  apply_filter<Config>(f, mean, means, element);
  return select(cut, V(1), V(0));
}

/// After a stage, in place.
template <class Config>
void filter(const FilterArguments& a, const Item& item) {
  using V = typename Config::Value;
  if (!a.control->active) return;
  const V trouble = load<Config>(a.own, item, summary_numbers<Config>(), summary_of_trouble);
  SharedElement<Config> element(item);
  const bool found = element.any_of(trouble > V(0));
  if (!found && !Config::keeps_positive) return;
  element.read(a.state);
  V filtered = V(0), scaled = V(0);
  if (found) filtered = filter_entropy<Config>(a, trouble, element);
  if constexpr (Config::keeps_positive) scaled = keep_positive<Config>(a, element);
  if (element.any_of(filtered + scaled > V(0))) element.store(a.state);
  count_shared<Config>(a, element, filtered, scaled);
}

}  // namespace galerna::kernels
