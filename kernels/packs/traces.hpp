/// \file
/// Traces of the solution at the points of all sides of a block of elements, stored for the elements beside them.
#pragma once

#include "kernels/arguments.hpp"
#include "kernels/packs/prefetch.hpp"
#include "kernels/packs/product.hpp"
#include "kernels/traces.hpp"

namespace galerna::kernels {

template <class Config>
[[gnu::flatten]] void pack_traces(const TraceArguments& a, const Item& item) {
  using Operators = typename Config::Operators;
  constexpr int points = Operators::side_points;
  if (!a.control->active) return;
  prefetch_traces<Config, 1>(a.traces, item.block);
  prefetch_state<Config>(a.state, item.block + 1);
  for_each_rows<Config, Operators::sides * points>([&](auto rows) {
    Sums<Config, rows.count> u;
    u.template add<Operators::modes>([&](int r, int j) { return Operators::side_basis(0, rows.first + r, j); },
                                     [&](int j) { return load_mode<Config>(a.state, item, j); });
#pragma GCC unroll 32
    for (int r = 0; r < rows.count; ++r) {
      const int side = (rows.first + r) / points, q = (rows.first + r) % points;
      store_trace<Config>(a.traces, Item{item.block * Operators::sides + side, 0}, q, u.values[r]);
    }
  });
}

}  // namespace galerna::kernels
