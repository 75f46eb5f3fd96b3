/// \file
/// Numbers that cross the cuts of a mesh from one rank to another. What crosses a cut is memory, never arithmetic: a
/// rank reads the numbers that the other one has, and gets the bits that one rank alone would.
#pragma once

#include <vector>

namespace galerna::dg {

/// All ranks call the same functions in the same order, in order with launches.
class CutExchange {
 public:
  /// [CutPiece::array] addresses on the device
  using Arrays = std::vector<void*>;

  virtual ~CutExchange() = default;
  virtual void exchange(const Arrays& arrays) = 0;
  /// Before the first exchange: all exchanges are to leave most of a GPU to other launches.
  virtual void leave_room() {}
};

}  // namespace galerna::dg
