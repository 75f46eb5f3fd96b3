/// \file
/// Which moments the rows of products on matrix units are, tiles of 16 of them, and their polynomials at a point. A
/// lane has rows g and g + 8 of a tile, g = lane / 4: of every eight rows the g-th.
#pragma once

#include "kernels/polytopic/expansion.hpp"

namespace galerna::kernels::polytopic {

/// In space rows are numbered as moments are; each reads the factor of the first direction and that of the others.
template <class Config, class L>
class SpaceRows {
 public:
  SpaceRows() {
#pragma unroll
    for (int r = 0; r < eights; ++r) {
      const auto degree = [&](int direction) {
        return exists(r) ? Config::template moment<L::degree>(direction, moment(r)) : 0;
      };
      first_[r] = degree(0) * L::stride;
      rest_[r] = (moment_row(L::highest, degree(2)) + degree(1)) * L::stride;
    }
  }

  static bool exists(int eight) {
    return moment(eight) < L::count;
  }
  static int moment(int eight) {
    return 8 * (2 * (eight / 2 * L::warps + team_rank() / 32) + eight % 2) + group();
  }

  template <class Batch>
  void read(const Batch&, int) {}
  template <class Batch>
  double value(const Batch& batch, int eight, int q) const {
    return batch.first[0][first_[eight] + q] * batch.rest[0][rest_[eight] + q];
  }

 private:
  static constexpr int eights = 2 * L::own_tiles;
  static int group() {
    return team_rank() % 32 / 4;
  }

  int first_[eights], rest_[eights];
};

/// In the plane shared memory gives numbers more slowly than matrix units take them. Moments L_m(ξ) L_n(η) are then
/// numbered so that all that a lane has need two polynomials of ξ: eight rows have n in common and m = g; where there
/// are fewer than eight such moments, m ≤ M − n with M = 2p, lanes from the other end have m = 7 − g of another n. What
/// has m ≥ 8 is one moment of lane group 4 and rows of their own.
template <class Config, class L>
class PlaneRows {
 public:
  PlaneRows() : first_{clamped(group()) * L::stride, turned() * L::stride} {
#pragma unroll
    for (int r = whole; r < eights; ++r) {
      const Degrees degrees = degrees_of(r);
      second_[r - whole] = degrees.n * L::stride;
      if (r >= shared) own_first_[r - shared] = degrees.m * L::stride;
      if (r < shared) turned_[r - whole] = is_turned(r);
    }
  }

  static bool exists(int eight) {
    return degrees_of(eight).exists;
  }
  static int moment(int eight) {
    const Degrees degrees = degrees_of(eight);
    return moment_row(highest, degrees.n) + degrees.m;
  }

  template <class Batch>
  void read(const Batch& batch, int q) {
    straight_value_ = batch.first[0][first_[0] + q];
    turned_value_ = batch.first[0][first_[1] + q];
  }
  template <class Batch>
  double value(const Batch& batch, int eight, int q) const {
    if (eight < whole) return eight == 0 ? straight_value_ : straight_value_ * batch.rest[eight][q];
    const double second = batch.rest[0][second_[eight - whole] + q];
    if (eight >= shared) return batch.first[0][own_first_[eight - shared] + q] * second;
    return (turned_[eight - whole] ? turned_value_ : straight_value_) * second;
  }

 private:
  static constexpr int highest = L::highest, eights = 2 * L::own_tiles;
  /// Eights with a moment of the same n for each lane group, and those of few that follow.
  static constexpr int whole = highest - 6, shared = whole + 4;
  static_assert(highest >= 6 && L::warps == 1);

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
    return group() == 4 ? clamped(8) : 7 - group();
  }
  static bool is_turned(int eight) {
    return group() >= 7 - (eight - whole);
  }

  static Degrees degrees_of(int eight) {
    const int few = eight - whole;
    if (eight >= shared) return remaining(8 * (eight - shared) + group() + 1);
    if (!is_turned(eight)) return {group(), eight, true};
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

  int first_[2], second_[eights - whole], own_first_[eights > shared ? eights - shared : 1];
  bool turned_[4];
  double straight_value_, turned_value_;
};

template <bool plane, class Config, class L>
struct MomentRowsOf {
  using Type = SpaceRows<Config, L>;
};
template <class Config, class L>
struct MomentRowsOf<true, Config, L> {
  using Type = PlaneRows<Config, L>;
};

}  // namespace galerna::kernels::polytopic
