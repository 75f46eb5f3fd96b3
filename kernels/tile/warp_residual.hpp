/// \file
/// Right-hand side and stage of element/residual.hpp without viscosity on solids, by matrix products
/// (tile/product.hpp). Each warp takes eight elements from their modes and the stored traces of their neighbours to the
/// next modes and traces, by itself: warps of a thread block share nothing but the operators, so that some compute
/// while others wait for memory. An element's own traces are computed anew, which costs less than to read them.
#pragma once

#include "kernels/tile/inviscid_tile.hpp"
#include "kernels/tile/tile_geometry.hpp"

namespace galerna::kernels {

/// The operators, one number of each fragment for a thread.
template <class Config>
class WarpOperators {
 public:
  static constexpr auto sizes = WarpTileSizes::of<Config>();
  static constexpr int shared_numbers = 32 * sizes.shared_operators();

  /// \param kept where those in shared memory are. \param all where all of them are.
  WarpOperators(const double* kept, const double* all, unsigned thread)
      : shared_(kept + thread % 32), all_(all + thread % 32) {}
  /// Fragment k of the operator that begins at `first`.
  double operator()(int first, int k) const {
    return (first < sizes.shared_operators() ? shared_ : all_)[(first + k) * 32];
  }

 private:
  const double *shared_, *all_;
};

/// The modes as left operands. Where registers have room for them they are read once.
template <class Config>
class TakenModes {
 public:
  static constexpr int fours = element_counts<Config>().modes().fours(), variables = Config::Equations::variables;
  static constexpr bool kept = fours <= 5;

  explicit TakenModes(const InviscidTile<Config>& tile) : tile_(tile) {
    if constexpr (kept)
#pragma unroll
      for (int i = 0; i < fours; ++i) blocks_[i] = tile.modes(i);
  }

  /// The eight columns number n of the product with an operator, whose fragments begin at `first`.
  ResultBlock<variables> times(const WarpOperators<Config>& operators, int first, int n) const {
    auto result = zero_block<variables>();
#pragma unroll
    for (int i = 0; i < fours; ++i)
      multiply_add(result, kept ? blocks_[kept ? i : 0] : tile_.modes(i), operators(first, n * fours + i));
    return result;
  }

