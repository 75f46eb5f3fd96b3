/// \file
/// Viscous terms (element/viscous.hpp), right-hand side and stage (element/residual.hpp) on tetrahedra, by matrix
/// products (tile/product.hpp) and by warps that take eight elements each (tile/viscous_warp_tile.hpp).
#pragma once

#include "kernels/tile/viscous_warp_tile.hpp"

namespace galerna::kernels {

/// Leaves the gradient beside a boundary face (store_face_gradient() of element/viscous.hpp).
template <class Config>
void store_warp_face_gradient(const TraceArrays& faces, std::int64_t face, int q,
                              const Array<TileState<Config>, Config::Equations::dimension>& gradients) {
  constexpr int dimension = Config::Equations::dimension, variables = Config::Equations::variables,
                numbers = Config::Operators::side_points * dimension * variables;
  auto* values = static_cast<double*>(faces.face_gradients);
  for (int d = 0; d < dimension; ++d)
    for (int v = 0; v < variables; ++v)
      values[offset<Config>(face, numbers, (q * dimension + d) * variables + v)] = gradients[d][v];
}

/// F_v(u⁻, ∇u + η r_e)·n at eight points of the sides e, stored for the elements beside them.
/// \param lift as SideGradients takes it
template <class Config>
void store_warp_fluxes(const ViscousWarpTile<Config>& tile, const TraceArrays& faces, const Fragments& fragments, int n,
                       int& lift) {
  using Equations = typename Config::Equations;
  constexpr int variables = Equations::variables, side_points = Config::Operators::side_points;
  const SideGradients<Config> at(tile, fragments, n, lift);
  const SideMetric<Config> metric(tile, n);
  TwoStates<Config> fluxes;
#pragma unroll
  for (int odd = 0; odd < 2; ++odd) {
    const auto gradients = at.gradients(metric, odd);
    const auto flux = Equations::viscous_flux(at.state(odd), gradients, metric.normal(odd));
#pragma unroll
    for (int v = 0; v < variables; ++v) fluxes[odd * variables + v] = flux[v];
    if (tile.on_boundary(n))
      store_warp_face_gradient<Config>(faces, tile.slot_at(tile.side(n)) - faces.first_ghost,
                                       tile.point(n) % side_points + odd, gradients);
  }
  store_together(static_cast<double*>(faces.viscous_traces) + tile.own_traces(n), fluxes);
}

/// Curved elements: jumps in the place of the states beyond sides.
template <class Config>
void make_warp_jumps(const ViscousWarpTile<Config>& tile, const Fragments& fragments) {
  constexpr Columns points = ViscousWarpSizes::of<Config>().trace_points();
#pragma unroll 1
  for (int n = 0; n < points.eights(); ++n) {
    Array<ResultBlock<Config::Equations::variables>, 1> inside = {{zero_block<Config::Equations::variables>()}};
    add_from_modes<Config>(inside, tile, fragments, 0, points, n);
#pragma unroll
    for (int odd = 0; odd < 2; ++odd) tile.store_jump(n, odd, inside[0][odd]);
  }
}

/// residual −= ∫ φ (F* − ½ (F_v⁻ + F_v⁺)·n) over all sides. Of curved elements it leaves the jumps.
template <class Config>
void add_viscous_tile_sides(WarpResidual<Config>& residual, const ViscousWarpTile<Config>& tile,
                            const TraceArrays& faces, const Fragments& fragments) {
  constexpr ViscousWarpSizes sizes = ViscousWarpSizes::of<Config>();
  constexpr Columns points = sizes.trace_points();
  constexpr int variables = Config::Equations::variables;
#pragma unroll 1
  for (int n = 0; n < points.eights(); ++n) {
    if (n + 2 < points.eights()) tile.fetch_fluxes(n + 2);
    const auto* stored = static_cast<const double*>(faces.viscous_traces);
    const auto own = load_together<double, 2 * variables>(stored + tile.own_traces(n)),
               other = load_together<double, 2 * variables>(stored + tile.traces_beyond(n));
    Array<ResultBlock<variables>, 1> inside = {{zero_block<variables>()}};
    add_from_modes<Config>(inside, tile, fragments, sizes.trace_values(), points, n);
    const SideMetric<Config> metric(tile, n);
#pragma unroll
    for (int odd = 0; odd < 2; ++odd) {
      auto outside = load_together<double, variables>(tile.opposite(n, odd));
      if (tile.on_boundary(n))
        outside = load_together<double, variables>(static_cast<const double*>(faces.traces) + tile.traces_beyond(n) +
                                                   odd * variables);
      auto flux = Config::Flux::template flux<typename Config::Equations>(inside[0][odd], outside, metric.normal(odd));
      const auto viscous = one_of<Config>(own, odd), viscous_outside = one_of<Config>(other, odd);
#pragma unroll
      for (int v = 0; v < variables; ++v)
        flux[v] = -metric.length(odd) * (flux[v] - 0.5 * (viscous[v] - viscous_outside[v]));
      const auto left = flux;
#pragma unroll
      for (int m = 0; m < residual.size(); ++m)
        multiply_add(residual[m], left, fragments(sizes.lift() + m * points.fours() + 2 * n + odd));
      if constexpr (!Config::affine) tile.store_jump(n, odd, inside[0][odd]);
    }
  }
}

/// residual += ∫ (F(U) − F_v(U, z))·∇φ.
template <class Config>
void add_viscous_tile_volume(WarpResidual<Config>& residual, const ViscousWarpTile<Config>& tile,
                             const Fragments& fragments) {
  using Equations = typename Config::Equations;
  constexpr ViscousWarpSizes sizes = ViscousWarpSizes::of<Config>();
  constexpr Columns points = sizes.volume_points();
  constexpr int variables = Equations::variables, dimension = Equations::dimension;
#pragma unroll 1
  for (int n = 0; n < points.eights(); ++n) {
    const VolumeMetric<ViscousWarpTile<Config>> metric(tile, n);
    const PointGradients<Config> at(tile, fragments, n, metric);
#pragma unroll
    for (int odd = 0; odd < 2; ++odd) {
      if (odd == 1 && !points.has(n, 1)) continue;
      const auto state = at.state(odd);
      const auto gradients = at.gradients(odd);
      const auto w = Equations::primitive(state);
#pragma unroll
      for (int d = 0; d < dimension; ++d) {
        const auto along = metric.along(odd, d);
        auto flux = Equations::flux(state, w, along);
        const auto viscous = Equations::viscous_flux(state, w, gradients, along);
#pragma unroll
        for (int v = 0; v < variables; ++v) flux[v] -= viscous[v];
        const auto left = flux;
#pragma unroll
        for (int m = 0; m < residual.size(); ++m)
          multiply_add(residual[m], left, fragments(sizes.tests(d) + m * points.fours() + 2 * n + odd));
      }
    }
  }
}

template <class Config>
void write_viscous_tile_traces(const ViscousWarpTile<Config>& tile, const TraceArrays& faces,
                               const Fragments& fragments) {
  constexpr ViscousWarpSizes sizes = ViscousWarpSizes::of<Config>();
  constexpr int variables = Config::Equations::variables;
#pragma unroll 1
  for (int n = 0; n < sizes.trace_points().eights(); ++n) {
    Array<ResultBlock<variables>, 1> values = {{zero_block<variables>()}};
    add_from_modes<Config>(values, tile, fragments, sizes.trace_values(), sizes.trace_points(), n);
    store_together(static_cast<double*>(faces.next_traces) + tile.own_traces(n), two_of<Config>(values[0]));
  }
}

/// The tiles of a warp one after the other.
template <class Config>
class TilesOfWarp {
 public:
  /// \param warps of the thread block
  TilesOfWarp(const ElementArguments& a, int warps)
      : first(a.first_of_launch + blockIdx.x * std::int64_t(8 * warps) + threadIdx.x / 32 * 8),
        a_(a),
        // Whole thread blocks of the element kernels, the last ones padding.
        end_((a.set.elements + group_block - 1) / group_block * group_block),
        step_(gridDim.x * std::int64_t(8 * warps)) {
    if (!more()) return;
    next_slot = ViscousWarpTile<Config>::slot_beyond(a, first);
    look_ahead();
  }
  bool more() const { return first < end_; }
  void advance() {
    first += step_;
    if (more()) look_ahead();
  }

