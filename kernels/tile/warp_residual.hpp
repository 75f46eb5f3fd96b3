/// \file
/// Right-hand side and stage of element/residual.hpp without viscosity on straight simplices, by matrix products
/// (tile/product.hpp). Each warp takes eight elements from their modes and the stored traces of their neighbours to the
/// next modes and traces, by itself: warps of a thread block share nothing but the operators, so that some compute
/// while others wait for memory. An element's own traces are computed anew, which costs less than to read them.
#pragma once

#include "kernels/tile/warp_tile.hpp"

namespace galerna::kernels {

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
    const WarpTile<Config> tile(a, first, operators + sizes.operator_numbers(), threadIdx.x);
    tile.store_slots(slot);
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
