/// \file
/// A warp's part of shared memory in tile/warp_residual.hpp, what goes to it and comes from it. What a stage needs is
/// copied there while the warp computes with what came before, into the place of what has been used: the states beyond
/// sides make way for the inputs of the stage's update, and these and the modes for what the next elements need.
#pragma once

#include "kernels/tile/warp_sizes.hpp"
#include "kernels/tile/warp_tile.hpp"

namespace galerna::kernels {

template <class Config>
class InviscidTile : public WarpTile<Config, WarpTileSizes> {
 public:
  using Base = WarpTile<Config, WarpTileSizes>;
  using Base::Base, Base::sizes, Base::dimension, Base::variables, Base::sides, Base::side_points, Base::part,
      Base::own, Base::item;
  static constexpr int mode_count = Config::Operators::modes, staged_sides = sizes.staged_sides();
  static_assert(sizes.fit());
  static constexpr int points_of_side = sizes.side_point_count;  ///< with one that makes their number even
  using Variables = Array<double, variables>;

  /// Begins to copy modes and geometry.
  void begin_modes() const {
    begin_table(Base::a_.state, 0);
    if constexpr (Config::affine) begin_gradients();
    end_copy_group();
  }
  void begin_gradients() const {
    constexpr int pieces = 4 * dimension * dimension;
    const auto* gradients =
        static_cast<const double*>(Base::a_.set.contravariant) + offset<Config>(Base::first_, dimension * dimension, 0);
#pragma unroll
    for (int k = 0; k < pieces; k += 32)
      if (const int at = k + Base::lane_; at < pieces)
        copy_ahead<16>(Base::memory_ + sizes.metric() + 2 * at, gradients + at / 4 * Config::width + at % 4 * 2);
  }

  /// Begins to copy the states beyond a side of all elements, with eight threads for each, after store_slots().
  void begin_side(int side) const {
    constexpr int piece_size = Base::piece, pieces = points_of_side * variables / piece_size,
                  last = side_points * variables / piece_size;
    const int piece = Base::lane_ % 8;
#pragma unroll
    for (int half = 0; half < 8; half += 4) {
      const int element = half + Base::lane_ / 8;
      const double* from = static_cast<const double*>(Base::a_.faces[0].traces) +
                           trace_offset<Config>(Base::slots()[element * sides + side], 0) + piece_size * piece;
      double* to = staged(element, side % staged_sides * points_of_side) + piece_size * piece;
#pragma unroll
      for (int k = 0; k < pieces; k += 8)
        if (k + piece < pieces) {
          const int again = k + 8 > last && k + piece >= last ? variables : 0;  // the last point once more
          copy_ahead<piece_size * 8>(to + piece_size * k, from + piece_size * k - again);
        }
    }
    end_copy_group();
  }
  /// Those of as many sides as there is room for.
  void begin_sides(std::int32_t slot) const {
    Base::store_slots(slot);
#pragma unroll
    for (int side = 0; side < staged_sides; ++side) begin_side(side);
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
    return load_together<double, variables>(staged(own(), point + odd));
  }

  /// Where the next state at the thread's first two points goes.
  double* next_traces() const {
    return static_cast<double*>(Base::a_.faces[0].next_traces) +
           trace_offset<Config>(Base::a_.faces[0].first_slot + side_slot<Config>(item(), 0), 2 * part());
  }
  /// Stores the next states at its points of eight. \param first next_traces()
  void store_next(double* first, int n, const ResultBlock<pair_count<variables>()>& values) const {
    double* to = first + (8 * n + side(n) * (Config::width * side_points - points_of_side)) * variables;
    if constexpr (side_points == points_of_side) {
      Array<double, 2 * variables> two;
#pragma unroll
      for (int k = 0; k < two.size(); ++k) two[k] = values[k / variables][k % variables / 2][k % variables % 2];
      store_together(to, two);
    } else {
      store_together(to, unpaired<variables>(values[0]));
      if (8 * n + 2 * part() + 2 < (side(n) + 1) * points_of_side)
        store_together(to + variables, unpaired<variables>(values[1]));
    }
  }

  /// ∇ξ_d of the thread's element.
  typename Base::DirectionVector gradient(int d) const {
    typename Base::DirectionVector result;
#pragma unroll
    for (int k = 0; k < dimension; ++k) result[k] = Base::memory_[sizes.metric() + 8 * (d * dimension + k) + own()];
    return result;
  }

  /// Metric terms of the thread where the element is curved (WarpTileSizes::side_metric() and others).
  const double* metric_at(int place) const {
    return Base::a_.set.tile_metric + Base::first_ / 8 * sizes.metric_numbers() + place + Base::lane_;
  }
  /// Asks the second-level cache for those of eight elements.
  static void fetch_metric(const ElementArguments& a, std::int64_t first) {
    const double* metric = a.set.tile_metric + first / 8 * sizes.metric_numbers();
#pragma unroll
    for (int k = 0; k < sizes.metric_numbers(); k += 32 * Base::line)
      if (const int at = k + int(threadIdx.x % 32) * Base::line; at < sizes.metric_numbers()) fetch_line(metric + at);
  }

