/// \file
/// The order in which results of matrix products (tile/product.hpp) hold points or modes.
#pragma once

namespace galerna::kernels {

/// Points or modes in blocks of eight columns. Thread t of four holds columns 2t and 2t + 1, all even columns make one
/// left operand of the next product, all odd ones another. Where at most four are left for the last block they are its
/// even columns, so that it makes one.
struct Columns {
  int count;

  constexpr int eights() const { return (count + 7) / 8; }
  /// Left operands of four columns.
  constexpr int fours() const { return 2 * eights() - (ends_short() ? 1 : 0); }
  /// Whether anything stands in the even (0) or odd (1) columns of a block.
  constexpr bool has(int eight, int odd) const { return odd == 0 || eight < eights() - 1 || !ends_short(); }
  /// What stands in column 2t + odd; may be past the last one.
  constexpr int at(int eight, int odd, int t) const { return 8 * eight + (has(eight, 1) ? 2 * t + odd : t); }

 private:
  constexpr bool ends_short() const { return count <= 8 * eights() - 4; }
};

}  // namespace galerna::kernels
