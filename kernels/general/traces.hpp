/// \file
/// Traces of the solution at the points of all sides, stored for the elements beside them. The residual leaves those of
/// the state that the next stage looks at; this kernel begins where there was no stage before.
#pragma once

#include "kernels/general/basis.hpp"
#include "kernels/general/sides.hpp"

namespace galerna::kernels {

template <class Case>
void store_traces(void* traces, const Basis<Case>& basis, const ElementSetArrays& set, const Slice<Case>& slice) {
  using Operators = typename Case::Operators;
  constexpr int points = Operators::side_points;
  for_each_batch<Case, Operators::sides * points>([&](auto batch) {
    using Points = decltype(batch);
    const auto u = basis.side_values(batch);
    for_each_number<Points::count>([&](int k) {
      const SideSlots<Case> slots(set, slice.item, (Points::first + k) / points);
      scatter_part<Case>(traces, slice, slots.own((Points::first + k) % points), u[k]);
    });
  });
}

template <class Case>
[[gnu::flatten]] void general_traces(const GeneralArguments& a, const Item& item) {
  if (!a.control->active) return;
  const Slice<Case> slice(item);
  const Basis<Case> basis(load_slice<Case>(a.state, slice));
  store_traces<Case>(a.traces, basis, a.set, slice);
}

}  // namespace galerna::kernels
