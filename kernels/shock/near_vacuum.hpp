/// \file
/// Elements that come near vacuum at a point: artificial viscosity keeps Newton's method from getting stuck there,
/// where no step halving finds density and pressure that stay positive.
#pragma once

#include "kernels/equations.hpp"
#include "kernels/filter/sensor.hpp"
#include "kernels/limiter/shared_element.hpp"

namespace galerna::kernels {

/// Trouble rises from 0, where density and pressure of all points are at least half of those of the mean, to 1 at a
/// quarter.
template <class Config>
requires HasPressure<typename Config::Equations>
void near_vacuum(const FilterArguments& a, const Item& item) {
  using V = typename Config::Value;
  using Equations = typename Config::Equations;
  if (rests(a)) return;
  SharedElement<Config> element(item);
  element.read(a.state);
  const State<Config> mean = own_mean<Config>(a.own, item);
  const V of_density = reciprocal(mean[0]), of_pressure = reciprocal(V(Equations::pressure(mean)));
  V least = V(1);
  element.for_each_point([&](const State<Config>& u) {
    least = min(least, min(V(u[0] * of_density), V(Equations::pressure(u) * of_pressure)));
  });
  least = element.least(least);
  if (item.thread != 0) return;
  constexpr int numbers = summary_numbers<Config>();
  const V trouble = max(V(0), min(V(1), V(number<V>(4) * (number<V>(0.5) - least))));
  store<Config>(a.own, item, numbers, summary_of_trouble,
                V(max(load<Config>(a.own, item, numbers, summary_of_trouble), trouble)));
}

/// Of equations that have no pressure.
template <class Config>
void near_vacuum(const FilterArguments&, const Item&) {}

}  // namespace galerna::kernels
