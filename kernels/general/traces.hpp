/// \file
/// Traces of the solution at the points of all sides, stored for the elements beside them. The residual leaves those of
/// the state that the next stage looks at; this kernel begins where there was no stage before.
#pragma once

#include "kernels/general/basis.hpp"
#include "kernels/general/sides.hpp"

namespace galerna::kernels {

/// A function for all who need it, as that of general/residual.hpp. \param traces which of the arrays
#ifndef __CUDACC_RTC__
template <class Case>
[[gnu::flatten, gnu::noinline]] void store_traces(void* TraceArrays::*traces, const Basis<Case>& basis,
                                                  const GeneralArguments& a, const Slice<Case>& slice);
#endif
template <class Case>
void store_traces(void* TraceArrays::*traces, const Basis<Case>& basis, const GeneralArguments& a,
                  const Slice<Case>& slice) {
  using Operators = typename Case::Operators;
  for_each_batch<Case, all_side_points<Operators>()>([&](auto batch) {
    using Points = decltype(batch);
    const auto u = basis.side_values(batch);
    for_each_number<Points::count>([&](int k) {
      const int at = Points::first + k;
      const SideSlots<Case> slots(a, slice.item, side_at<Operators>(at));
      scatter_part<Case>(slots.arrays().*traces, slice, slots.own(point_on_side<Operators>(at)), u[k]);
    });
  });
}

template <class Case>
[[gnu::flatten]] void general_traces(const GeneralArguments& a, const Item& item) {
  if (!a.control->active) return;
  const Slice<Case> slice(item);
  const Basis<Case> basis(load_slice<Case>(a.state, slice));
  store_traces<Case>(&TraceArrays::traces, basis, a, slice);
}

}  // namespace galerna::kernels
