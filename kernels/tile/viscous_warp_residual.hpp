/// \file
/// Viscous terms (element/viscous.hpp), right-hand side and stage (element/residual.hpp) on straight tetrahedra, by
/// matrix products (tile/product.hpp) and by warps that take eight elements each (tile/warp_tile.hpp).
///
/// Jumps are u⁺ − u⁻ with u⁺ as stored, on the boundary 2 u_b − u⁻, and u⁻ a combination of modes: lifting is a product
/// of an operator with u⁺, and one with the modes that is part of the derivative's. Liftings are scalars times a side's
/// normal, n ds/|J| = Σ_d N_d ∇ξ_d with constants N of the reference tetrahedron: ½ for all d on side 0, −½ for d on
/// side d + 1 and 0 for others. So they are added to the reference gradients, what side 0 adds being the same for all.
///
/// Two points of a thread, one beside the other, are 2 · variables numbers that begin at a multiple of 16 bytes:
/// viscous fluxes and the next traces need no way through shared memory.
#pragma once

#include "kernels/tile/viscous_warp_sizes.hpp"
#include "kernels/tile/warp_tile.hpp"

namespace galerna::kernels {

/// States at the two points of a thread.
template <class Config>
using TwoStates = Array<double, 2 * Config::Equations::variables>;

template <class Config>
TileState<Config> one_of(const TwoStates<Config>& two, int which) {
  constexpr int variables = Config::Equations::variables;
  TileState<Config> one;
#pragma unroll
  for (int v = 0; v < variables; ++v) one[v] = two[which * variables + v];
  return one;
}

template <class Config>
TwoStates<Config> two_of(const ResultBlock<Config::Equations::variables>& block) {
  constexpr int variables = Config::Equations::variables;
  TwoStates<Config> two;
#pragma unroll
  for (int k = 0; k < two.size(); ++k) two[k] = block[k / variables][k % variables];
  return two;
}

template <class Config>
class ViscousWarpTile : public WarpTile<Config, ViscousWarpSizes> {
 public:
  using Base = WarpTile<Config, ViscousWarpSizes>;
  using Base::Base, Base::sizes, Base::dimension, Base::variables, Base::sides, Base::side_points;
  using Left = LeftBlock<variables>;
  static constexpr int eights = sizes.trace_points().eights();
  static_assert(sizes.fit());

  /// Begins to bring what the sides need. \param slot slot_beyond()
  void begin_sides(std::int32_t slot) const {
    Base::store_slots(slot);
    copy_all_traces();
    fetch_fluxes(0);
    fetch_fluxes(1);
  }

  /// Begins to copy the states beyond all points of the sides.
  void copy_all_traces() const {
#pragma unroll 1
    for (int n = 0; n < eights; ++n) Base::copy_traces(n);
  }

  /// Normals, and the gradients of reference coordinates.
  void store_geometry() const {
    Array<typename Base::DirectionVector, dimension> gradients;
#pragma unroll
    for (int d = 0; d < dimension; ++d) gradients[d] = Base::gradient(d);
    Base::normals().store(Base::part(), [&](int d) { return gradients[d]; });
    if (Base::part() == 0)
#pragma unroll
      for (int k = 0; k < dimension * dimension; ++k)
        Base::memory_[sizes.metric() + 8 * k + Base::own()] = gradients[k / dimension][k % dimension];
  }

  /// ∂ξ_d/∂x_k
  double metric(int d, int k) const {
    return Base::memory_[sizes.metric() + 8 * (d * dimension + k) + Base::own()];
  }

  /// The state beyond point 4k + t of the sides of thread t.
  Left beyond(int k) const {
    return load_together<double, variables>(Base::trace(k / 2, k % 2 * 4 + Base::part()));
  }

  /// The first of the thread's two points of eight.
  int point(int n) const {
    return 8 * n + 2 * Base::part();
  }
  /// Where the states of the thread's two points of eight begin among traces, its own or those beyond.
  std::int64_t own_traces(int n) const {
    const int side = point(n) / side_points;
    return trace_offset<Config>(Base::a_.faces[0].first_slot + side_slot<Config>(Base::item(), side),
                                point(n) % side_points);
  }
  std::int64_t traces_beyond(int n) const {
    return trace_offset<Config>(Base::slot_at(point(n) / side_points), point(n) % side_points);
  }
  bool on_boundary(int n) const {
    return Base::slot_at(point(n) / side_points) >= Base::a_.faces[0].first_ghost;
  }

