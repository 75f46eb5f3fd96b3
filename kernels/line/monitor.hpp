/// \file
/// monitor.hpp on hexahedra, from modes to points line by line.
#pragma once

#include "kernels/line/residual.hpp"
#include "kernels/monitor.hpp"

namespace galerna::kernels {

/// What is seen at the points of one line along ξ.
template <class Case>
PointWatch<Case> watch_line(const typename LineTeam<Case>::Field& values, int number) {
  PointWatch<Case> watch;
  const Line line = values.line(0, number);
  for (int i = 0; i <= Case::Operators::degree; ++i) {
    watch.see(state_at<Case>(values, line.at(i)));
  }
  return watch;
}

#ifdef __CUDACC_RTC__

/// A thread block takes 128 elements, some at a time.
template <class Case>
void line_monitor(const MonitorArguments& a) {
  using V = typename Case::Value;
  using Team = LineTeam<Case>;
  constexpr int groups = 128 / Team::elements, lines = Team::n * Team::n, seen = Team::elements * lines;
  double least = 1e300;
#pragma unroll 1
  for (int group = 0; group < groups; ++group) {
    const Team team({}, blockIdx.x * std::int64_t(groups) + group);
    load_values(team, a.state, team.second, team.first);
    V* const all = team.second.begin;
    team.each_line([&](int line) {
      const auto watch = watch_line<Case>(team.first, line);
      V* const own = all + line * Team::elements + team.first.element;
      own[0] = watch.fastest;
      own[seen] = watch.bad;
      own[2 * seen] = watch.most_diffusive;
    });
    team.wait();
    if (threadIdx.x < Team::elements) {
      PointWatch<Case> watch;
      for (int line = 0; line < lines; ++line) {
        const V* const of = all + line * Team::elements + threadIdx.x;
        watch.join({of[0], of[seen], of[2 * seen]});
      }
      const Item item = team.item();
      const double limit = watch.step_limit(a, item);
      least = min(least,
                  watch.bad > V(0) ? bad_element_code(a.first_element + item.block * Case::width + item.lane) : limit);
    }
    team.wait();
  }
  least = group_min(least);
  if (threadIdx.x == 0) a.step_limits[blockIdx.x] = least;
}

#else

template <class Case>
[[gnu::flatten]] void line_monitor(const MonitorArguments& a, const Item& item) {
  const LineTeam<Case> team({}, item);
  load_values(team, a.state, team.second, team.first);
  PointWatch<Case> watch;
  team.each_line([&](int line) { watch.join(watch_line<Case>(team.first, line)); });
  watch.report(a, item);
}

#endif

}  // namespace galerna::kernels
