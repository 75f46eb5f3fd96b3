/// \file
/// How a thread block of a GPU works on hexahedra line by line (line/team.hpp).
#pragma once

#include "kernels/element/arguments.hpp"

namespace galerna::kernels {

struct LineSizes {
  int n;  ///< points of a line
  int variables;

  /// In a thread block: they lie together in memory, an even number of them.
  constexpr int elements() const { return n <= 2 ? 32 : n == 3 ? 16 : n == 4 ? 8 : n <= 6 ? 4 : 2; }
  /// One for each line of all elements, and more where these are no whole warps.
  constexpr int threads() const { return (elements() * n * n + 31) / 32 * 32; }

  // Numbers at the points of all elements are [variable][point][element]. Lines lie an odd number of points apart, so
  // that threads that work on lines side by side meet different banks of shared memory.
  constexpr int row() const { return n | 1; }
  constexpr int points() const { return n * n * row(); }
  constexpr int field_numbers() const { return variables * points() * elements(); }
  /// Two fields and the maps of the elements.
  constexpr int numbers() const { return 2 * field_numbers() + trilinear_numbers * elements(); }
  /// Of an element's trace on its way to memory. Traces of two sides take no more room than a field.
  constexpr int trace_row() const { return (n * n * variables + 2) / 2 * 2; }
};

}  // namespace galerna::kernels
