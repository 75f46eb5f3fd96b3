/// \file
/// Which moments the rows of products on matrix units are, tiles of 16 of them, and their polynomials at a point. A
/// lane has rows g and g + 8 of a tile, g = lane / 4: of every eight rows the g-th.
#pragma once

#include "kernels/polytopic/moment_sizes.hpp"

namespace galerna::kernels::polytopic {

/// In space a lane has the g-th of every eight products of the second and the third direction, sorted by degree, with a
/// polynomial of the first one that all lanes share: a warp reads each product, and each polynomial, once for all of
/// its rows. Where degrees add up to more than is wanted a row of a lane is not kept. Rows of which the first columns
/// are wanted come first.
template <class L, class Set>
class SpaceRows {
 public:
  static constexpr int eights() {
    int count = 0;
    for (int k = 0; k < parts; ++k) count += first_degrees(k, Set::highest);
    return count;
  }

  template <int eight>
  static bool exists() {
    return eight < eights() && rest_degree<eight>() + part_of(eight).first <= Set::highest;
  }
  template <int eight>
  static int moment() {
    const int degree = rest_degree<eight>(), third = rest<eight>() - rest_number(degree, 0);
    return moment_plane(L::highest, third) + moment_row(L::highest - third, degree - third) + part_of(eight).first;
  }
  static constexpr bool has_first_columns(int eight) {
    return part_of(eight).rest_degree + part_of(eight).first <= Set::highest_of_first;
  }

  template <class Batch>
  void read(const Batch&, int) {}
  template <int eight, class Batch>
  double value(const Batch& batch, int q) const {
    constexpr Part part = part_of(eight < eights() ? eight : eights() - 1);
    const double rest_value = batch.rest[8 * part.number + group()][q];
    return part.first == 0 ? rest_value : rest_value * batch.first[part.first][q];
  }

 private:
  /// Eight products number 8 · number and up, and a polynomial of the first direction.
  struct Part {
    int number, rest_degree, first;
  };
  static constexpr int parts = (total_degree_modes(2, Set::highest) + 7) / 8;

  static constexpr int degree_of_rest(int rest) {
    int degree = 0;
    while (total_degree_modes(2, degree) <= rest) ++degree;
    return degree;
  }
  /// How many polynomials of the first direction some of part number k have.
  static constexpr int first_degrees(int k, int highest) {
    const int degree = degree_of_rest(8 * k);
    return degree <= highest ? highest - degree + 1 : 0;
  }
  static constexpr Part part_of(int eight) {
    for (int pass = 0; pass < 2; ++pass)
      for (int k = 0; k < parts; ++k) {
        const int few = first_degrees(k, Set::highest_of_first), all = first_degrees(k, Set::highest);
        for (int m = pass == 0 ? 0 : few; m < (pass == 0 ? few : all); ++m)
          if (eight-- == 0) return {k, degree_of_rest(8 * k), m};
      }
    return {0, 0, 0};
  }

  static int group() { return team_rank() % 32 / 4; }
  template <int eight>
  static int rest() {
    constexpr int begin = 8 * part_of(eight).number;
    return begin + group();
  }
  /// The degree of the lane's product; eight of them have no more than four.
  template <int eight>
  static int rest_degree() {
    constexpr int least = part_of(eight).rest_degree;
    int degree = least;
#pragma unroll
    for (int k = 0; k < 3; ++k) degree += rest<eight>() >= rest_number(least + k + 1, 0) ? 1 : 0;
    return degree;
  }
};

/// In the plane shared memory gives numbers more slowly than matrix units take them. Moments L_m(ξ) L_n(η) are then
/// numbered so that all that a lane has need two polynomials of ξ: eight rows have n in common and m = g; where there
/// are fewer than eight such moments, m ≤ M − n with M = 2p, lanes from the other end have m = 7 − g of another n. What
/// has m ≥ 8 is one moment of lane group 4 and rows of their own.
template <class L, class Set>
class PlaneRows {
 public:
  static constexpr int eights() { return (total_degree_modes(2, Set::highest) + 7) / 8; }

  PlaneRows() : first_{clamped(group()) * L::stride, turned() * L::stride} {
#pragma unroll
    for (int r = whole; r < rows; ++r) {
      const Degrees degrees = degrees_of(r);
      second_[r - whole] = degrees.n * L::stride;
      if (r >= shared) own_first_[r - shared] = degrees.m * L::stride;
      if (r < shared) turned_[r - whole] = is_turned(r);
    }
  }

  template <int eight>
  static bool exists() {
    return degrees_of(eight).exists;
  }
  template <int eight>
  static int moment() {
    const Degrees degrees = degrees_of(eight);
    return moment_row(L::highest, degrees.n) + degrees.m;
  }
  static constexpr bool has_first_columns(int) {
    return true;
  }

  template <class Batch>
  void read(const Batch& batch, int q) {
    straight_value_ = batch.first[0][first_[0] + q];
    turned_value_ = batch.first[0][first_[1] + q];
  }
  template <int eight, class Batch>
  double value(const Batch& batch, int q) const {
    if (eight < whole) return eight == 0 ? straight_value_ : straight_value_ * batch.rest[eight][q];
    const double second = batch.rest[0][second_[eight - whole] + q];
    if (eight >= shared) return batch.first[0][own_first_[eight - shared] + q] * second;
    return (turned_[eight - whole] ? turned_value_ : straight_value_) * second;
  }

 private:
  /// With rows that fill up the last tile.
  static constexpr int highest = Set::highest, rows = (total_degree_modes(2, highest) + 15) / 16 * 2;
  /// Eights with a moment of the same n for each lane group, and those of few that follow.
  static constexpr int whole = highest > 6 ? highest - 6 : 0, shared = whole + 4;
  static_assert((highest == 4 || highest >= 6) && L::warps == 1);

  struct Degrees {
    int m, n;
    bool exists;
  };

  static int group() {
    return team_rank() % 32 / 4;
  }
  static int clamped(int degree) {
    return degree < highest ? degree : highest;
  }
  static int turned() {
    return group() != 4 ? 7 - group() : highest >= 8 ? 8 : 0;
  }
  static bool is_turned(int eight) {
    return group() > highest - eight;
  }

  static Degrees degrees_of(int eight) {
    const int few = eight - whole;
    if (eight >= shared) return remaining(8 * (eight - shared) + group() + 1);
    if (!is_turned(eight)) return {group(), eight, true};
    if (highest == 4)
      return eight == 0 ? Degrees{turned(), 2, true} : Degrees{turned(), group() == 4 ? 4 : 3, group() != 5};
    if (few < 3) return {turned(), highest - few, true};
    return {turned(), 0, group() == 4 && highest >= 8};
  }
  /// Number k of the moments with m ≥ 8.
  static Degrees remaining(int k) {
    int n = 0;
    while (n <= highest - 8 && k > highest - 8 - n) {
      k -= highest - 7 - n;
      ++n;
    }
    if (n > highest - 8) return {0, 0, false};
    return {8 + k, n, true};
  }

  int first_[2], second_[rows - whole], own_first_[rows > shared ? rows - shared : 1];
  bool turned_[4];
  double straight_value_, turned_value_;
};

template <bool plane, class L, class Set>
struct MomentRowsOf {
  using Type = SpaceRows<L, Set>;
};
template <class L, class Set>
struct MomentRowsOf<true, L, Set> {
  using Type = PlaneRows<L, Set>;
};

}  // namespace galerna::kernels::polytopic
