/// \file
/// Where the points of an element's sides lie in arrays of traces. Both elements of a face store them from the corner
/// that comes first in the mesh's order of nodes (mesh/side_order.hpp); the sides of all but simplices may be turned.
#pragma once

#include "kernels/element/arguments.hpp"
#include "kernels/element/thread_group.hpp"
#include "kernels/side_code.hpp"
#include "kernels/side_points.hpp"
#include "kernels/traces.hpp"

namespace galerna::kernels {

/// A side of the item's element, seen from both of its sides. Points are counted as the element counts them.
template <class Config>
class SideSlots {
 public:
  using Operators = typename Config::Operators;

  SideSlots(const ElementArguments& a, const Item& item, int side)
      : side_(side),
        arrays_(a.faces[side_kind<Operators>(side)]),
        beyond_(load_integers<Config>(a.set.beyond, item, Operators::sides, side)) {
    const std::int64_t sides = item.block * like_sides<Operators>(side_kind<Operators>(side));
    own_ = arrays_.first_slot + (sides + side_rank<Operators>(side)) * Config::width + item.lane;
  }

  /// Those of the side's kind.
  const TraceArrays& arrays() const { return arrays_; }

  /// Of the element's own trace.
  TraceOffsets<Config> own(int q) const {
    TraceOffsets<Config> at;
    for (int i = 0; i < at.size(); ++i) at[i] = offset_of(own_ + i, point(i, q));
    return at;
  }

  /// Of the trace beyond the side.
  TraceOffsets<Config> beyond(int q) const {
    TraceOffsets<Config> at;
    for (int i = 0; i < at.size(); ++i) at[i] = offset_of(slot_of<Config>(beyond_[i]), point(i, q));
    return at;
  }

  /// Of what the jump beside u⁻ is taken to: on the boundary 2 u_b − u⁻, so that half of it leads to u_b.
  TraceOffsets<Config> opposite(int q) const {
    TraceOffsets<Config> at;
    for (int i = 0; i < at.size(); ++i)
      at[i] = offset_of(slot_of<Config>(beyond_[i]) + arrays_.faces * std::int64_t(face(i) >= 0), point(i, q));
    return at;
  }

  /// The boundary face that lane i's side is, negative inside the domain.
  std::int64_t face(int i) const { return slot_of<Config>(beyond_[i]) - arrays_.first_ghost; }

  /// Point q of the element, as traces are counted in lane i. Simplices count as traces do (mesh/side_order.hpp).
  int point(int i, int q) const {
    if constexpr (Operators::simplex)
      return q;
    else if constexpr (Config::Equations::dimension == 2)
      return q + orientation_of<Config>(beyond_[i]) * (Operators::side_points - 1 - 2 * q);
    else
      return Operators::turned_point(side_, orientation_of<Config>(beyond_[i]), q);
  }

 private:
  std::int64_t offset_of(std::int64_t slot, int point) const {
    return (slot * points_of_side<Operators>(side_) + point) * Config::Equations::variables;
  }

  int side_;
  const TraceArrays& arrays_;
  Integers<Config> beyond_;
  std::int64_t own_;
};

/// A thread's part of the state at a point of a trace.
template <class Config>
Part<Config> gather_part(const void* traces, [[maybe_unused]] const GroupThread<Config>& thread,
                         const TraceOffsets<Config>& at) {
#ifdef __CUDACC_RTC__
  return {{static_cast<const typename Config::Real*>(traces)[at[0] + thread.variable()]}};
#else
  return gather_trace<Config>(traces, at, 0);
#endif
}

template <class Config>
void scatter_part(void* traces, [[maybe_unused]] const GroupThread<Config>& thread, const TraceOffsets<Config>& at,
                  const Part<Config>& part) {
#ifdef __CUDACC_RTC__
  if (!thread.idle()) static_cast<typename Config::Real*>(traces)[at[0] + thread.variable()] = part[0];
#else
  scatter_trace<Config>(traces, at, part);
#endif
}

}  // namespace galerna::kernels
