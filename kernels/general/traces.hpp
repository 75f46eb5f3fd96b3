/// \file
/// Traces of the solution at the points of all sides, stored for the elements beside them.
#pragma once

#include "kernels/general/basis.hpp"
#include "kernels/general/sides.hpp"

namespace galerna::kernels {

template <class Case>
[[gnu::flatten]] void general_traces(const GeneralArguments& a, const Item& item) {
  using Operators = typename Case::Operators;
  constexpr int points = Operators::side_points;
  if (!a.control->active) return;
  const Slice<Case> slice(item);
  const Basis<Case> basis(a.state, slice);
  for_each_batch<Case, Operators::sides * points>([&](auto batch) {
    using Points = decltype(batch);
    const auto u = basis.side_values(batch);
    for_each_number<Points::count>([&](int k) {
      const SideSlots<Case> slots(a.set, item, (Points::first + k) / points);
      scatter_part<Case>(a.traces, slice, slots.own((Points::first + k) % points), u[k]);
    });
  });
}

}  // namespace galerna::kernels
