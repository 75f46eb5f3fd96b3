/// \file
/// What kernels have in common whose warps take eight elements each, by themselves: a warp's part of shared
/// memory, what goes to it and comes from it.
///
/// Four threads work on an element; what they hold of it between products is in the order of results
/// (tile/columns.hpp). Traces come through shared memory, eight points of the sides at a time, in pieces of 16 bytes
/// where points come in pairs, since five variables are no such piece.
#pragma once

#include "kernels/element/arguments.hpp"
#include "kernels/element_step.hpp"
#include "kernels/side_code.hpp"
#include "kernels/tile/metric_rows.hpp"
#include "kernels/tile/side_normals.hpp"
#include "kernels/tile/staging.hpp"

namespace galerna::kernels {

/// What a thread holds of eight elements' residual.
template <class Config>
using WarpResidual = Array<ResultBlock<Config::Equations::variables>, element_counts<Config>().modes().eights()>;

/// A warp's part of shared memory and its eight elements.
/// \tparam Sizes say where things lie in it: WarpTileSizes or ViscousWarpSizes.
template <class Config, class Sizes>
class WarpTile {
 public:
  static constexpr Sizes sizes = Sizes::template of<Config>();
  static constexpr MetricRows rows = sizes.metric_rows();
  static constexpr int variables = Config::Equations::variables, dimension = Config::Equations::dimension,
                       sides = Config::Operators::sides, side_points = points_of_kind<typename Config::Operators>(0);
  static constexpr bool affine = Config::affine;
  using Real = typename Config::Real;
  using DirectionVector = Array<Real, dimension>;
  using Variables = Array<Real, variables>;

  /// \param first element of the warp. \param memory warp_numbers() for each warp of the block. \param thread of the
  /// block.
  WarpTile(const ElementArguments& a, std::int64_t first, Real* memory, unsigned thread)
      : a_(a), first_(first), memory_(memory + thread / 32 * sizes.warp_numbers()), lane_(int(thread % 32)) {}

  /// For the copies of traces from now on. \param slot slot_beyond() of the elements whose traces these are.
  void store_slots(std::int32_t slot) const {
    static_assert(sides <= 4);
    if (part() < sides) slots()[own() * sides + part()] = slot;
    __syncwarp();
  }

  /// Thread t of an element looks after side t and, in the next turn, after side t + 4: the code of what lies beyond it
  /// (side_code.hpp).
  static std::int32_t code_beyond(const ElementArguments& a, std::int64_t first, int turn = 0) {
    const int element = int(threadIdx.x % 32 / 4), side = int(threadIdx.x % 4) + 4 * turn;
    return a.set.beyond[side_slot<Config>(item_of<Config>(first + element), side < sides ? side : 0)];
  }
  /// The slot there.
  static std::int32_t slot_beyond(const ElementArguments& a, std::int64_t first) {
    return slot_of<Config>(code_beyond(a, first));
  }

