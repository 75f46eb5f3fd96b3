/// \file
/// Right-hand side and stage of element/residual.hpp without viscosity on straight simplices, by matrix products
/// (tile/product.hpp). Each warp takes eight elements from their modes and the stored traces of their neighbours to the
/// next modes and traces, by itself: warps of a thread block share nothing but the operators, so that some compute
/// while others wait for memory. An element's own traces are computed anew, which costs less than to read them.
///
/// Four threads work on an element; what they hold of it between products is in the order of results
/// (tile/columns.hpp). Traces come and go through shared memory, eight points of the sides at a time, in pieces of 16
/// bytes where points come in pairs, since five variables are no such piece.
#pragma once

#include "kernels/element/arguments.hpp"
#include "kernels/element_step.hpp"
#include "kernels/side_code.hpp"
#include "kernels/tile/side_normals.hpp"
#include "kernels/tile/staging.hpp"
#include "kernels/tile/warp_sizes.hpp"

namespace galerna::kernels {

/// A warp's part of shared memory and its eight elements.
template <class Config>
class WarpTile {
 public:
  static constexpr WarpTileSizes sizes = {element_counts<Config>()};
  static constexpr int variables = Config::Equations::variables, dimension = Config::Equations::dimension,
                       sides = Config::Operators::sides, side_points = Config::Operators::side_points;
  using DirectionVector = Array<double, dimension>;

  /// \param first element of the warp. \param slot slot_beyond() of it. \param memory warp_numbers() for each warp of
  /// the block.
  WarpTile(const ElementArguments& a, std::int64_t first, std::int32_t slot, double* memory)
      : a_(a), first_(first), memory_(memory + threadIdx.x / 32 * sizes.warp_numbers()), lane_(int(threadIdx.x % 32)) {
    static_assert(sides <= 4);
    if (part() < sides) slots()[own() * sides + part()] = slot;
    __syncwarp();
  }

  /// Thread t of an element looks after side t: the slot beyond it.
  static std::int32_t slot_beyond(const ElementArguments& a, std::int64_t first) {
    const int element = int(threadIdx.x % 32 / 4), side = int(threadIdx.x % 4);
    return slot_of<Config>(a.set.beyond[side_slot<Config>(item_of<Config>(first + element), side < sides ? side : 0)]);
  }

  /// Asks the second-level cache for the modes and traces of eight elements.
  static void prefetch(const ElementArguments& a, std::int64_t first, std::int32_t slot) {
    constexpr int line = 128 / int(sizeof(double)), side = side_points * variables;
    const auto* traces = static_cast<const double*>(a.faces[0].traces) + trace_offset<Config>(slot, 0);
#pragma unroll
    for (int k = 0; k < side + line - 1; k += line) fetch_line(traces + (k < side ? k : side - 1));
    const auto* modes = static_cast<const double*>(a.state) + mode_offset<Config>(first, 0);
    constexpr int row = (8 * variables + line - 1) / line;
#pragma unroll
    for (int k = 0; k < Config::Operators::modes * row; k += 32) {
      const int at = k + int(threadIdx.x % 32), mode = at / row;
      if (mode < Config::Operators::modes) fetch_line(modes + mode * Config::width * variables + at % row * line);
    }
  }

  int part() const {
    return lane_ & 3;
  }
  int own() const {
    return lane_ / 4;
  }
  Item item() const {
    return item_of<Config>(first_ + own());
  }

  /// ∇ξ_d of the thread's element.
  DirectionVector gradient(int d) const {
    DirectionVector result;
#pragma unroll
    for (int k = 0; k < dimension; ++k)
      result[k] = load<Config>(a_.set.contravariant, item(), dimension * dimension, d * dimension + k);
    return result;
  }

  /// Begins to copy modes: those of eight elements lie together.
  void copy_modes() const {
    for_each_piece<8 * variables / 2, Config::Operators::modes>([&](int mode, int at) {
      copy_ahead<16>(memory_ + mode * sizes.mode_row() + 2 * at, numbers(a_.state, mode) + 2 * at);
    });
  }

