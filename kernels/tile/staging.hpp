/// \file
/// What tile/viscous_residual.hpp needs of eight elements, brought to shared memory ahead of time by a warp.
#pragma once

#include "kernels/element/arguments.hpp"
#include "kernels/side_code.hpp"
#include "kernels/tile/residual.hpp"
#include "kernels/tile/side_normals.hpp"
#include "kernels/tile/viscous_sizes.hpp"

namespace galerna::kernels {

/// The block and lane of an element.
template <class Config>
Item item_of(std::int64_t element) {
  const auto number = static_cast<unsigned long long>(element);  // divided by shifts
  return {std::int64_t(number / Config::width), int(number % Config::width)};
}

/// Slots of the traces beyond the sides of an element. Triangles count points as traces do (mesh/side_order.hpp).
template <class Config>
struct SlotsBeyond {
  static constexpr int sides = Config::Operators::sides;
  Array<std::int32_t, sides> slots;

  SlotsBeyond(const ElementSetArrays& set, std::int64_t element) {
#pragma unroll
    for (int side = 0; side < sides; ++side)
      slots[side] = slot_of<Config>(set.beyond[side_slot<Config>(item_of<Config>(element), side)]);
  }
  std::int32_t of(int side) const {
    std::int32_t slot = slots[0];
#pragma unroll
    for (int s = 1; s < sides; ++s) slot = side == s ? slots[s] : slot;
    return slot;
  }
};

/// A warp's part of shared memory. Four threads copy and work on an element. Copies go on while the warp computes;
/// there are two groups of them, that of sides and that of modes, and it waits for the older one.
template <class Config>
class Staging {
 public:
  static constexpr ViscousTileSizes sizes = {element_counts<Config>()};
  static constexpr int variables = Config::Equations::variables, dimension = Config::Equations::dimension;
  static_assert(variables % 2 == 0);
  using DirectionVector = Array<double, dimension>;
  /// Tables of states, [element][two variables][state]: at the points of sides inside and beyond, and the viscous
  /// fluxes there; modes.
  enum Table { inside, outside, viscous, viscous_outside, modes };

  /// \param memory warp_numbers() for each warp of the block. \param thread of the block.
  Staging(double* memory, unsigned thread)
      : memory_(memory + thread / 32 * sizes.warp_numbers()), lane_(int(thread % 32)), own_(int(thread % 32 / 4)) {}

  /// Which of the four threads of an element this is.
  int part() const { return lane_ & 3; }

  /// Begins to copy geometry and the states on sides. \param element of the thread.
  void copy_sides(const ElementArguments& a, std::int64_t element, const SlotsBeyond<Config>& beyond) const {
    copy_gradients(a.set, element - own_);
    constexpr int points = Config::Operators::side_points, all = sizes.trace_point_count() * pieces;
#pragma unroll
    for (int first = 0; first < all; first += 4) {
      const int at = first + part(), point = at / pieces, side = point / points;
      if (at >= all) continue;
      const int within = point % points, number = at % pieces * 2;
      const auto own = trace_offset<Config>(a.faces[0].first_slot + side_slot<Config>(item_of<Config>(element), side),
                                            within) +
                       number,
                 other = trace_offset<Config>(beyond.of(side), within) + number;
      const auto copy = [&](Table table, const double* from) {
        copy_ahead_cached<16>(place(table, own_, point, at % pieces), from);
      };
      copy(inside, static_cast<const double*>(a.faces[0].traces) + own);
      copy(outside, static_cast<const double*>(a.faces[0].traces) + other);
      copy(viscous, static_cast<const double*>(a.faces[0].viscous_traces) + own);
      copy(viscous_outside, static_cast<const double*>(a.faces[0].viscous_traces) + other);
    }
    end_copy_group();
  }

  /// Begins to copy modes: those of eight elements lie together.
  void copy_modes(const void* state, std::int64_t element) const {
    constexpr int together = 8 * pieces, all = Config::Operators::modes * together;
    const auto* first = static_cast<const double*>(state) + mode_offset<Config>(element - own_, 0);
#pragma unroll
    for (int k = 0; k < all; k += 32) {
      const int at = k + lane_, mode = at / together, of = at % together;
      if (at < all)
        copy_ahead<16>(place(modes, of / pieces, mode, of % pieces), first + (mode * Config::width * pieces + of) * 2);
    }
    end_copy_group();
  }

  /// Until the older group of copies is there, of all threads.
  void wait() const {
    wait_for_copies<1>();
    __syncwarp();
  }

  /// Until all copies are there.
  void finish() const {
    end_copy_group();
    wait_for_copies<1>();
  }

  TileState<Config> state(Table table, int number) const {
    TileState<Config> result;
#pragma unroll
    for (int k = 0; k < pieces; ++k) {
      const auto two = load_together<double, 2>(place(table, own_, number, k));
      result[2 * k] = two[0];
      result[2 * k + 1] = two[1];
    }
    return result;
  }

  /// ∇ξ_d
  Array<DirectionVector, dimension> gradients() const {
    Array<DirectionVector, dimension> result;
#pragma unroll
    for (int d = 0; d < dimension; ++d)
#pragma unroll
      for (int k = 0; k < dimension; ++k) result[d][k] = memory_[sizes.gradients() + (d * dimension + k) * 8 + own_];
    return result;
  }

  SideNormals<Config> normals() const {
    return {memory_ + sizes.normals() + own_};
  }

 private:
  static constexpr int pieces = variables / 2;  ///< of 16 bytes in a state

  /// Threads read every other state at a time, of two elements in different banks of shared memory.
  double* place(Table table, int element, int number, int piece) const {
    const int states = table == modes ? Config::Operators::modes : sizes.trace_point_count();
    return memory_ + table * sizes.table_numbers(sizes.trace_point_count()) +
           (element * sizes.table_row(states) + piece * states + number) * 2;
  }

  void copy_gradients(const ElementSetArrays& set, std::int64_t first_element) const {
    constexpr int all = dimension * dimension * 8;
    const auto* from =
        static_cast<const double*>(set.contravariant) + offset<Config>(first_element, dimension * dimension, 0);
#pragma unroll
    for (int k = 0; k < all; k += 32) {
      const int at = k + lane_;
      if (at < all) copy_ahead<8>(memory_ + sizes.gradients() + at, from + at / 8 * Config::width + at % 8);
    }
  }

  double* memory_;
  int lane_, own_;  ///< the thread's, which of the warp's elements it works on
};

}  // namespace galerna::kernels
