/// \file
/// monitor.hpp for a block of elements on the CPU, values at the points by products in registers.
#pragma once

#include "kernels/batch/prefetch.hpp"
#include "kernels/batch/product.hpp"
#include "kernels/monitor.hpp"

namespace galerna::kernels {

template <class Case>
[[gnu::flatten]] void batch_monitor(const MonitorArguments& a, const Item& item) {
  using V = typename Case::Value;
  using Operators = typename Case::Operators;
  prefetch_state<Case>(a.state, item.block + 1);
  PointWatch<Case> watch;
  for_each_rows<Case, Operators::volume_points>([&](auto points) {
    Sums<Case, points.count> u;
    u.template add<Operators::modes>([&](int r, int j) { return Operators::volume_basis(points.first + r, j); },
                                     [&](int j) { return load_mode<Case>(a.state, item, j); });
#pragma GCC unroll 32
    for (int r = 0; r < points.count; ++r) watch.see(u.values[r]);
  });
  watch.report(a, item);
}

}  // namespace galerna::kernels