  /// Asks the second-level cache for the viscous fluxes at the thread's points.
  void fetch_fluxes(int n) const {
    fetch_line(static_cast<const double*>(Base::a_.faces[0].viscous_traces) + own_traces(n));
    fetch_line(static_cast<const double*>(Base::a_.faces[0].viscous_traces) + traces_beyond(n));
  }
};

/// results[k] += modes · operator number k, for the eight points number n. \param first where these operators begin
template <class Config, int count>
void add_from_modes(Array<ResultBlock<Config::Equations::variables>, count>& results,
                    const ViscousWarpTile<Config>& tile, const Fragments& fragments, int first, const Columns& points,
                    int n) {
  constexpr int fours = element_counts<Config>().modes().fours();
#pragma unroll
  for (int i = 0; i < fours; ++i) {
    const auto left = tile.modes(i);
#pragma unroll
    for (int k = 0; k < count; ++k)
      multiply_add(results[k], left, fragments(first + (k * points.eights() + n) * fours + i));
  }
}

/// Σ_d ∇ξ_d g_d at one of the thread's points, [direction][variable]. \param reference [d] g_d
template <class Config>
Array<TileState<Config>, Config::Equations::dimension> physical_gradients(
    const ViscousWarpTile<Config>& tile, const Array<TileState<Config>, Config::Equations::dimension>& reference) {
  constexpr int dimension = Config::Equations::dimension, variables = Config::Equations::variables;
  Array<TileState<Config>, dimension> result;
#pragma unroll
  for (int k = 0; k < dimension; ++k) {
#pragma unroll
    for (int v = 0; v < variables; ++v) result[k][v] = 0;
#pragma unroll
    for (int d = 0; d < dimension; ++d) {
      const double factor = tile.metric(d, k);
#pragma unroll
      for (int v = 0; v < variables; ++v) result[k][v] += factor * reference[d][v];
    }
  }
  return result;
}

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
/// \param lift fragment of the states beyond, left behind those that were used
template <class Config>
void store_warp_fluxes(const ViscousWarpTile<Config>& tile, const TraceArrays& faces, const Fragments& fragments, int n,
                       int& lift) {
  using Equations = typename Config::Equations;
  constexpr ViscousWarpSizes sizes = {element_counts<Config>()};
  constexpr int dimension = Equations::dimension, variables = Equations::variables,
                side_points = Config::Operators::side_points;
  // Values, lifted jumps over ds/|J|, reference gradients.
  Array<ResultBlock<variables>, 2 + dimension> results;
#pragma unroll
  for (int k = 0; k < results.size(); ++k) results[k] = zero_block<variables>();
  add_from_modes<Config>(results, tile, fragments, 0, sizes.trace_points(), n);
  for (int k = sizes.first_four_at(n); k <= sizes.last_four_at(n); ++k)
    multiply_add(results[1], tile.beyond(k), fragments(lift++));
  const int side = tile.point(n) / side_points;
  const auto normal = tile.normals().unit(side);
  const double factor = Config::penalty * tile.normals().length(side);
  TwoStates<Config> fluxes;
#pragma unroll
  for (int odd = 0; odd < 2; ++odd) {
    const auto lifted = results[1][odd];
    Array<TileState<Config>, dimension> reference;
#pragma unroll
    for (int d = 0; d < dimension; ++d) reference[d] = results[2 + d][odd];
    auto gradients = physical_gradients<Config>(tile, reference);
#pragma unroll
    for (int k = 0; k < dimension; ++k)
#pragma unroll
      for (int v = 0; v < variables; ++v) gradients[k][v] += factor * normal[k] * lifted[v];
    const auto flux = Equations::viscous_flux(results[0][odd], gradients, normal);
#pragma unroll
    for (int v = 0; v < variables; ++v) fluxes[odd * variables + v] = flux[v];
    if (tile.on_boundary(n))
      store_warp_face_gradient<Config>(faces, tile.slot_at(side) - faces.first_ghost, tile.point(n) % side_points + odd,
                                       gradients);
  }
  store_together(static_cast<double*>(faces.viscous_traces) + tile.own_traces(n), fluxes);
}

/// residual −= ∫ φ (F* − ½ (F_v⁻ + F_v⁺)·n) over all sides.
template <class Config>
void add_viscous_tile_sides(WarpResidual<Config>& residual, const ViscousWarpTile<Config>& tile,
                            const TraceArrays& faces, const Fragments& fragments) {
  constexpr ViscousWarpSizes sizes = {element_counts<Config>()};
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
    const int side = tile.point(n) / Config::Operators::side_points;
    const auto normal = tile.normals().unit(side);
    const double length = tile.normals().length(side);
#pragma unroll
    for (int odd = 0; odd < 2; ++odd) {
      auto outside = load_together<double, variables>(tile.trace(n, 2 * tile.part() + odd));
      if (tile.on_boundary(n))
        outside = load_together<double, variables>(static_cast<const double*>(faces.traces) + tile.traces_beyond(n) +
                                                   odd * variables);
      auto flux = Config::Flux::template flux<typename Config::Equations>(inside[0][odd], outside, normal);
      const auto viscous = one_of<Config>(own, odd), viscous_outside = one_of<Config>(other, odd);
#pragma unroll
      for (int v = 0; v < variables; ++v) flux[v] = -length * (flux[v] - 0.5 * (viscous[v] - viscous_outside[v]));
      const auto left = flux;
#pragma unroll
      for (int m = 0; m < residual.size(); ++m)
        multiply_add(residual[m], left, fragments(sizes.lift() + m * points.fours() + 2 * n + odd));
    }
  }
}