  /// Begins to copy the states beyond eight points of the sides; a group of copies even where there are none.
  void copy_traces(int n) const {
    if (n < sizes.trace_points().eights())
      for_each_trace_piece(n, [&](int point, int number, int at) {
        const std::int64_t slot = slots()[own() * sides + point / side_points];
        copy_ahead<piece * 8>(stage(n) + at, static_cast<const double*>(a_.faces[0].traces) +
                                                 trace_offset<Config>(slot, point % side_points) + number);
      });
    end_copy_group();
  }

  /// What was stored in stage(n), the next traces at eight points, to memory.
  void write_traces(int n) const {
    for_each_trace_piece(n, [&](int point, int number, int at) {
      const std::int64_t slot = a_.faces[0].first_slot + side_slot<Config>(item(), point / side_points);
      store_together(
          static_cast<double*>(a_.faces[0].next_traces) + trace_offset<Config>(slot, point % side_points) + number,
          load_together<double, piece>(stage(n) + at));
    });
  }

  /// Where the state at a point of the thread's element lies in stage(n). \param column of the eight points.
  double* trace(int n, int column) const {
    return stage(n) + (own() * 8 + column) * variables;
  }
  double* mode(int j) const {
    return memory_ + j * sizes.mode_row() + own() * variables;
  }

  /// Part i of the modes, in the order of results.
  LeftBlock<pair_count<variables>()> modes(int i) const {
    constexpr Columns order = sizes.modes();
    // Those past the last one meet rows of zeros.
    const int column = order.at(i / 2, i % 2, part());
    return paired<variables>(load_together<double, variables>(mode(column < order.count ? column : 0)));
  }

  SideNormals<Config> normals() const {
    return {memory_ + sizes.normals() + own()};
  }

  /// output_k ← Σ_i coefficients[k][i] input_i + rhs[k] dt R, of R in the place of the modes, where the last output
  /// stands afterwards. Threads take pieces of 16 bytes as they lie in memory.
  template <int inputs, int outputs>
  void update() const {
    const StageUpdate& update = a_.update;
    for_each_piece<8 * variables / 2, Config::Operators::modes>([&](int mode, int at) {
      double* here = memory_ + mode * sizes.mode_row() + 2 * at;
      const auto r = load_together<double, 2>(here);
      Array<double, inputs> input[2];
#pragma unroll
      for (int k = 0; k < inputs; ++k) {
        const auto two = load_together<double, 2>(numbers(update.inputs[k], mode) + 2 * at);
        input[0][k] = two[0];
        input[1][k] = two[1];
      }
      Array<double, 2> sum;
#pragma unroll
      for (int k = 0; k < outputs; ++k) {
#pragma unroll
        for (int i = 0; i < 2; ++i) {
          const ElementStep<Config> dt(*a_.control, update.element_limits,
                                       item_of<Config>(first_ + (2 * at + i) / variables));
          sum[i] = stage_output<double>(update, k, input[i], dt.times(update.rhs[k]) * r[i]);
        }
        store_together(numbers(update.outputs[k], mode) + 2 * at, sum);
      }
      store_together(here, sum);
    });
  }

 private:
  /// Numbers that are copied at once: 2 where the states of two points of a side begin at a multiple of 16 bytes.
  static constexpr int piece = side_points % 2 == 0 ? 2 : 1;

  /// f(row, piece of the row), the pieces of all rows shared among the threads.
  template <int pieces, int rows, class F>
  void for_each_piece(const F& f) const {
#pragma unroll 4
    for (int at = lane_; at < pieces * rows; at += 32) f(at / pieces, at % pieces);
  }

  /// f(point, number of the state's variables, place in a stage) of the pieces of the thread's element at eight points
  /// of the sides, shared among its four threads.
  template <class F>
  void for_each_trace_piece(int n, const F& f) const {
    constexpr unsigned pieces = 8 * variables / piece;
#pragma unroll
    for (unsigned k = 0; k < pieces; k += 4) {
      // A piece of two may begin in the middle of a state, and then reaches into the next one.
      const unsigned at = k + unsigned(part());
      const int point = 8 * n + int(at / variables) * piece, number = int(at % variables) * piece;
      if (point < sizes.trace_point_count()) f(point, number, (own() * int(pieces) + int(at)) * piece);
    }
  }