  std::int64_t first, next;      ///< elements; the last tile is followed by itself
  std::int32_t slot, next_slot;  ///< slot_beyond() of them

 private:
  void look_ahead() {
    slot = next_slot;
    next = first + step_ < end_ ? first + step_ : first;
    next_slot = ViscousWarpTile<Config>::slot_beyond(a_, next);
  }

  const ElementArguments& a_;
  std::int64_t end_, step_;
};

/// The operators that begin at `from`, in shared memory where there is room for them.
template <class Config, int numbers>
const double* operators_at(const double* from, double* shared, int threads) {
  if constexpr (ViscousWarpSizes::of<Config>().numbers_in_shared(numbers) == 0) {
    return from;
  } else {
    for (int k = int(threadIdx.x); k < numbers; k += threads) shared[k] = from[k];
    __syncthreads();
    return shared;
  }
}

/// Viscous fluxes at the points of all sides, as element_viscous(). \param a of double precision.
template <class Config>
void warp_viscous(const ElementArguments& a) {
  using Tile = ViscousWarpTile<Config>;
  constexpr ViscousWarpSizes sizes = ViscousWarpSizes::of<Config>();
  constexpr int warps = Config::viscous_warps, numbers = sizes.flux_numbers();
  if (!a.control->active) return;
  extern __shared__ VariablePair shared[];
  auto* memory = reinterpret_cast<double*>(shared);
  const double* operators = operators_at<Config, numbers>(a.operators + sizes.residual_numbers(), memory, 32 * warps);
  for (TilesOfWarp<Config> at(a, warps); at.more(); at.advance()) {
    const unsigned thread = recomputed(threadIdx.x);
    const Fragments fragments(operators, thread);
    const Tile tile(a, at.first, memory + sizes.numbers_in_shared(numbers), thread);
    __syncwarp();  // all threads are done with the elements before
    tile.store_slots(at.slot);
    tile.copy_modes();
    tile.copy_all_traces();
    tile.store_geometry();
    Tile::prefetch(a, at.next, at.next_slot);
    wait_for_copies<0>();
    __syncwarp();
    if constexpr (!Config::affine) make_warp_jumps(tile, fragments);
    int lift = sizes.side_lift();
#pragma unroll 1
    for (int n = 0; n < sizes.trace_points().eights(); ++n)
      store_warp_fluxes<Config>(tile, a.faces[0], fragments, n, lift);
  }
}

/// \param a of double precision.
template <class Config, int inputs, int outputs>
void viscous_warp_residual(const ElementArguments& a) {
  using Tile = ViscousWarpTile<Config>;
  constexpr ViscousWarpSizes sizes = ViscousWarpSizes::of<Config>();
  constexpr int warps = Config::tile_elements / 8, numbers = sizes.residual_numbers();
  if (!a.control->active) return;
  extern __shared__ VariablePair shared[];
  auto* memory = reinterpret_cast<double*>(shared);
  const double* operators = operators_at<Config, numbers>(a.operators, memory, 32 * warps);
  bool copied = false;
  for (TilesOfWarp<Config> at(a, warps); at.more(); at.advance()) {
    const unsigned thread = recomputed(threadIdx.x);
    const Fragments fragments(operators, thread);
    const Tile tile(a, at.first, memory + sizes.numbers_in_shared(numbers), thread);
    __syncwarp();  // all threads are done with the modes before
    tile.copy_modes();
    end_copy_group();
    if (!copied) tile.begin_sides(at.slot);
    tile.store_geometry();
    WarpResidual<Config> residual;
#pragma unroll
    for (int m = 0; m < residual.size(); ++m) residual[m] = zero_block<Config::Equations::variables>();
    wait_for_copies<0>();
    __syncwarp();
    add_viscous_tile_sides<Config>(residual, tile, a.faces[0], fragments);
    Tile::prefetch_modes(a.state, at.next);
#pragma unroll
    for (int i = 0; i < inputs; ++i)
      if (a.update.inputs[i] != a.state) Tile::prefetch_modes(a.update.inputs[i], at.first);
    add_viscous_tile_volume<Config>(residual, tile, fragments);
    if constexpr (!Config::affine) divide_by_mass<Config>(residual, tile, fragments);
    store_residual(tile, residual);
    // What lies beyond the sides has been used: that of the next elements comes while these are updated.
    copied = at.next != at.first;
    if (copied) Tile(a, at.next, memory + sizes.numbers_in_shared(numbers), thread).begin_sides(at.next_slot);
    tile.template update<inputs, outputs>();
    __syncwarp();
    if (a.faces[0].next_traces) write_viscous_tile_traces<Config>(tile, a.faces[0], fragments);
  }
}

}  // namespace galerna::kernels
