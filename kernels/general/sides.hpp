/// \file
/// Where the points of an element's sides lie in arrays of traces. Both elements of a face store them from the corner
/// that comes first in the mesh's order of nodes (mesh/side_order.hpp); the sides of quadrilaterals may run against it.
#pragma once

#include "kernels/general/arguments.hpp"
#include "kernels/general/slice.hpp"
#include "kernels/traces.hpp"

namespace galerna::kernels {

/// A side of the item's element, seen from both of its sides. Points are counted as the element counts them.
template <class Case>
class SideSlots {
 public:
  using Operators = typename Case::Operators;

  SideSlots(const ElementSetArrays& set, const Item& item, int side)
      : set_(set),
        beyond_(load_integers<Case>(set.beyond, item, Operators::sides, side)),
        own_(set.first_slot + side_slot<Case>(item, side)) {}

  /// Of the element's own trace.
  TraceOffsets<Case> own(int q) const {
    TraceOffsets<Case> at;
    for (int i = 0; i < at.size(); ++i) at[i] = trace_offset<Case>(own_ + i, point(i, q));
    return at;
  }

  /// Of the trace beyond the side.
  TraceOffsets<Case> beyond(int q) const {
    TraceOffsets<Case> at;
    for (int i = 0; i < at.size(); ++i) at[i] = trace_offset<Case>(beyond_[i] >> 1, point(i, q));
    return at;
  }

  /// Of what the jump beside u⁻ is taken to: on the boundary 2 u_b − u⁻, so that half of it leads to u_b.
  TraceOffsets<Case> opposite(int q) const {
    TraceOffsets<Case> at;
    for (int i = 0; i < at.size(); ++i)
      at[i] = trace_offset<Case>((beyond_[i] >> 1) + set_.faces * std::int64_t(face(i) >= 0), point(i, q));
    return at;
  }

  /// The boundary face that lane i's side is, negative inside the domain.
  std::int64_t face(int i) const { return (beyond_[i] >> 1) - set_.first_ghost; }

  /// Point q of the element, as traces are counted in lane i. Simplices count as traces do (mesh/side_order.hpp).
  int point(int i, int q) const {
    if constexpr (Operators::simplex) return q;
    return q + (beyond_[i] & 1) * (Operators::side_points - 1 - 2 * q);
  }

 private:
  const ElementSetArrays& set_;
  Integers<Case> beyond_;
  std::int64_t own_;
};

/// A slice of the state at a point of a trace.
template <class Case>
Part<Case> gather_part(const void* traces, [[maybe_unused]] const Slice<Case>& slice, const TraceOffsets<Case>& at) {
#ifdef __CUDACC_RTC__
  return {{static_cast<const typename Case::Real*>(traces)[at[0] + slice.variable()]}};
#else
  return gather_trace<Case>(traces, at, 0);
#endif
}

template <class Case>
void scatter_part(void* traces, [[maybe_unused]] const Slice<Case>& slice, const TraceOffsets<Case>& at,
                  const Part<Case>& part) {
#ifdef __CUDACC_RTC__
  if (!slice.idle()) static_cast<typename Case::Real*>(traces)[at[0] + slice.variable()] = part[0];
#else
  scatter_trace<Case>(traces, at, part);
#endif
}

}  // namespace galerna::kernels