  /// Where a mode of the warp's first element begins.
  const double* numbers(const void* state, int mode) const {
    return static_cast<const double*>(state) + mode_offset<Config>(first_, mode);
  }
  double* numbers(void* state, int mode) const {
    return static_cast<double*>(state) + mode_offset<Config>(first_, mode);
  }
  double* stage(int n) const {
    return memory_ + sizes.stage(n % WarpTileSizes::stages);
  }
  std::int32_t* slots() const {
    return reinterpret_cast<std::int32_t*>(memory_ + sizes.slots());
  }

  const ElementArguments& a_;
  std::int64_t first_;
  double* memory_;
  int lane_;
};

/// What a thread holds of eight elements' residual.
template <class Config>
using WarpResidual =
    Array<ResultBlock<pair_count<Config::Equations::variables>()>, element_counts<Config>().modes().eights()>;

/// The modes as left operands. Where registers have room for them they are read once.
template <class Config>
class TakenModes {
 public:
  static constexpr int fours = element_counts<Config>().modes().fours(),
                       pairs = pair_count<Config::Equations::variables>();
  static constexpr bool kept = fours <= 5;

  explicit TakenModes(const WarpTile<Config>& tile) : tile_(tile) {
    if constexpr (kept)
#pragma unroll
      for (int i = 0; i < fours; ++i) blocks_[i] = tile.modes(i);
  }

  /// The eight columns number n of the product with an operator, whose fragments begin at `first`.
  ResultBlock<pairs> times(const Fragments& fragments, int first, int n) const {
    auto result = zero_block<pairs>();
#pragma unroll
    for (int i = 0; i < fours; ++i)
      multiply_add(result, kept ? blocks_[kept ? i : 0] : tile_.modes(i), fragments(first + n * fours + i));
    return result;
  }

