/// \file
/// monitor.hpp for a block of elements on the CPU, values at the points by products in registers.
#pragma once

#include "kernels/monitor.hpp"
#include "kernels/packs/prefetch.hpp"
#include "kernels/packs/product.hpp"

namespace galerna::kernels {

template <class Config>
[[gnu::flatten]] void pack_monitor(const MonitorArguments& a, const Item& item) {
  using V = typename Config::Value;
  using Operators = typename Config::Operators;
  prefetch_state<Config>(a.state, item.block + 1);
  PointWatch<Config> watch;
  for_each_rows<Config, Operators::volume_points>([&](auto points) {
    Sums<Config, points.count> u;
    u.template add<Operators::modes>([&](int r, int j) { return Operators::volume_basis(points.first + r, j); },
                                     [&](int j) { return load_mode<Config>(a.state, item, j); });
#pragma GCC unroll 32
    for (int r = 0; r < points.count; ++r) watch.see(u.values[r]);
  });
  watch.report(a, item);
}

}  // namespace galerna::kernels
