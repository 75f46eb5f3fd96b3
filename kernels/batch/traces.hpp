/// \file
/// Traces of the solution at the points of all sides of a block of elements, stored for the elements beside them.
#pragma once

#include "kernels/arguments.hpp"
#include "kernels/batch/prefetch.hpp"
#include "kernels/batch/product.hpp"
#include "kernels/traces.hpp"

namespace galerna::kernels {

template <class Case>
[[gnu::flatten]] void batch_traces(const TraceArguments& a, const Item& item) {
  using Operators = typename Case::Operators;
  constexpr int points = Operators::side_points;
  if (!a.control->active) return;
  prefetch_traces<Case, 1>(a.traces, item.block);
  prefetch_state<Case>(a.state, item.block + 1);
  for_each_rows<Case, Operators::sides * points>([&](auto rows) {
    Sums<Case, rows.count> u;
    u.template add<Operators::modes>([&](int r, int j) { return Operators::side_basis(0, rows.first + r, j); },
                                     [&](int j) { return load_mode<Case>(a.state, item, j); });
#pragma GCC unroll 32
    for (int r = 0; r < rows.count; ++r) {
      const int side = (rows.first + r) / points, q = (rows.first + r) % points;
      store_trace<Case>(a.traces, Item{item.block * Operators::sides + side, 0}, q, u.values[r]);
    }
  });
}

}  // namespace galerna::kernels
