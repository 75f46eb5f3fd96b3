/// \file
/// Traces of the solution at the points of all sides, stored for the elements beside them.
#pragma once

#include "kernels/general/points.hpp"
#include "kernels/general/sides.hpp"

namespace galerna::kernels {

template <class Case>
[[gnu::flatten]] void general_traces(const GeneralArguments& a, const Item& item) {
  using Operators = typename Case::Operators;
  if (!a.control->active) return;
#pragma unroll(Case::unroll_sides)
  for (int side = 0; side < Operators::sides; ++side) {
    const SideSlots<Case> slots(a.set, item, side);
    for_each_points<Case, Operators::side_points>([&](auto points) {
      constexpr int count = decltype(points)::count;
      const auto u = states_at<Case, count>(
          a.state, item, [&](int k, int j) { return Operators::side_basis(side, points.first + k, j); });
      unrolled<count>([&](int k) { slots.store(a.traces, points.first + k, u[k]); });
    });
  }
}

}  // namespace galerna::kernels