  /// Asks the second-level cache for the modes and traces of eight elements.
  static void prefetch(const ElementArguments& a, std::int64_t first, std::int32_t slot) {
    constexpr int side = side_points * variables;
    const auto* traces = static_cast<const Real*>(a.faces[0].traces) + trace_offset<Config>(slot, 0);
#pragma unroll
    for (int k = 0; k < side + line - 1; k += line) fetch_line(traces + (k < side ? k : side - 1));
    prefetch_modes(a.state, first);
  }
  static void prefetch_modes(const void* state, std::int64_t first) {
    const auto* modes = static_cast<const Real*>(state) + mode_offset<Config>(first, 0);
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

  /// Begins to copy the states beyond eight points of the sides, or those to which jumps are taken
  /// (Sizes::opposite); a group of copies even where there are none.
  void copy_traces(int n) const {
    if (n < sizes.trace_points().eights())
      for_each_trace_piece(n, [&](int point, int number, int at) {
        std::int64_t slot = slot_at(point / side_points);
        if (Sizes::opposite && slot >= a_.faces[0].first_ghost) slot += a_.faces[0].faces;
        copy_ahead<piece_bytes>(stage(n) + at, static_cast<const Real*>(a_.faces[0].traces) +
                                                   trace_offset<Config>(slot, point % side_points) + number);
      });
    end_copy_group();
  }

  /// Where the state at a point of the thread's element lies in stage(n). \param column of the eight points.
  Real* trace(int n, int column) const {
    return stage(n) + sizes.element(own()) + column * variables;
  }
  Real* mode(int j) const {
    return memory_ + j * sizes.mode_row() + own() * variables;
  }

  /// Part i of the modes, in the order of results.
  LeftBlock<variables> modes(int i) const {
    constexpr Columns order = sizes.modes();
    // Those past the last one meet rows of zeros.
    const int column = order.at(i / 2, i % 2, part());
    return converted<double>(load_together<Real, variables>(mode(column < order.count ? column : 0)));
  }

  /// The slot beyond a side of the thread's element.
  std::int32_t slot_at(int side) const {
    return slots()[own() * sides + side];
  }

  SideNormals<Config> normals() const {
    return {memory_ + sizes.normals() + own()};
  }

  /// Metric terms of the thread where the element is curved. \param place of MetricRows
  const double* metric_at(int place) const {
    return a_.set.tile_metric + first_ / 8 * rows.numbers() + place + lane_;
  }
  /// The same where the thread has two numbers that lie together, and one of them.
  Array<double, 2> two_metric_at(int place) const {
    return load_together<double, 2>(metric_at(place) + lane_);
  }
  double metric_at(int place, int odd) const {
    return metric_at(place)[lane_ + odd];
  }
  /// Asks the second-level cache for those of eight elements. With viscosity those of all warps are more than fits
  /// there.
  static void fetch_metric(const ElementArguments& a, std::int64_t first) {
    const double* metric = a.set.tile_metric + first / 8 * rows.numbers();
#pragma unroll
    for (int k = 0; k < rows.numbers(); k += 32 * line)
      if (const int at = k + int(threadIdx.x % 32) * line; at < rows.numbers()) fetch_line(metric + at);
  }

  /// The residual where states beyond the sides were.
  void stage_residual(const WarpResidual<Config>& residual) const {
    constexpr Columns order = sizes.modes();
#pragma unroll
    for (int i = 0; i < order.fours(); ++i)
      if (const int mode = order.at(i / 2, i % 2, part()); mode < order.count)
        store_together(this->mode(mode) + sizes.staged_residual(), converted<Real>(residual[i / 2][i % 2]));
    __syncwarp();
  }
  LeftBlock<variables> staged_residual(int i) const {
    constexpr Columns order = sizes.modes();
    const int column = order.at(i / 2, i % 2, part());
    return converted<double>(
        load_together<Real, variables>(this->mode(column < order.count ? column : 0) + sizes.staged_residual()));
  }

  /// output_k ← Σ_i coefficients[k][i] input_i + rhs[k] dt R, of R in the place of the modes, where the last output
  /// stands afterwards. Threads take pieces of 16 bytes as they lie in memory.
  template <int inputs, int outputs>
  void update() const {
    const StageUpdate& update = a_.update;
    for_each_piece<8 * variables / 2, Config::Operators::modes>([&](int mode, int at) {
      Real* here = memory_ + mode * sizes.mode_row() + 2 * at;
      const auto r = load_together<Real, 2>(here);
      Array<Real, inputs> input[2];
#pragma unroll
      for (int k = 0; k < inputs; ++k) {
        const auto two = load_together<Real, 2>(numbers(update.inputs[k], mode) + 2 * at);
        input[0][k] = two[0];
        input[1][k] = two[1];
      }
      Array<Real, 2> sum;
#pragma unroll
      for (int k = 0; k < outputs; ++k) {
#pragma unroll
        for (int i = 0; i < 2; ++i) {
          const ElementStep<Config> dt(*a_.control, update.element_limits,
                                       item_of<Config>(first_ + (2 * at + i) / variables));
          sum[i] = stage_output<Real>(update, k, input[i], dt.times(update.rhs[k]) * r[i]);
        }
        store_together(numbers(update.outputs[k], mode) + 2 * at, sum);
      }
      store_together(here, sum);
    });
  }

 protected:
  static constexpr int line = 128 / int(sizeof(Real));  ///< numbers in a line of the caches
  /// Of the states on a side as much is copied at once as they begin at a multiple of, up to 16 bytes.
  static constexpr int piece_bytes = alignof(Together<Real, side_points * variables>),
                       piece = piece_bytes / int(sizeof(Real));

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
      if (point < sizes.trace_point_count()) f(point, number, sizes.element(own()) + int(at) * piece);
    }
  }

  /// Where a mode of the warp's first element begins.
  const Real* numbers(const void* state, int mode) const {
    return static_cast<const Real*>(state) + mode_offset<Config>(first_, mode);
  }
  Real* numbers(void* state, int mode) const {
    return static_cast<Real*>(state) + mode_offset<Config>(first_, mode);
  }
  Real* stage(int n) const {
    return memory_ + sizes.stage(n);
  }
  std::int32_t* slots() const {
    return reinterpret_cast<std::int32_t*>(memory_ + sizes.slots());
  }

  const ElementArguments& a_;
  std::int64_t first_;
  Real* memory_;
  int lane_;
};

/// The residual in the place of the modes.
template <class Config, class Sizes>
void store_residual(const WarpTile<Config, Sizes>& tile, const WarpResidual<Config>& residual) {
  constexpr Columns order = element_counts<Config>().modes();
  __syncwarp();  // all threads are done with the modes
#pragma unroll
  for (int i = 0; i < order.fours(); ++i) {
    const int mode = order.at(i / 2, i % 2, tile.part());
    if (mode < order.count) store_together(tile.mode(mode), converted<typename Config::Real>(residual[i / 2][i % 2]));
  }
  __syncwarp();
}

}  // namespace galerna::kernels
