/// \file
/// monitor.hpp at the points of sides, too, where the step is that of the bound of positivity: a point of little
/// density there has the fastest waves (docs/theory.md, Positivity).
#pragma once

#include "kernels/limiter/positivity.hpp"
#include "kernels/monitor.hpp"

namespace galerna::kernels {

/// All points of an element whose modes the thread has.
template <class Config>
void watch_points(const MonitorArguments& a, const Item& item, const Modes<Config>& c) {
  PointWatch<Config> watch;
  for_each_point<Config>(c, [&](const State<Config>& u) { watch.see(u); });
  watch.report(a, item);
}

/// In place of `monitor`.
template <class Config>
void point_monitor(const MonitorArguments& a, const Item& item) {
  watch_points<Config>(a, item, load_modes<Config>(a.state, item));
}

/// The points of sides alone, behind `monitor`.
template <class Config>
void side_monitor(const MonitorArguments& a, const Item& item) {
  PointWatch<Config> watch;
  for_each_side_point<Config>(load_modes<Config>(a.state, item), [&](const State<Config>& u) { watch.see(u); });
  MonitorArguments of_sides = a;
  of_sides.element_limits = nullptr;
  watch.report(of_sides, item);
  if constexpr (Config::local_steps)
    if (a.element_limits) {
      const auto before = load<Config>(a.element_limits, item, 1, 0);
      store<Config>(a.element_limits, item, 1, 0, min(before, watch.step_limit(of_sides, item)));
    }
}

}  // namespace galerna::kernels
