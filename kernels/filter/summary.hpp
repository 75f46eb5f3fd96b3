/// \file
/// What an element tells its neighbours before a stage, whatever their shapes: whether there is trouble, its mean,
/// means over its sides, its least entropy and the range of its density. Config adds
///   using Filter     tables side_mean(side, mode), degree(mode)
///   sensor_share, sensor_floor, sensor_ramp, smooth_ramp  of sensor.hpp
///   OwnSensor<Config>  what an element finds by its own modes: DecaySensor, or a class with its members
/// A summary is [number][lane]: trouble, from 0 to 1 (sensor.hpp); over quadrature points the least entropy, the least
/// and the largest density, relative to those of the mean (extremes.hpp, where there is trouble or a neighbour has it);
/// the mean; [side] the density's means over sides.
#pragma once

#include "kernels/filter/summary_layout.hpp"
#include "kernels/limiter/neighbours.hpp"

namespace galerna::kernels {

/// Whether there is nothing to be done.
template <class Arguments>
bool rests(const Arguments& a) {
  return a.between_steps ? a.control->frozen != 0 : !a.control->active;
}

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

/// The same of an element itself. \param own summaries of its set
template <class Config>
State<Config> own_mean(const void* own, const Item& item) {
  State<Config> mean;
  for (int v = 0; v < Config::Equations::variables; ++v)
    mean[v] = load<Config>(own, item, summary_numbers<Config>(), summary_of_mean + v);
  return mean;
}

/// Entropy of a state relative to that of another one; 0 where the state is not physical.
template <class Config>
typename Config::Value entropy_ratio(const State<Config>& u, const State<Config>& reference) {
  using V = typename Config::Value;
  return select(Config::Equations::admissible(u), V(Config::Equations::entropy_ratio(u, reference)), V(0));
}

/// Where a quantity rises from 1 by Config::sensor_ramp, from 0 to 1: a switch would let rounding errors decide. The
/// smooth one rises with the logarithm of the quantity, from 1/2 to 20, and has a continuous derivative: Newton's
/// method takes it.
template <class Config>
typename Config::Value ramp(const typename Config::Value& x) {
  using V = typename Config::Value;
  if constexpr (Config::smooth_ramp) {
    constexpr double least = 0.5, most = 20, span = 3.688879454113936;
    const V within = min(max(x, number<V>(least)), number<V>(most));
    const V t = log(V(within * number<V>(1 / least))) * number<V>(1 / span);
    return t * t * (V(3) - V(2) * t);
  } else {
    return max(min(V((x - V(1)) * number<V>(1 / Config::sensor_ramp)), V(1)), V(0));
  }
}

/// Trouble by the decay of an element's own modes, of degree 4 and more: the share of the highest degree in what
/// varies. A shock inside an element need not leave jumps at its sides. Modes of a step fall like 1/n; half of what
/// degree p then has is the bound.
template <class Config>
class DecaySensor {
 public:
  using V = typename Config::Value;
  static constexpr int degree = Config::Operators::degree;
  static constexpr bool looks = degree >= 4, looks_at_sides = true;

  void add(int j, const V& mode) {
    if (!looks || j == 0) return;
    const V square = mode * mode;
    all_ += square;
    if (Config::Filter::degree(j) == degree) highest_ += square;
  }
  V trouble(const V& constant) const {
    if (!looks) return V(0);
    const V varies = sqrt(all_) + number<V>(Config::sensor_floor) * abs(constant) + number<V>(1e-30);
    return ramp<Config>(V(sqrt(highest_) * number<V>(degree / 0.42) * reciprocal(varies)));
  }

 private:
  V all_ = V(0), highest_ = V(0);
};

/// Of a.state: means, and the trouble that an element finds by itself.
template <class Config>
void summarize(const SummaryArguments& a, const Item& item) {
  using V = typename Config::Value;
  constexpr int variables = Config::Equations::variables, sides = Config::Operators::sides,
                modes = Config::Operators::modes, numbers = summary_numbers<Config>();
  if (rests(a)) return;
  State<Config> mean;
  Array<V, sides> over_side;
  for (int side = 0; side < sides; ++side) over_side[side] = V(0);
  typename Config::template OwnSensor<Config> sensor;
  V inverse = V(0), constant = V(0);
  if constexpr (has_weighted_mean<Config>())
    inverse = V(mean_scale<Config>()) * reciprocal(load<Config>(a.means, item, modes, 0));
#pragma unroll
  for (int j = 0; j < modes; ++j) {
    const State<Config> mode = load_mode<Config>(a.state, item, j);
    sensor.add(j, mode[0]);
    for (int side = 0; side < sides; ++side) over_side[side] += V(Config::Filter::side_mean(side, j)) * mode[0];
    if (j == 0) {
      constant = mode[0];
      for (int v = 0; v < variables; ++v) mean[v] = V(mean_scale<Config>()) * mode[v];
    } else if constexpr (has_weighted_mean<Config>()) {
      const V weight = inverse * load<Config>(a.means, item, modes, j);
      for (int v = 0; v < variables; ++v) mean[v] += weight * mode[v];
    }
  }
  const auto put = [&](int k, const V& value) { store<Config>(a.summaries, item, numbers, k, value); };
  put(summary_of_trouble, sensor.trouble(constant));
  for (int v = 0; v < variables; ++v) put(summary_of_mean + v, mean[v]);
  for (int side = 0; side < sides; ++side) put(summary_of_side<Config>(side), over_side[side]);
}

}  // namespace galerna::kernels
