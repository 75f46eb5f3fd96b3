/// \file
/// What an element tells its neighbours before a stage, whatever their shapes: its mean, means over its sides, and its
/// least entropy. Config adds
///   using Filter     tables side_mean(side, mode), degree(mode)
///   sensor_share, sensor_floor  of sensor.hpp
/// A summary is [number][lane]: over quadrature points the least entropy, the least and the largest density, relative
/// to those of the mean; the mean; [side] the density's means over sides.
#pragma once

#include "kernels/limiter/positivity.hpp"

namespace galerna::kernels {

/// Where in a summary the mean begins, and where the mean over a side lies.
constexpr int summary_of_mean = 3;
template <class Config>
constexpr int summary_of_side(int side) {
  return summary_of_mean + Config::Equations::variables + side;
}
template <class Config>
constexpr int summary_numbers() {
  return summary_of_side<Config>(Config::Operators::sides);
}

/// Number k of the summaries that begin at `offsets`.
template <class Config>
typename Config::Value summary_number(const void* summaries, const Integers<Config>& offsets, int k) {
  const auto* numbers = static_cast<const typename Config::Real*>(summaries);
  return generate<Config>([&](int i) { return numbers[std::int64_t(offsets[i]) + k * Config::width]; });
}

/// The mean in the summaries that begin at `offsets`.
template <class Config>
State<Config> summary_mean(const void* summaries, const Integers<Config>& offsets) {
  State<Config> mean;
  for (int v = 0; v < Config::Equations::variables; ++v)
    mean[v] = summary_number<Config>(summaries, offsets, summary_of_mean + v);
  return mean;
}

/// Entropy of a state relative to that of another one; 0 where the state is not physical.
template <class Config>
typename Config::Value entropy_ratio(const State<Config>& u, const State<Config>& reference) {
  using V = typename Config::Value;
  return select(Config::Equations::admissible(u), V(Config::Equations::entropy_ratio(u, reference)), V(0));
}

/// Before a stage at a.state.
template <class Config>
void summarize(const SummaryArguments& a, const Item& item) {
  using V = typename Config::Value;
  constexpr int variables = Config::Equations::variables, sides = Config::Operators::sides,
                modes = Config::Operators::modes, numbers = summary_numbers<Config>();
  if (!a.control->active) return;
  const Modes<Config> c = load_modes<Config>(a.state, item);
  const State<Config> mean = mean_of<Config>(a, item, c);
  V entropy = V(1), least = mean[0], largest = mean[0];
  for_each_point<Config>(c, [&](const State<Config>& u) {
    entropy = min(entropy, entropy_ratio<Config>(u, mean));
    least = min(least, u[0]);
    largest = max(largest, u[0]);
  });
  const V inverse = reciprocal(mean[0]);
  store<Config>(a.summaries, item, numbers, 0, entropy);
  store<Config>(a.summaries, item, numbers, 1, V(least * inverse));
  store<Config>(a.summaries, item, numbers, 2, V(largest * inverse));
  for (int v = 0; v < variables; ++v) store<Config>(a.summaries, item, numbers, summary_of_mean + v, mean[v]);
  for (int side = 0; side < sides; ++side) {
    V over_side = V(0);
    for (int j = 0; j < modes; ++j) over_side += V(Config::Filter::side_mean(side, j)) * c[0][j];
    store<Config>(a.summaries, item, numbers, summary_of_side<Config>(side), over_side);
  }
}

}  // namespace galerna::kernels