  /// Begins to copy the update's inputs that are not the state, as many as there is room for.
  template <int inputs>
  void begin_inputs() const {
    int count = 0;
#pragma unroll
    for (int k = 0; k < inputs; ++k)
      if (Base::a_.update.inputs[k] != Base::a_.state && count < sizes.staged_inputs())
        begin_table(Base::a_.update.inputs[k], sizes.stage() + count++ * sizes.table());
    end_copy_group();
  }

  /// output_k ← Σ_i coefficients[k][i] input_i + rhs[k] dt R; the last one takes the place of the modes. After
  /// begin_inputs() and when all threads are done with the modes.
  template <int inputs, int outputs>
  void update(const WarpResidual<Config>& residual, const ElementStep<Config>& dt) const {
    constexpr Columns order = sizes.modes();
    const StageUpdate& update = Base::a_.update;
    int places[inputs];
    find_inputs<inputs>(places);
#pragma unroll
    for (int i = 0; i < order.fours(); ++i) {
      const int mode = order.at(i / 2, i % 2, part());
      if (mode >= order.count) continue;
      const auto r = unpaired<variables>(residual[i / 2][i % 2]);
      Array<double, inputs> input[variables];
#pragma unroll
      for (int k = 0; k < inputs; ++k) {
        const Variables numbers = load_together<double, variables>(
            places[k] >= 0 ? this->mode(mode) + places[k] : element_numbers(update.inputs[k], mode));
#pragma unroll
        for (int v = 0; v < variables; ++v) input[v][k] = numbers[v];
      }
#pragma unroll
      for (int k = 0; k < outputs; ++k) {
        Variables sum;
#pragma unroll
        for (int v = 0; v < variables; ++v)
          sum[v] = stage_output<double>(update, k, input[v], dt.times(update.rhs[k]) * r[v]);
        constexpr int nowhere = -1;
        const int place = output_place<outputs>(k);
        store_together(place == nowhere ? element_numbers(update.outputs[k], mode) : this->mode(mode) + place, sum);
      }
    }
    __syncwarp();
#pragma unroll
    for (int k = 0; k < outputs; ++k)
      if (output_place<outputs>(k) >= 0) write_table(update.outputs[k], output_place<outputs>(k));
  }

  /// The residual in the stage, where inputs of the update are not.
  void stage_residual(const WarpResidual<Config>& residual) const {
    constexpr Columns order = sizes.modes();
#pragma unroll
    for (int i = 0; i < order.fours(); ++i)
      if (const int mode = order.at(i / 2, i % 2, part()); mode < order.count)
        store_together(this->mode(mode) + sizes.stage(), unpaired<variables>(residual[i / 2][i % 2]));
    __syncwarp();
  }
  LeftBlock<pair_count<variables>()> staged_residual(int i) const {
    constexpr Columns order = sizes.modes();
    const int column = order.at(i / 2, i % 2, part());
    return paired<variables>(
        load_together<double, variables>(this->mode(column < order.count ? column : 0) + sizes.stage()));
  }

 private:
  /// Where an output is in shared memory, seen from the modes; −1: nowhere.
  template <int outputs>
  static constexpr int output_place(int k) {
    return k == outputs - 1 ? 0 : k < sizes.staged_inputs() ? sizes.stage() + k * sizes.table() : -1;
  }
  /// The same of inputs.
  template <int inputs>
  void find_inputs(int* places) const {
    int count = 0;
#pragma unroll
    for (int k = 0; k < inputs; ++k) {
      const bool state = Base::a_.update.inputs[k] == Base::a_.state;
      places[k] = state ? 0 : count < sizes.staged_inputs() ? sizes.stage() + count * sizes.table() : -1;
      if (!state) ++count;
    }
  }

  double* staged(int element, int point) const {
    return Base::memory_ + sizes.stage() + element * sizes.staged_element() + point * variables;
  }
  template <class Numbers>
  auto* element_numbers(Numbers* state, int mode) const {
    return Base::numbers(state, mode) + own() * variables;
  }

  /// f(row, number) of the thread's pieces, two numbers each, in modes of eight elements, which lie together: four
  /// threads for each mode, whose first is row 0.
  template <class F>
  void for_each_mode_piece(const F& f) const {
#pragma unroll
    for (int row = 0; row < mode_count; row += 8)
      if (row + 8 <= mode_count || row + own() < mode_count)
#pragma unroll
        for (int number = 0; number < 8 * variables; number += 8) f(row, number);
  }
  template <class Numbers>
  auto* first_piece(Numbers* state) const {
    return Base::numbers(state, 0) + own() * mode_numbers + 2 * part();
  }
  double* first_piece_at(int place) const {
    return Base::memory_ + place + own() * sizes.mode_row() + 2 * part();
  }
  static constexpr int mode_numbers = Config::width * variables;

  void begin_table(const void* state, int place) const {
    const double* from = first_piece(state);
    double* to = first_piece_at(place);
    for_each_mode_piece([&](int row, int number) {
      copy_ahead<16>(to + row * sizes.mode_row() + number, from + row * mode_numbers + number);
    });
  }
  void write_table(void* state, int place) const {
    double* to = first_piece(state);
    const double* from = first_piece_at(place);
    for_each_mode_piece([&](int row, int number) {
      store_together(to + row * mode_numbers + number,
                     load_together<double, 2>(from + row * sizes.mode_row() + number));
    });
  }
};

}  // namespace galerna::kernels