 private:
  const WarpTile<Config>& tile_;
  Array<LeftBlock<pairs>, kept ? fours : 1> blocks_;
};

/// Turns of a loop over points that are written out one by one: all of them, unless the code would grow too long.
template <class Config>
constexpr int eights_at_once(const Columns& points) {
  return TakenModes<Config>::kept ? points.eights() : 1;
}

/// residual −= ∫ φ F* over all sides.
template <class Config>
void add_tile_sides(WarpResidual<Config>& residual, const WarpTile<Config>& tile, const TakenModes<Config>& modes,
                    const Fragments& fragments) {
  constexpr WarpTileSizes sizes = {element_counts<Config>()};
  constexpr Columns points = sizes.trace_points();
  constexpr int variables = Config::Equations::variables, ahead = WarpTileSizes::stages - 1;
  [[maybe_unused]] constexpr int at_once = eights_at_once<Config>(points);
#pragma unroll(at_once)
  for (int n = 0; n < points.eights(); ++n) {
    wait_for_copies<ahead - 1>();
    __syncwarp();  // eight points are there, and all threads are done with those before
    tile.copy_traces(n + ahead);
    const auto inside = modes.times(fragments, sizes.trace_values(), n);
#pragma unroll
    for (int odd = 0; odd < 2; ++odd) {
      if (!points.has(n, odd)) continue;
      const int column = points.at(n, odd, tile.part()), side = column / Config::Operators::side_points;
      const auto outside = load_together<double, variables>(tile.trace(n, column - 8 * n));
      auto flux = Config::Flux::template flux<typename Config::Equations>(unpaired<variables>(inside[odd]), outside,
                                                                          tile.normals().unit(side));
      const double scale = -tile.normals().length(side);
#pragma unroll
      for (int v = 0; v < variables; ++v) flux[v] *= scale;
      const auto left = paired<variables>(flux);
#pragma unroll
      for (int m = 0; m < residual.size(); ++m)
        multiply_add(residual[m], left, fragments(sizes.lift() + m * points.fours() + 2 * n + odd));
    }
  }
}

/// residual += ∫ F(U)·∇φ.
template <class Config>
void add_tile_volume(WarpResidual<Config>& residual, const WarpTile<Config>& tile, const TakenModes<Config>& modes,
                     const Fragments& fragments) {
  using Equations = typename Config::Equations;
  constexpr WarpTileSizes sizes = {element_counts<Config>()};
  constexpr Columns points = sizes.volume_points();
  constexpr int variables = Equations::variables, dimension = Equations::dimension;
  [[maybe_unused]] constexpr int at_once = eights_at_once<Config>(points);
#pragma unroll(at_once)
  for (int n = 0; n < points.eights(); ++n) {
    const auto u = modes.times(fragments, sizes.values(), n);
#pragma unroll
    for (int odd = 0; odd < 2; ++odd) {
      if (!points.has(n, odd)) continue;
      const auto state = unpaired<variables>(u[odd]);
      const auto w = Equations::primitive(state);
#pragma unroll
      for (int d = 0; d < dimension; ++d) {
        const auto left = paired<variables>(Equations::flux(state, w, tile.gradient(d)));
#pragma unroll
        for (int m = 0; m < residual.size(); ++m)
          multiply_add(residual[m], left, fragments(sizes.tests(d) + m * points.fours() + 2 * n + odd));
      }
    }
  }
}

/// The residual in the place of the modes.
template <class Config>
void store_residual(const WarpTile<Config>& tile, const WarpResidual<Config>& residual) {
  constexpr Columns order = element_counts<Config>().modes();
  __syncwarp();  // all threads are done with the modes
#pragma unroll
  for (int i = 0; i < order.fours(); ++i) {
    const int mode = order.at(i / 2, i % 2, tile.part());
    if (mode < order.count)
      store_together(tile.mode(mode), unpaired<Config::Equations::variables>(residual[i / 2][i % 2]));
  }
  __syncwarp();
}

template <class Config>
void write_next_traces(const WarpTile<Config>& tile, const Fragments& fragments) {
  constexpr WarpTileSizes sizes = {element_counts<Config>()};
  constexpr Columns points = sizes.trace_points();
  [[maybe_unused]] constexpr int at_once = eights_at_once<Config>(points);
  const TakenModes<Config> modes(tile);
#pragma unroll(at_once)
  for (int n = 0; n < points.eights(); ++n) {
    const auto values = modes.times(fragments, sizes.trace_values(), n);
#pragma unroll
    for (int odd = 0; odd < 2; ++odd)
      if (points.has(n, odd))
        store_together(tile.trace(n, points.at(n, odd, tile.part()) - 8 * n),
                       unpaired<Config::Equations::variables>(values[odd]));
    __syncwarp();
    tile.write_traces(n);
  }
  __syncwarp();
}

/// \param a of double precision.
template <class Config, int inputs, int outputs>
void warp_residual(const ElementArguments& a) {
  constexpr WarpTileSizes sizes = {element_counts<Config>()};
  constexpr int elements = Config::tile_elements;
  if (!a.control->active) return;
  extern __shared__ VariablePair shared[];
  auto* operators = reinterpret_cast<double*>(shared);
  for (int k = int(threadIdx.x); k < sizes.operator_numbers(); k += 4 * elements) operators[k] = a.operators[k];
  __syncthreads();
  const Fragments fragments(operators, threadIdx.x);
  // Whole thread blocks of the element kernels, the last ones padding.
  const std::int64_t end = (a.set.elements + group_block - 1) / group_block * group_block,
                     step = gridDim.x * std::int64_t(elements);
  std::int64_t first = blockIdx.x * std::int64_t(elements) + threadIdx.x / 32 * 8;
  if (first >= end) return;
  std::int32_t slot = WarpTile<Config>::slot_beyond(a, first), next_slot;
  for (; first < end; first += step, slot = next_slot) {
    const std::int64_t next = first + step < end ? first + step : first;
    next_slot = WarpTile<Config>::slot_beyond(a, next);
    const WarpTile<Config> tile(a, first, slot, operators + sizes.operator_numbers());
    tile.copy_modes();
    for (int n = 0; n < WarpTileSizes::stages - 1; ++n) tile.copy_traces(n);
    tile.normals().store(tile.part(), [&](int d) { return tile.gradient(d); });
    WarpResidual<Config> residual;
#pragma unroll
    for (int m = 0; m < residual.size(); ++m) residual[m] = zero_block<pair_count<Config::Equations::variables>()>();
    wait_for_copies<WarpTileSizes::stages - 2>();
    __syncwarp();
    const TakenModes<Config> modes(tile);
    WarpTile<Config>::prefetch(a, next, next_slot);
    add_tile_sides(residual, tile, modes, fragments);
    add_tile_volume(residual, tile, modes, fragments);
    store_residual(tile, residual);
    tile.template update<inputs, outputs>();
    __syncwarp();
    if (a.faces[0].next_traces) write_next_traces(tile, fragments);
  }
}

}  // namespace galerna::kernels
