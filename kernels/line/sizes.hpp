/// \file
/// How a thread block of a GPU works on hexahedra line by line (line/team.hpp).
#pragma once

#include "kernels/element/arguments.hpp"

namespace galerna::kernels {

struct LineSizes {
  int n;  ///< points of a line
  int variables;
  bool viscous = false;

  /// In a thread block: they lie together in memory, an even number of them. With viscosity three times the numbers
  /// take fewer, in small thread blocks that do not all wait at once.
  constexpr int elements() const {
    if (viscous) return n <= 2 ? 32 : n == 3 ? 16 : 4;
    return n <= 2 ? 32 : n == 3 ? 16 : n == 4 ? 8 : n <= 6 ? 4 : 2;
  }
  /// One for each line of all elements, and more where these are no whole warps.
  constexpr int threads() const { return (elements() * n * n + 31) / 32 * 32; }

  // Numbers at the points of all elements are [variable][point][element]. Lines lie an odd number of points apart, so
  // that threads that work on lines side by side meet different banks of shared memory; with viscosity, whose fields
  // fill it, points of rows change places instead, which takes no room, where rows of n points would meet.
  constexpr bool exchanged() const { return viscous && n == 4; }
  constexpr int row() const { return viscous ? n : n | 1; }
  constexpr int points() const { return n * n * row(); }
  /// Of an element's trace on its way to memory.
  constexpr int trace_row() const { return (n * n * variables + 2) / 2 * 2; }
  /// Numbers at all points, or traces of two sides.
  constexpr int field_numbers() const {
    const int at_points = variables * points(), traces = 2 * trace_row();
    return (at_points > traces ? at_points : traces) * elements();
  }
  /// Fields of the residual: solution and integrals, with viscosity the gradient. Other kernels have fewer.
  constexpr int fields() const { return viscous ? 5 : 2; }
  static constexpr int monitor_fields = 2, trace_fields = 2, viscous_fields = 3;
  /// The maps of the elements, codes of what lies beyond their sides, and so many fields.
  constexpr int numbers(int fields) const { return (trilinear_numbers + 6) * elements() + fields * field_numbers(); }
};

}  // namespace galerna::kernels
