/// \file
/// A warp's part of shared memory in tile/warp_residual.hpp, what goes to it and comes from it. What a stage needs is
/// copied there while the warp computes with what came before, into the place of what has been used: the states beyond
/// sides make way for the inputs of the stage's update, and these and the modes for what the next elements need.
#pragma once

#include "kernels/tile/tile_traces.hpp"

namespace galerna::kernels {

template <class Config>
class InviscidTile : public TileTraces<Config> {
 public:
  using Base = TileTraces<Config>;
  using Base::Base, Base::sizes, Base::dimension, Base::variables, Base::part, Base::own;
  using typename Base::Real, typename Base::Variables;
  static constexpr int mode_count = Config::Operators::modes;
  static_assert(sizes.fit());

  /// Begins to copy modes and geometry.
  void begin_modes() const {
    begin_table(Base::a_.state, 0);
    if constexpr (Config::affine) begin_gradients();
    end_copy_group();
  }
  void begin_gradients() const {
    constexpr int of_eight = 8 / sixteen_bytes, pieces = dimension * dimension * of_eight;
    const auto* gradients =
        static_cast<const Real*>(Base::a_.set.contravariant) + offset<Config>(Base::first_, dimension * dimension, 0);
#pragma unroll
    for (int k = 0; k < pieces; k += 32)
      if (const int at = k + Base::lane_; at < pieces)
        copy_ahead<16>(Base::memory_ + sizes.metric() + sixteen_bytes * at,
                       gradients + at / of_eight * Config::width + at % of_eight * sixteen_bytes);
  }

  /// Begins to copy the states beyond as many sides as there is room for.
  void begin_sides(const typename Base::Codes& codes) const {
    Base::store_codes(codes);
#pragma unroll
    for (int side = 0; side < Base::staged_sides; ++side) Base::begin_side(side);
  }

  /// ∇ξ_d of the thread's element.
  typename Base::DirectionVector gradient(int d) const {
    typename Base::DirectionVector result;
#pragma unroll
    for (int k = 0; k < dimension; ++k) result[k] = Base::memory_[sizes.metric() + 8 * (d * dimension + k) + own()];
    return result;
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
      const auto r = converted<Real>(residual[i / 2][i % 2]);
      Array<Real, inputs> input[variables];
#pragma unroll
      for (int k = 0; k < inputs; ++k) {
        const Variables numbers = load_together<Real, variables>(
            places[k] >= 0 ? this->mode(mode) + places[k] : element_numbers(update.inputs[k], mode));
#pragma unroll
        for (int v = 0; v < variables; ++v) input[v][k] = numbers[v];
      }
#pragma unroll
      for (int k = 0; k < outputs; ++k) {
        Variables sum;
#pragma unroll
        for (int v = 0; v < variables; ++v)
          sum[v] = stage_output<Real>(update, k, input[v], dt.times(update.rhs[k]) * r[v]);
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

  template <class Numbers>
  auto* element_numbers(Numbers* state, int mode) const {
    return Base::numbers(state, mode) + own() * variables;
  }

  /// f(row, number) of the thread's pieces of 16 bytes in modes of eight elements, which lie together: four threads for
  /// each mode, whose first is row 0.
  template <class F>
  void for_each_mode_piece(const F& f) const {
    constexpr int numbers = 8 * variables, step = 4 * sixteen_bytes;
#pragma unroll
    for (int row = 0; row < mode_count; row += 8)
      if (row + 8 <= mode_count || row + own() < mode_count)
#pragma unroll
        for (int number = 0; number < numbers; number += step)
          if (number + step <= numbers || number + sixteen_bytes * part() < numbers) f(row, number);
  }
  template <class Numbers>
  auto* first_piece(Numbers* state) const {
    return Base::numbers(state, 0) + own() * mode_numbers + sixteen_bytes * part();
  }
  Real* first_piece_at(int place) const {
    return Base::memory_ + place + own() * sizes.mode_row() + sixteen_bytes * part();
  }
  static constexpr int mode_numbers = Config::width * variables, sixteen_bytes = 16 / int(sizeof(Real));

  void begin_table(const void* state, int place) const {
    const Real* from = first_piece(state);
    Real* to = first_piece_at(place);
    for_each_mode_piece([&](int row, int number) {
      copy_ahead<16>(to + row * sizes.mode_row() + number, from + row * mode_numbers + number);
    });
  }
  void write_table(void* state, int place) const {
    Real* to = first_piece(state);
    const Real* from = first_piece_at(place);
    for_each_mode_piece([&](int row, int number) {
      store_together(to + row * mode_numbers + number,
                     load_together<Real, sixteen_bytes>(from + row * sizes.mode_row() + number));
    });
  }
};

}  // namespace galerna::kernels
