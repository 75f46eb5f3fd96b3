/// \file
/// Lines through the points of a hexahedron, point (i, j, k) being number (i n + j) n + k, and where they end on its
/// sides (base/shape.cpp). Line number a n + b along direction d goes through the points whose two other indices are a
/// and b, in this order.
#pragma once

namespace galerna::kernels {

/// \tparam exchanged whether point (i, j, k) lies at number (i n + j) row + (k xor j), n a power of two: points of
/// lines along ζ side by side lie then in different places of their rows
template <bool exchanged = false>
struct Line {
  int first, step;  ///< points first + step i
  int last = 0, turns = 0;

  /// \param row distance of lines along ζ
  constexpr Line(int direction, int line, int n, int row)
      : first(direction == 2 ? line * row : line / n * (direction == 1 ? n * row : row) + (exchanged ? 0 : line % n)),
        step(direction == 2   ? (exchanged ? 0 : 1)
             : direction == 1 ? row
                              : n * row) {
    if constexpr (exchanged) {
      last = direction == 0 ? (line % n) ^ (line / n) : line % n;
      turns = direction == 0 ? 0 : n - 1;
    }
  }
  constexpr int at(int i) const {
    if constexpr (exchanged)
      return first + step * i + (last ^ (i & turns));
    else
      return first + step * i;
  }
};

/// The side on which lines along a direction begin (end = 0) and end (1).
constexpr int side_of_end(int direction, int end) {
  return direction == 0 ? 2 + end : direction == 1 ? 1 + 3 * end : 5 * end;
}

/// Where the point of a line's end stands in the side's trace. \param orientation of the side (mesh/side_order.hpp)
constexpr int trace_point(int side, int orientation, int line, int n) {
  const int last = n - 1, a = line / n, b = line % n;
  // As the element counts points of its side, along the corners of the side.
  const bool turned = side == 0 || side == 2;
  const int x = turned ? b : side == 4 ? last - a : a, y = turned ? a : b;
  // As the face does, from one of its corners on, forward or backward: bit number `orientation`.
  const bool exchanged = 0x66 >> orientation & 1, first_back = 0x78 >> orientation & 1,
             second_back = 0xb4 >> orientation & 1;
  const int first = exchanged ? y : x, second = exchanged ? x : y;
  return (first_back ? last - first : first) * n + (second_back ? last - second : second);
}

}  // namespace galerna::kernels
