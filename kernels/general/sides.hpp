/// \file
/// Where the points of an element's sides lie in arrays of traces. Both elements of a face store them from the corner
/// that comes first in the mesh's order of nodes (mesh/side_order.hpp); the sides of quadrilaterals may run against it.
#pragma once

#include "kernels/general/arguments.hpp"
#include "kernels/traces.hpp"

namespace galerna::kernels {

/// A side of the item's element, seen from both of its sides.
template <class Case>
class SideSlots {
 public:
  using Operators = typename Case::Operators;

  SideSlots(const ElementSetArrays& set, const Item& item, int side)
      : set_(set),
        beyond_(load_integers<Case>(set.beyond, item, Operators::sides, side)),
        own_(set.first_slot + (item.block * Operators::sides + side) * Case::width + item.lane) {}

  /// Numbers at point q, counted as the element counts: of its own trace, or of the one beyond.
  template <int numbers = Case::Equations::variables>
  Array<typename Case::Value, numbers> inside(const void* traces, int q) const {
    return gather_trace<Case, numbers>(traces, own<numbers>(q), 0);
  }
  template <int numbers = Case::Equations::variables>
  Array<typename Case::Value, numbers> outside(const void* traces, int q) const {
    TraceOffsets<Case> at;
    for (int i = 0; i < at.size(); ++i) at[i] = trace_offset<Case, numbers>(beyond_[i] >> 1, point(i, q));
    return gather_trace<Case, numbers>(traces, at, 0);
  }

  /// What the jump beside u⁻ is taken to: on the boundary 2 u_b − u⁻, so that half of it leads to u_b.
  Array<typename Case::Value, Case::Equations::variables> opposite(const void* traces, int q) const {
    TraceOffsets<Case> at;
    for (int i = 0; i < at.size(); ++i)
      at[i] = trace_offset<Case>((beyond_[i] >> 1) + (face(i) >= 0 ? set_.faces : 0), point(i, q));
    return gather_trace<Case>(traces, at, 0);
  }

  /// The boundary face that lane i's side is, negative inside the domain.
  std::int64_t face(int i) const { return (beyond_[i] >> 1) - set_.first_ghost; }

  /// Point q of the element, as traces are counted in lane i.
  int point(int i, int q) const { return beyond_[i] & 1 ? Operators::side_points - 1 - q : q; }

  template <int numbers>
  void store(void* traces, int q, const Array<typename Case::Value, numbers>& values) const {
    scatter_trace<Case, numbers>(traces, own<numbers>(q), values);
  }

 private:
  template <int numbers>
  TraceOffsets<Case> own(int q) const {
    TraceOffsets<Case> at;
    for (int i = 0; i < at.size(); ++i) at[i] = trace_offset<Case, numbers>(own_ + i, point(i, q));
    return at;
  }

  const ElementSetArrays& set_;
  Integers<Case> beyond_;
  std::int64_t own_;
};

}  // namespace galerna::kernels
