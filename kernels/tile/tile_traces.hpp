/// \file
/// States at the points of the sides of a warp's eight elements in tile/warp_residual.hpp: those beyond sides, on their
/// way to shared memory and there, and the element's own next ones.
#pragma once

#include "kernels/tile/warp_sizes.hpp"
#include "kernels/tile/warp_tile.hpp"

namespace galerna::kernels {

/// What is the same for all shapes.
template <class Config>
class StagedSides : public WarpTile<Config, WarpTileSizes> {
 public:
  using Base = WarpTile<Config, WarpTileSizes>;
  using Base::Base, Base::sizes, Base::variables;
  using typename Base::Real;
  static constexpr int staged_sides = sizes.staged_sides();

 protected:
  Real* staged(int element, int point) const {
    return Base::memory_ + sizes.stage() + element * sizes.staged_element() + point * variables;
  }

  /// Begins to copy the states on a side of all elements, with eight threads for each.
  /// \tparam points of the rule. \tparam copied with its last point once more where these are one more
  /// \param from of an element: where they lie. \param to the place of the first point
  template <int points, int copied, class From>
  void copy_side(const From& from, int to) const {
    constexpr int bytes = alignof(Together<Real, points * variables>), numbers = bytes / int(sizeof(Real)),
                  pieces = copied * variables / numbers, of_rule = points * variables / numbers;
    const int own_piece = Base::lane_ % 8;
#pragma unroll
    for (int half = 0; half < 8; half += 4) {
      const int element = half + Base::lane_ / 8;
      const Real* source = from(element);
      Real* place = staged(element, to);
#pragma unroll
      for (int k = 0; k < pieces; k += 8)
        if (const int at = (k + own_piece) * numbers; k + own_piece < pieces) {
          const bool again = k + 8 > of_rule && k + own_piece >= of_rule;
          copy_ahead<bytes>(place + at, source + (again ? at - variables : at));
        }
    }
    end_copy_group();
  }
};

/// Of tetrahedra, whose sides are alike and whose traces run as they count points (mesh/side_order.hpp).
template <class Config, bool unlike = HasUnlikeSides<typename Config::Operators>>
class TileTraces : public StagedSides<Config> {
 public:
  using Base = StagedSides<Config>;
  using Base::Base, Base::sizes, Base::variables, Base::sides, Base::side_points, Base::part, Base::own, Base::item,
      Base::staged_sides, Base::staged;
  using typename Base::Real, typename Base::Variables;
  static constexpr int points_of_side = sizes.side_point_count;  ///< with one that makes their number even

  /// What lies beyond the sides that a thread looks after (WarpTile::code_beyond()).
  using Codes = std::int32_t;
  static Codes codes_beyond(const ElementArguments& a, std::int64_t first) { return Base::code_beyond(a, first); }
  /// For the copies from now on. Codes are not looked at earlier, or they would be waited for where they are asked for.
  void store_codes(Codes code) const { Base::store_slots(slot_of<Config>(std::int32_t(recomputed(unsigned(code))))); }

  /// Begins to copy the states beyond a side of all elements, after store_codes().
  void begin_side(int side) const {
    Base::template copy_side<side_points, points_of_side>(
        [&](int element) {
          return static_cast<const Real*>(Base::a_.faces[0].traces) +
                 trace_offset<Config>(Base::slots()[element * sides + side], 0);
        },
        side % staged_sides * points_of_side);
  }

  /// Of the thread's two points of eight, 8n + 2t and the next one, which are on one side.
  int side(int n) const {
    int result = 8 * n / points_of_side;
#pragma unroll
    for (int k = 1; k <= 8 / points_of_side + 1; ++k) {
      const int next = (8 * n / points_of_side + k) * points_of_side - 8 * n;
      if (next < 8 && 2 * part() >= next) result = 8 * n / points_of_side + k;
    }
    return result;
  }
  /// The state beyond the sides at one of them.
  Variables outside(int n, int odd) const {
    constexpr int room = staged_sides * points_of_side;
    int point = 8 * n % room + 2 * part();
    if (room % 8 != 0 && point >= room) point -= room;
    return load_together<Real, variables>(staged(own(), point + odd));
  }

  /// Where the next state at the thread's first two points goes.
  using NextTraces = Real*;
  NextTraces next_traces() const {
    return static_cast<Real*>(Base::a_.faces[0].next_traces) +
           trace_offset<Config>(Base::a_.faces[0].first_slot + side_slot<Config>(item(), 0), 2 * part());
  }
  /// Stores the next states at its points of eight.
  void store_next(NextTraces first, int n, const ResultBlock<variables>& values) const {
    Real* to = first + (8 * n + side(n) * (Config::width * side_points - points_of_side)) * variables;
    if constexpr (side_points == points_of_side) {
      Array<Real, 2 * variables> two;
#pragma unroll
      for (int k = 0; k < two.size(); ++k) two[k] = Real(values[k / variables][k % variables]);
      store_together(to, two);
    } else {
      store_together(to, converted<Real>(values[0]));
      if (8 * n + 2 * part() + 2 < (side(n) + 1) * points_of_side)
        store_together(to + variables, converted<Real>(values[1]));
    }
  }
};

/// Of prisms and pyramids: sides are of two kinds, and traces run on them as the face counts its points. They are
/// copied as they are; what is read and what is written goes through a table (WarpTileSizes::turned_points()).
template <class Config>
class TileTraces<Config, true> : public StagedSides<Config> {
 public:
  using Base = StagedSides<Config>;
  using Operators = typename Config::Operators;
  using Base::Base, Base::sizes, Base::variables, Base::sides, Base::part, Base::own, Base::item, Base::staged;
  using typename Base::Real, typename Base::Variables;
  static_assert(Base::staged_sides == sides);

