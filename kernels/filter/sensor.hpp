/// \file
/// Which elements are filtered, and within which bounds, from the summaries of the state before the stage.
#pragma once

#include "kernels/filter/summary.hpp"

namespace galerna::kernels {

/// Offsets of the summary beyond a side and of its mean over that side.
template <class Config>
struct SummaryBeyond {
  Integers<Config> element, side;
  SummaryBeyond(const FilterArguments& a, const Item& item, int side_number)
      : element(load_integers<Config>(a.beyond, item, 2 * Config::Operators::sides, 2 * side_number)),
        side(load_integers<Config>(a.beyond, item, 2 * Config::Operators::sides, 2 * side_number + 1)) {}
};

/// How much trouble there is, from 0 to 1: at a side the density jumps, on the average over the side, by more than
/// `sensor_share` of the range of the means of the element and its face neighbours. Where the solution is smooth the
/// jump is O(h^{p+1}) and the range O(h), or O(h²) at an extremum; at a shock or contact both are of the size of its
/// jump. Jumps below `sensor_floor` of the mean are no trouble.
template <class Config>
typename Config::Value trouble_at_sides(const FilterArguments& a, const Item& item) {
  using V = typename Config::Value;
  constexpr int numbers = summary_numbers<Config>();
  const V mean = load<Config>(a.own, item, numbers, summary_of_mean);
  V least = mean, most = mean, largest_jump = V(0);
  for (int side = 0; side < Config::Operators::sides; ++side) {
    const SummaryBeyond<Config> beyond(a, item, side);
    const V mean_beyond = summary_number<Config>(a.summaries, beyond.element, summary_of_mean);
    least = min(least, mean_beyond);
    most = max(most, mean_beyond);
    const V jump = summary_number<Config>(a.summaries, beyond.side, 0) -
                   load<Config>(a.own, item, numbers, summary_of_side<Config>(side));
    largest_jump = max(largest_jump, V(abs(jump)));
  }
  const V smooth = number<V>(Config::sensor_share) * (most - least) + number<V>(Config::sensor_floor) * abs(mean);
  return ramp<Config>(V(largest_jump * reciprocal(V(smooth + number<V>(1e-30)))));
}

/// An element's trouble is the larger one of that of its own modes and that at sides.
template <class Config>
void sense(const FilterArguments& a, const Item& item) {
  using V = typename Config::Value;
  constexpr int numbers = summary_numbers<Config>();
  if (!Config::template OwnSensor<Config>::looks_at_sides || rests(a)) return;
  const V decay = load<Config>(a.own, item, numbers, summary_of_trouble);
  store<Config>(a.own, item, numbers, summary_of_trouble, V(max(decay, trouble_at_sides<Config>(a, item))));
}

/// What entropy and density may be at the points of an element, relative to those of its mean.
template <class Config>
struct FilterBounds {
  typename Config::Value entropy, least_density, largest_density;
};

/// What they were in the element, its neighbours and what meets it at the boundary. \param reference the mean to which
/// they are related
template <class Config>
FilterBounds<Config> filter_bounds(const FilterArguments& a, const Item& item, const State<Config>& reference) {
  using V = typename Config::Value;
  constexpr int numbers = summary_numbers<Config>();
  const V inverse = reciprocal(reference[0]);
  FilterBounds<Config> bounds = {V(1), V(1), V(1)};
  const auto include = [&](const V& entropy, const V& least, const V& largest, const State<Config>& mean) {
    const V density = mean[0] * inverse;
    bounds.entropy = min(bounds.entropy, V(entropy * entropy_ratio<Config>(mean, reference)));
    bounds.least_density = min(bounds.least_density, V(least * density));
    bounds.largest_density = max(bounds.largest_density, V(largest * density));
  };
  const auto own = [&](int k) { return load<Config>(a.own, item, numbers, k); };
  include(own(summary_of_entropy), own(summary_of_least), own(summary_of_largest), own_mean<Config>(a.own, item));
  for (int side = 0; side < Config::Operators::sides; ++side) {
    const Integers<Config> beyond = SummaryBeyond<Config>(a, item, side).element;
    const auto number = [&](int k) { return summary_number<Config>(a.summaries, beyond, k); };
    include(number(summary_of_entropy), number(summary_of_least), number(summary_of_largest),
            summary_mean<Config>(a.summaries, beyond));
  }
  return bounds;
}

}  // namespace galerna::kernels
