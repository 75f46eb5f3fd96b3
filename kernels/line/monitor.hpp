/// \file
/// monitor.hpp on hexahedra, from modes to points line by line.
#pragma once

#include "kernels/line/residual.hpp"
#include "kernels/monitor.hpp"

namespace galerna::kernels {

/// What is seen at the points of one line along ξ.
template <class Config>
PointWatch<Config> watch_line(const typename LineTeam<Config>::Field& values, int number) {
  PointWatch<Config> watch;
  const Line line = values.line(0, number);
  for (int i = 0; i <= Config::Operators::degree; ++i) {
    watch.see(state_at<Config>(values, line.at(i)));
  }
  return watch;
}

#ifdef __CUDACC_RTC__

/// A thread block takes 128 elements, some at a time.
template <class Config>
void line_monitor(const MonitorArguments& a) {
  using V = typename Config::Value;
  using Team = LineTeam<Config>;
  constexpr int groups = 128 / Team::elements, lines = Team::n * Team::n, seen = Team::elements * lines;
  double least = 1e300;
#pragma unroll 1
  for (int group = 0; group < groups; ++group) {
    const Team team({}, blockIdx.x * std::int64_t(groups) + group);
    load_values(team, a.state, team.second, team.first);
    V* const all = team.second.begin;
    team.each_line([&](int line) {
      const auto watch = watch_line<Config>(team.first, line);
      V* const own = all + line * Team::elements + team.first.element;
      own[0] = watch.fastest;
      own[seen] = watch.bad;
      own[2 * seen] = watch.most_diffusive;
    });
    team.wait();
    if (threadIdx.x < Team::elements) {
      PointWatch<Config> watch;
      for (int line = 0; line < lines; ++line) {
        const V* const of = all + line * Team::elements + threadIdx.x;
        watch.join({of[0], of[seen], of[2 * seen]});
      }
      const Item item = team.item();
      const double limit = watch.step_limit(a, item);
      least = min(
          least, watch.bad > V(0) ? bad_element_code(a.first_element + item.block * Config::width + item.lane) : limit);
    }
    team.wait();
  }
  least = group_min(least);
  if (threadIdx.x == 0) a.step_limits[blockIdx.x] = least;
}

#else

template <class Config>
[[gnu::flatten]] void line_monitor(const MonitorArguments& a, const Item& item) {
  const LineTeam<Config> team({}, item);
  load_values(team, a.state, team.second, team.first);
  PointWatch<Config> watch;
  team.each_line([&](int line) { watch.join(watch_line<Config>(team.first, line)); });
  watch.report(a, item);
}

#endif

}  // namespace galerna::kernels
