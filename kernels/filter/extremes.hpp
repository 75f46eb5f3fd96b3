/// \file
/// The least entropy and the range of density at the quadrature points of elements that are filtered after the stage,
/// and of their neighbours, whose bounds they are.
#pragma once

#include "kernels/filter/sensor.hpp"
#include "kernels/limiter/shared_element.hpp"

namespace galerna::kernels {

/// The largest trouble of an element and its neighbours.
template <class Config>
typename Config::Value trouble_around(const FilterArguments& a, const SharedElement<Config>& element) {
  using V = typename Config::Value;
  const Item& item = element.item();
  V trouble = load<Config>(a.own, item, summary_numbers<Config>(), summary_of_trouble);
  for (int side = item.thread; side < Config::Operators::sides; side += GroupThread<Config>::group)
    trouble = max(
        trouble, summary_number<Config>(a.summaries, SummaryBeyond<Config>(a, item, side).element, summary_of_trouble));
  return element.largest(trouble);
}

/// Before a stage at a.state.
template <class Config>
void extremes(const FilterArguments& a, const Item& item) {
  using V = typename Config::Value;
  if (!a.control->active) return;
  SharedElement<Config> element(item);
  if (!element.any_of(trouble_around<Config>(a, element) > V(0))) return;
  element.read(a.state);
  const State<Config> mean = own_mean<Config>(a.own, item);
  V entropy = V(1), least = mean[0], largest = mean[0];
  element.for_each_point([&](const State<Config>& u) {
    entropy = min(entropy, entropy_ratio<Config>(u, mean));
    least = min(least, u[0]);
    largest = max(largest, u[0]);
  });
  entropy = element.least(entropy);
  least = element.least(least);
  largest = element.largest(largest);
  if (item.thread != 0) return;
  const V inverse = reciprocal(mean[0]);
  const auto put = [&](int k, const V& value) { store<Config>(a.own, item, summary_numbers<Config>(), k, value); };
  put(summary_of_entropy, entropy);
  put(summary_of_least, V(least * inverse));
  put(summary_of_largest, V(largest * inverse));
}

}  // namespace galerna::kernels
