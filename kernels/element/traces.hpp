/// \file
/// Traces of the solution at the points of all sides, stored for the elements beside them. The residual leaves those of
/// the state that the next stage looks at; this kernel begins where there was no stage before.
#pragma once

#include "kernels/element/basis.hpp"
#include "kernels/element/sides.hpp"

namespace galerna::kernels {

/// A function for all who need it, as that of element/residual.hpp. \param traces which of the arrays
#ifndef __CUDACC_RTC__
template <class Config>
[[gnu::flatten, gnu::noinline]] void store_traces(void* TraceArrays::*traces, const Basis<Config>& basis,
                                                  const ElementArguments& a, const GroupThread<Config>& thread);
#endif
template <class Config>
void store_traces(void* TraceArrays::*traces, const Basis<Config>& basis, const ElementArguments& a,
                  const GroupThread<Config>& thread) {
  using Operators = typename Config::Operators;
  for_each_batch<Config, all_side_points<Operators>()>([&](auto batch) {
    using Points = decltype(batch);
    const auto u = basis.side_values(batch);
    for_each_number<Points::count>([&](int k) {
      const int at = batch.first + k;
      const SideSlots<Config> slots(a, thread.item, side_at<Operators>(at));
      scatter_part<Config>(slots.arrays().*traces, thread, slots.own(point_on_side<Operators>(at)), u[k]);
    });
  });
}

template <class Config>
[[gnu::flatten]] void element_traces(const ElementArguments& a, const Item& item) {
  if (!a.control->active) return;
  const GroupThread<Config> thread(item);
  const Basis<Config> basis(load_parts<Config>(a.state, thread));
  store_traces<Config>(&TraceArrays::traces, basis, a, thread);
}

}  // namespace galerna::kernels