 private:
  const InviscidTile<Config>& tile_;
  Array<LeftBlock<variables>, kept ? fours : 1> blocks_;
};

/// Turns of a loop over points that are written out one by one: all of them, unless the code would grow too long for
/// the caches of instructions.
template <class Config>
constexpr int eights_at_once(const Columns& points) {
  return TakenModes<Config>::fours <= 3 ? points.eights() : 1;
}

/// residual −= ∫ φ F* over all sides.
template <class Config>
void add_tile_sides(WarpResidual<Config>& residual, const InviscidTile<Config>& tile, const TakenModes<Config>& modes,
                    const WarpOperators<Config>& operators) {
  constexpr auto sizes = WarpTileSizes::of<Config>();
  constexpr Columns points = sizes.trace_points();
  constexpr int variables = Config::Equations::variables, sides = Config::Operators::sides,
                side_points = sizes.side_point_count, staged = sizes.staged_sides();
  [[maybe_unused]] constexpr int at_once = eights_at_once<Config>(points);
#pragma unroll(at_once)
  for (int n = 0; n < points.eights(); ++n) {
    const SideMetric<Config> metric(tile, n);
    const auto inside = modes.times(operators, sizes.trace_values(), n);
#pragma unroll
    for (int odd = 0; odd < 2; ++odd) {
      auto flux = Config::Flux::template flux<typename Config::Equations>(converted<typename Config::Real>(inside[odd]),
                                                                          tile.outside(n, odd), metric.normal(odd));
#pragma unroll
      for (int v = 0; v < variables; ++v) flux[v] *= -metric.length(odd);
      const auto left = converted<double>(flux);
#pragma unroll
      for (int m = 0; m < residual.size(); ++m)
        multiply_add(residual[m], left, operators(sizes.lift(), m * points.fours() + 2 * n + odd));
    }
    if constexpr (staged < sides) {
      // The next side takes the place of one that has been used; the one that the next points need is waited for.
      const int done = (n + 1) * 8 / side_points - 1, needed = ((n + 1) * 8 + 7) / side_points;
      if (done == n * 8 / side_points) {
        __syncwarp();
        if (done + staged < sides)
          tile.begin_side(done + staged);
        else
          end_copy_group();
      }
      if (needed == (n * 8 + 7) / side_points) continue;
      wait_for_copies<sizes.sides_ahead()>();
      __syncwarp();
    }
  }
}

/// residual += ∫ F(U)·∇φ.
template <class Config>
void add_tile_volume(WarpResidual<Config>& residual, const InviscidTile<Config>& tile, const TakenModes<Config>& modes,
                     const WarpOperators<Config>& operators) {
  using Equations = typename Config::Equations;
  constexpr auto sizes = WarpTileSizes::of<Config>();
  constexpr Columns points = sizes.volume_points();
  constexpr int dimension = Equations::dimension;
  [[maybe_unused]] constexpr int at_once = eights_at_once<Config>(points);
#pragma unroll(at_once)
  for (int n = 0; n < points.eights(); ++n) {
    const VolumeMetric<InviscidTile<Config>> metric(tile, n);
    const auto u = modes.times(operators, sizes.values(), n);
#pragma unroll
    for (int odd = 0; odd < 2; ++odd) {
      if (!points.has(n, odd)) continue;
      const auto state = converted<typename Config::Real>(u[odd]);
      const auto w = Equations::primitive(state);
#pragma unroll
      for (int d = 0; d < dimension; ++d) {
        const auto left = converted<double>(Equations::flux(state, w, metric.along(odd, d)));
#pragma unroll
        for (int m = 0; m < residual.size(); ++m)
          multiply_add(residual[m], left, operators(sizes.tests(d), m * points.fours() + 2 * n + odd));
      }
    }
  }
}

/// The next states at the points of sides. \param then what is done as soon as the modes have been read.
template <class Config, class Then>
void write_next_traces(const InviscidTile<Config>& tile, const WarpOperators<Config>& operators, const Then& then) {
  constexpr auto sizes = WarpTileSizes::of<Config>();
  constexpr Columns points = sizes.trace_points();
  [[maybe_unused]] constexpr int at_once = eights_at_once<Config>(points);
  const TakenModes<Config> modes(tile);
  const auto next = tile.next_traces();
  if (TakenModes<Config>::kept) then();
#pragma unroll(at_once)
  for (int n = 0; n < points.eights(); ++n) {
    const auto values = modes.times(operators, sizes.trace_values(), n);
    tile.store_next(next, n, values);
  }
  if (!TakenModes<Config>::kept) then();
}

template <class Config, int inputs, int outputs>
void warp_residual(const ElementArguments& a) {
  using Tile = InviscidTile<Config>;
  constexpr auto sizes = WarpTileSizes::of<Config>();
  constexpr int elements = Config::tile_elements;
  if (!a.control->active) return;
  extern __shared__ VariablePair shared[];
  auto* kept = reinterpret_cast<double*>(shared) + sizes.turned_points() / 2;
  constexpr int shared_numbers = WarpOperators<Config>::shared_numbers;
  if constexpr (sizes.turned_points() > 0) Tile::write_turned_points(reinterpret_cast<std::int32_t*>(shared));
  for (int k = int(threadIdx.x); k < shared_numbers; k += 4 * elements) kept[k] = a.operators[k];
  __syncthreads();
  const WarpOperators<Config> operators(kept, a.operators, threadIdx.x);
  auto* memory = reinterpret_cast<typename Config::Real*>(kept + shared_numbers);
  // Whole thread blocks of the element kernels, the last ones padding.
  const std::int64_t end = (a.set.elements + group_block - 1) / group_block * group_block,
                     step = gridDim.x * std::int64_t(elements);
  std::int64_t first = a.first_of_launch + blockIdx.x * std::int64_t(elements) + threadIdx.x / 32 * 8;
  if (first >= end) return;
  Control control{};
  control.dt = a.control->dt;
  control.cfl = a.control->cfl;
  const auto begin = [&](std::int64_t at, const typename Tile::Codes& codes) {
    const Tile tile(a, at, memory, recomputed(threadIdx.x));
    __syncwarp();  // all threads are done with the elements before
    tile.begin_modes();
    tile.begin_sides(codes);
  };
  begin(first, Tile::codes_beyond(a, first));
  for (; first < end; first += step) {
    const std::int64_t next = first + step < end ? first + step : first;
    const typename Tile::Codes next_codes = Tile::codes_beyond(a, next);
    const Tile tile(a, first, memory, recomputed(threadIdx.x));
    const ElementStep<Config> dt(control, a.update.element_limits, tile.item());
    WarpResidual<Config> residual;
#pragma unroll
    for (int m = 0; m < residual.size(); ++m) residual[m] = zero_block<Config::Equations::variables>();
    wait_for_copies<sizes.staged_sides()>();
    __syncwarp();
    if constexpr (Config::affine) tile.normals().store(tile.part(), [&](int d) { return tile.gradient(d); });
    const TakenModes<Config> modes(tile);
    wait_for_copies<sizes.sides_ahead()>();
    __syncwarp();
    add_tile_sides(residual, tile, modes, operators);
    __syncwarp();  // all threads are done with the states beyond sides
    tile.template begin_inputs<inputs>();
    if constexpr (!Config::affine) Tile::fetch_metric(a, next);
    add_tile_volume(residual, tile, modes, operators);
    if constexpr (!Config::affine) divide_by_mass<Config>(residual, tile, operators);
    wait_for_copies<0>();
    __syncwarp();
    tile.template update<inputs, outputs>(residual, dt);
    const auto then = [&] {
      if (next != first) begin(next, next_codes);
    };
    if (a.faces[0].next_traces)
      write_next_traces(tile, operators, then);
    else
      then();
  }
}

}  // namespace galerna::kernels