/// residual += ∫ (F(U) − F_v(U, z))·∇φ.
template <class Config>
void add_viscous_tile_volume(WarpResidual<Config>& residual, const ViscousWarpTile<Config>& tile,
                             const Fragments& fragments) {
  using Equations = typename Config::Equations;
  constexpr ViscousWarpSizes sizes = {element_counts<Config>()};
  constexpr Columns points = sizes.volume_points();
  constexpr int variables = Equations::variables, dimension = Equations::dimension;
#pragma unroll 1
  for (int n = 0; n < points.eights(); ++n) {
    Array<ResultBlock<variables>, 1 + dimension> results;  // values, reference gradients
    results[0] = results[1] = zero_block<variables>();
    const int lift = sizes.point_lift() + n * sizes.side_fours();
    int at = 0;
#pragma unroll
    for (int side = 0; side <= dimension; ++side) {
      if (side == 1)
#pragma unroll
        for (int d = 1; d < dimension; ++d) results[1 + d] = results[1];
#pragma unroll
      for (int k = sizes.first_four(side); k <= sizes.last_four(side); ++k)
        multiply_add(results[side == 0 ? 1 : side], tile.beyond(k), fragments(lift + at++));
    }
    add_from_modes<Config>(results, tile, fragments, sizes.values(), points, n);
#pragma unroll
    for (int odd = 0; odd < 2; ++odd) {
      if (odd == 1 && !points.has(n, 1)) continue;
      const auto state = results[0][odd];
      Array<TileState<Config>, dimension> reference;
#pragma unroll
      for (int d = 0; d < dimension; ++d) reference[d] = results[1 + d][odd];
      const auto gradients = physical_gradients<Config>(tile, reference);
      const auto w = Equations::primitive(state);
#pragma unroll
      for (int d = 0; d < dimension; ++d) {
        Array<double, dimension> along;
#pragma unroll
        for (int k = 0; k < dimension; ++k) along[k] = tile.metric(d, k);
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
  constexpr ViscousWarpSizes sizes = {element_counts<Config>()};
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
      : first(blockIdx.x * std::int64_t(8 * warps) + threadIdx.x / 32 * 8),
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
  if constexpr (ViscousWarpSizes{element_counts<Config>()}.numbers_in_shared(numbers) == 0) {
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
  constexpr ViscousWarpSizes sizes = {element_counts<Config>()};
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
  constexpr ViscousWarpSizes sizes = {element_counts<Config>()};
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