  /// What lies beyond the sides that a thread looks after, t and t + 4: slots and how these are turned.
  using Codes = Array<std::int32_t, (sides + 3) / 4>;
  static Codes codes_beyond(const ElementArguments& a, std::int64_t first) {
    Codes codes;
#pragma unroll
    for (int k = 0; k < codes.size(); ++k) codes[k] = Base::code_beyond(a, first, k);
    return codes;
  }
  void store_codes(const Codes& codes) const {
#pragma unroll
    for (int k = 0; k < codes.size(); ++k)
      if (const int side = part() + 4 * k; side < sides)
        Base::slots()[own() * sides + side] = std::int32_t(recomputed(unsigned(codes[k])));
    __syncwarp();
  }

  /// As of tetrahedra.
  void begin_side(int side) const {
    if (side < sizes.first_other_side())
      begin_side_of<0>(side);
    else
      begin_side_of<1>(side);
  }

  /// The state beyond the sides at one of the thread's two points of eight.
  Variables outside(int n, int odd) const {
    const Place at(8 * n + 2 * part() + odd);
    return load_together<Real, variables>(
        staged(own(), sizes.first_point(at.side) + turned(at, orientation_of<Config>(Base::slot_at(at.side)))));
  }

  /// How the sides of the thread's element are turned, and where its next traces begin, of each kind of sides.
  struct NextTraces {
    Real* first[2];
    int orientations;
  };
  NextTraces next_traces() const {
    NextTraces next;
    const Item element = item();
#pragma unroll
    for (int kind = 0; kind < 2; ++kind) {
      const std::int64_t slot =
          Base::a_.faces[kind].first_slot + element.block * like_sides<Operators>(kind) * Config::width + element.lane;
      next.first[kind] =
          static_cast<Real*>(Base::a_.faces[kind].next_traces) + slot * points_of_kind<Operators>(kind) * variables;
    }
    next.orientations = 0;
#pragma unroll
    for (int side = 0; side < sides; ++side)
      next.orientations |= orientation_of<Config>(Base::slot_at(side)) << bits * side;
    return next;
  }
  void store_next(const NextTraces& next, int n, const ResultBlock<variables>& values) const {
#pragma unroll
    for (int odd = 0; odd < 2; ++odd) {
      const Place at(8 * n + 2 * part() + odd);
      if (at.again()) continue;
      const int kind = at.kind(), rank = at.side - kind * sizes.first_other_side(),
                point = turned(at, next.orientations >> bits * at.side & ((1 << bits) - 1));
      const int of_side = kind == 0 ? points_of_kind<Operators>(0) : points_of_kind<Operators>(1);
      store_together((kind == 0 ? next.first[0] : next.first[1]) + (rank * Config::width * of_side + point) * variables,
                     converted<Real>(values[odd]));
    }
  }

  /// The table, of all threads of a block together.
  static void write_turned_points(std::int32_t* table) {
    for (int k = int(threadIdx.x); k < sizes.turned_points(); k += int(blockDim.x)) {
      const bool other = k >= 8 * sizes.side_point_count;
      const int at = other ? k - 8 * sizes.side_point_count : k;
      const int points = other ? sizes.other_side_point_count : sizes.side_point_count, q = at % points;
      table[k] = turned_point(other ? 1 : 0, at / points, q);
    }
  }

 private:
  static constexpr int bits = orientation_bits(3);

  /// A point of the sides.
  struct Place {
    int side, q;
    explicit Place(int point) : side(sizes.side_at(point)), q(point - sizes.first_point(side)) {}
    int kind() const { return side < sizes.first_other_side() ? 0 : 1; }
    /// Whether it is the last one of the rule once more.
    bool again() const { return q >= (kind() == 0 ? points_of_kind<Operators>(0) : points_of_kind<Operators>(1)); }
  };

  /// That point as the face counts it.
  static int turned(const Place& at, int orientation) {
    extern __shared__ VariablePair shared[];
    const auto* table = reinterpret_cast<const std::int32_t*>(shared);
    constexpr int first = sizes.side_point_count, other = sizes.other_side_point_count;
    const int q = at.kind() == 0 || at.q < other ? at.q : other - 1;
    return table[(at.kind() == 0 ? orientation * first : 8 * first + orientation * other) + q];
  }
  /// Of one that the rule does not have: of its last point. Triangles have fewer orientations than there is room for.
  static int turned_point(int kind, int orientation, int q) {
    const int last = points_of_kind<Operators>(kind) - 1;
    return Operators::turned_point(kind == 0 ? 0 : sides - 1, orientation % Operators::orientations(kind),
                                   q < last ? q : last);
  }

  template <int kind>
  void begin_side_of(int side) const {
    constexpr int points = points_of_kind<Operators>(kind);
    Base::template copy_side<points, points>(
        [&](int element) {
          const std::int64_t slot = slot_of<Config>(Base::slots()[element * sides + side]);
          return static_cast<const Real*>(Base::a_.faces[kind].traces) + slot * (points * variables);
        },
        sizes.first_point(side));
  }
};

}  // namespace galerna::kernels
