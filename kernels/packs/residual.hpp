/// \file
/// Right-hand side and stage of residual.hpp for a block of elements on the CPU, in two phases: fluxes at all points,
/// then their integrals against the modes, a few modes at a time, and the stage's update of these. What lies between
/// the phases stays in the fastest cache; sums of both phases stay in registers (packs/product.hpp).
#pragma once

#include "kernels/packs/prefetch.hpp"
#include "kernels/packs/product.hpp"
#include "kernels/residual.hpp"
#include "kernels/traces.hpp"

namespace galerna::kernels {

/// Rows of the second product: contravariant fluxes F·∇λ_{d+1} at volume point q in row d · volume_points + q; behind
/// them, −F* · |side| · weight at point q of side s in row s · side_points + q; behind these, sources at volume points.
template <class Config>
struct PointFluxes {
  using Operators = typename Config::Operators;
  static constexpr int volume_rows =
      Operators::modes == 1 ? 0 : Config::Equations::dimension * Operators::volume_points;
  static constexpr int side_rows = Operators::sides * Operators::side_points;
  static constexpr int source_rows = HasSource<Config> ? Operators::volume_points : 0;
  Array<State<Config>, volume_rows + side_rows + source_rows> rows;
};

template <class Config>
using Gradients = Array<Vector<Config>, Config::Equations::dimension + 1>;

/// Fluxes and sources at the volume points.
template <class Config>
void volume_fluxes(PointFluxes<Config>& fluxes, const ResidualArguments& a, const Item& item,
                   const Gradients<Config>& gradients) {
  using Equations = typename Config::Equations;
  using Operators = typename Config::Operators;
  using Fluxes = PointFluxes<Config>;
  for_each_rows<Config, Operators::volume_points>([&](auto points) {
    Sums<Config, points.count> u;
    u.template add<Operators::modes>([&](int r, int j) { return Operators::volume_basis(points.first + r, j); },
                                     [&](int j) { return load_mode<Config>(a.state, item, j); });
#pragma GCC unroll 32
    for (int r = 0; r < points.count; ++r) {
      if constexpr (HasSource<Config>)
        fluxes.rows[Fluxes::volume_rows + Fluxes::side_rows + points.first + r] =
            source_at<Config>(a, a.nodes, item, points.first + r, u.values[r]);
      if constexpr (Fluxes::volume_rows == 0) continue;
      const auto w = Equations::primitive(u.values[r]);
      for (int d = 0; d < Equations::dimension; ++d)
        fluxes.rows[d * Operators::volume_points + points.first + r] =
            Equations::flux(u.values[r], w, gradients[d + 1]);
    }
  });
}

template <class Config>
void side_fluxes(PointFluxes<Config>& fluxes, const ResidualArguments& a, const Item& item,
                 const Gradients<Config>& gradients) {
  using V = typename Config::Value;
  using Equations = typename Config::Equations;
  using Operators = typename Config::Operators;
  constexpr int points = Operators::side_points;
  for (int side = 0; side < Operators::sides; ++side) {
    const SideNormal<Config> at(gradients[side]);
    const Integers<Config> slots = load_integers<Config>(a.neighbours, item, Operators::sides, side);
    Array<std::int64_t, Integers<Config>::size()> own, beyond;
    for (int i = 0; i < slots.size(); ++i) {
      own[i] = trace_offset<Config>((item.block * Operators::sides + side) * Config::width + i, 0);
      beyond[i] = trace_offset<Config>(slots[i], 0);
    }
#pragma GCC unroll 1
    for (int q = 0; q < points; ++q) {
      const int row = side * points + q;
      const State<Config> outside = gather_trace<Config>(a.traces, beyond, q);
      const State<Config> inside = gather_trace<Config>(a.traces, own, q);
      State<Config> flux = Config::Flux::template flux<Equations>(inside, outside, at.normal);
      const V scale = at.length * V(-Operators::side_weight(q) * Operators::side_scale);
      for (int v = 0; v < Equations::variables; ++v) flux[v] *= scale;
      fluxes.rows[PointFluxes<Config>::volume_rows + row] = flux;
    }
  }
}

/// store_mode past the caches.
template <class Config>
void stream_mode(void* state, const Item& item, int mode, const State<Config>& values) {
  constexpr int variables = Config::Equations::variables, modes = Config::Operators::modes;
  auto* to = static_cast<typename Config::Real*>(state);
  for (int v = 0; v < variables; ++v)
    stream(to + ((item.block * variables + v) * modes + mode) * Config::width, values[v]);
}

/// One stage for a block of elements: R(state) and the stage's linear combinations.
template <class Config, int inputs, int outputs>
[[gnu::flatten]] void pack_residual(const ResidualArguments& a, const Item& item) {
  using V = typename Config::Value;
  using Real = typename Config::Real;
  using Operators = typename Config::Operators;
  using Fluxes = PointFluxes<Config>;
  constexpr int variables = Config::Equations::variables;
  if (!a.control->active) return;
  // A copy: the compiler cannot know that the outputs' stores leave the arguments alone.
  const StageUpdate update = a.update;
  const bool streams = a.streams;
  const auto gradients = barycentric_gradients<Config>(a.gradients, item);
  Fluxes fluxes;
  for (int k = 0; k < outputs && !streams; ++k) prefetch_state<Config, 1>(update.outputs[k], item.block);
  for (int i = 0; i < inputs; ++i)
    if (update.inputs[i] != a.state) prefetch_state<Config>(update.inputs[i], item.block);
  if constexpr (Operators::modes > 1 || HasSource<Config>) volume_fluxes<Config>(fluxes, a, item, gradients);
  // What the next block begins with.
  const std::int64_t next = item.block + 1 < a.blocks ? item.block + 1 : item.block;
  prefetch_traces<Config>(a.traces, next);
  prefetch_neighbours<Config>(a.traces, a.neighbours, next);
  side_fluxes<Config>(fluxes, a, item, gradients);
  prefetch_state<Config>(a.state, next);

  const ElementStep<Config> dt(*a.control, update.element_limits, item);
  Array<V, outputs> step;
  for (int k = 0; k < outputs; ++k) step[k] = dt.times(update.rhs[k]);
  for_each_rows<Config, Operators::modes>([&](auto modes) {
    Sums<Config, modes.count> residual;
    residual.template add<Fluxes::volume_rows>(
        [&](int r, int row) { return Operators::weighted_derivative(0, row, modes.first + r); },
        [&](int row) -> const State<Config>& { return fluxes.rows[row]; });
    residual.template add<Fluxes::side_rows>(
        [&](int r, int row) { return Operators::side_basis(0, row, modes.first + r); },
        [&](int row) -> const State<Config>& { return fluxes.rows[Fluxes::volume_rows + row]; });
    if constexpr (HasSource<Config>)
      residual.template add<Fluxes::source_rows>(
          [&](int r, int q) { return Config::SourcePoints::weighted_basis(q, modes.first + r); },
          [&](int q) -> const State<Config>& { return fluxes.rows[Fluxes::volume_rows + Fluxes::side_rows + q]; });
#pragma GCC unroll 32
    for (int r = 0; r < modes.count; ++r) {
      // All inputs of a mode before its outputs: these may be the same arrays.
      Array<State<Config>, inputs> input;
#pragma GCC unroll 3
      for (int i = 0; i < inputs; ++i) input[i] = load_mode<Config>(update.inputs[i], item, modes.first + r);
#pragma GCC unroll 3
      for (int k = 0; k < outputs; ++k) {
        State<Config> sum;
#pragma GCC unroll 8
        for (int v = 0; v < variables; ++v) {
          Array<V, inputs> numbers;
          for (int i = 0; i < inputs; ++i) numbers[i] = input[i][v];
          sum[v] = stage_output<Real>(update, k, numbers, V(step[k] * residual.values[r][v]));
        }
        if (streams)
          stream_mode<Config>(update.outputs[k], item, modes.first + r, sum);
        else
          store_mode<Config>(update.outputs[k], item, modes.first + r, sum);
      }
    }
  });
}

}  // namespace galerna::kernels
