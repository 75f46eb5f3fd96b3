/// \file
/// Right-hand side and stage of element/residual.hpp with viscosity on straight triangles, by matrix products
/// (tile/product.hpp). Each warp works on eight elements by itself: traces and viscous traces come from memory, so that
/// nothing is exchanged within a tile. A thread holds coefficients as it holds results of products, which are left
/// operands of the next products as they are: all operators have their rows sorted to match (dg/tiles.hpp).
///
/// Few warps fit on a multiprocessor, since each holds much. So that none waits for memory, what the next elements need
/// is copied to shared memory while the warp computes (tile/staging.hpp).
#pragma once

#include "kernels/element/arguments.hpp"
#include "kernels/element_step.hpp"
#include "kernels/tile/staging.hpp"

namespace galerna::kernels {

/// What a thread holds of eight elements' coefficients.
template <class Config>
using WarpModes = Array<ResultBlock<Config::Equations::variables>, element_counts<Config>().modes().eights()>;

/// [direction] at volume points
template <class Config>
using WarpGradient =
    Array<Array<ResultBlock<Config::Equations::variables>, element_counts<Config>().volume_points().eights()>,
          Config::Equations::dimension>;

/// ∇ξ_d of the thread's element.
template <class Config>
using WarpGeometry = Array<Array<double, Config::Equations::dimension>, Config::Equations::dimension>;

/// Point i of the thread on the sides of its element.
template <class Config>
struct SidePoint {
  static constexpr int variables = Config::Equations::variables, dimension = Config::Equations::dimension;
  TileState<Config> flux;                     ///< −F* ds/|J|
  Array<TileState<Config>, dimension> jumps;  ///< n_d ds/|J| · ½ (u⁺ − u⁻), on the boundary u_b − u⁻

  SidePoint(const ElementArguments& a, const Staging<Config>& staged, const SlotsBeyond<Config>& beyond, int i) {
    constexpr Columns points = element_counts<Config>().trace_points();
    constexpr int side_points = Config::Operators::side_points;
    // Points past the last one repeat the first; the operators' rows are 0 there.
    const int column = points.at(i / 2, i % 2, staged.part()), point = column < points.count ? column : 0;
    const int side = point / side_points;
    const auto inside = staged.state(Staging<Config>::inside, point),
               outside = staged.state(Staging<Config>::outside, point),
               viscous = staged.state(Staging<Config>::viscous, point),
               viscous_outside = staged.state(Staging<Config>::viscous_outside, point);
    auto opposite = outside;
    const std::int64_t slot = beyond.of(side);
    if (slot >= a.faces[0].first_ghost)
      opposite = load_together<double, variables>(static_cast<const double*>(a.faces[0].traces) +
                                                  trace_offset<Config>(slot + a.faces[0].faces, point % side_points));
    const auto normal = staged.normals().unit(side);
    const double length = staged.normals().length(side);
#pragma unroll
    for (int v = 0; v < variables; ++v) {
      const double jump = 0.5 * length * (opposite[v] - inside[v]);
#pragma unroll
      for (int d = 0; d < dimension; ++d) jumps[d][v] = normal[d] * jump;
    }
    flux = Config::Flux::template flux<typename Config::Equations>(inside, outside, normal);
#pragma unroll
    for (int v = 0; v < variables; ++v) flux[v] = -length * (flux[v] - 0.5 * (viscous[v] - viscous_outside[v]));
  }
};

/// result += left operands · operator, for the eight columns number n. \param left of i: the thread's part i of modes.
template <class Config, class Left>
void add_product(ResultBlock<Config::Equations::variables>& result, const Left& left, const Fragments& fragments,
                 int first, int n) {
  constexpr int fours = element_counts<Config>().modes().fours();
#pragma unroll
  for (int i = 0; i < fours; ++i) multiply_add(result, left(i), fragments(first + n * fours + i));
}

/// The thread's modes of the state.
template <class Config>
auto staged_modes(const Staging<Config>& staged) {
  return [&](int i) {
    constexpr Columns modes = element_counts<Config>().modes();
    // Those past the last one meet rows of zeros.
    const int column = modes.at(i / 2, i % 2, staged.part()), mode = column < modes.count ? column : 0;
    return staged.state(Staging<Config>::modes, mode);
  };
}

/// residual −= ∫ φ F* over all sides; gradient += the lifted jumps.
template <class Config>
void add_warp_sides(WarpModes<Config>& residual, WarpGradient<Config>& gradient, const ElementArguments& a,
                    const Staging<Config>& staged, const SlotsBeyond<Config>& beyond, const Fragments& fragments) {
  constexpr ViscousTileSizes sizes = {element_counts<Config>()};
  constexpr int dimension = Config::Equations::dimension, fours = sizes.trace_points().fours();
#pragma unroll
  for (int i = 0; i < fours; ++i) {
    const SidePoint<Config> at(a, staged, beyond, i);
    const auto flux = at.flux;
#pragma unroll
    for (int m = 0; m < residual.size(); ++m) multiply_add(residual[m], flux, fragments(sizes.lift() + m * fours + i));
#pragma unroll
    for (int d = 0; d < dimension; ++d) {
      const auto jump = at.jumps[d];
#pragma unroll
      for (int n = 0; n < gradient[d].size(); ++n)
        multiply_add(gradient[d][n], jump, fragments(sizes.point_lift() + n * fours + i));
    }
  }
}

/// z_k += Σ_d ∂ξ_d/∂x_k ∂u/∂ξ_d at the thread's points of an eight.
template <class Config>
void add_warp_derivatives(WarpGradient<Config>& z, int n, const Staging<Config>& staged,
                          const WarpGeometry<Config>& geometry, const Fragments& fragments) {
  constexpr ViscousTileSizes sizes = {element_counts<Config>()};
  constexpr int dimension = Config::Equations::dimension, variables = Config::Equations::variables;
#pragma unroll
  for (int d = 0; d < dimension; ++d) {
    auto derivative = zero_block<variables>();
    add_product<Config>(derivative, staged_modes(staged), fragments, sizes.derivatives(d), n);
#pragma unroll
    for (int odd = 0; odd < 2; ++odd) {
      if (!sizes.volume_points().has(n, odd)) continue;
#pragma unroll
      for (int k = 0; k < dimension; ++k)
#pragma unroll
        for (int v = 0; v < variables; ++v) z[k][n][odd][v] += geometry[d][k] * derivative[odd][v];
    }
  }
}

/// residual += ∫ (F(U) − F_v(U, z))·∇φ. \param z the lifted jumps; afterwards the whole gradient.
template <class Config>
void add_warp_volume(WarpModes<Config>& residual, WarpGradient<Config>& z, const Staging<Config>& staged,
                     const WarpGeometry<Config>& geometry, const Fragments& fragments) {
  using Equations = typename Config::Equations;
  constexpr ViscousTileSizes sizes = {element_counts<Config>()};
  constexpr Columns points = sizes.volume_points();
  constexpr int variables = Equations::variables, dimension = Equations::dimension;
#pragma unroll
  for (int n = 0; n < points.eights(); ++n) {
    auto u = zero_block<variables>();
    add_product<Config>(u, staged_modes(staged), fragments, sizes.values(), n);
    add_warp_derivatives<Config>(z, n, staged, geometry, fragments);
#pragma unroll
    for (int odd = 0; odd < 2; ++odd) {
      if (!points.has(n, odd)) continue;
      const auto state = u[odd];
      Array<TileState<Config>, dimension> slopes;
#pragma unroll
      for (int d = 0; d < dimension; ++d) slopes[d] = z[d][n][odd];
      const auto w = Equations::primitive(state);
#pragma unroll
      for (int d = 0; d < dimension; ++d) {
        auto flux = Equations::flux(state, w, geometry[d]);
        const auto viscous = Equations::viscous_flux(state, w, slopes, geometry[d]);
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

/// output_k ← Σ_i coefficients[k][i] input_i + rhs[k] dt R. \param modes of R; afterwards of the last output.
template <class Config, int inputs, int outputs>
void update_warp(WarpModes<Config>& modes, const ElementArguments& a, std::int64_t element, int part) {
  constexpr int variables = Config::Equations::variables;
  constexpr Columns order = element_counts<Config>().modes();
  const StageUpdate& update = a.update;
  const ElementStep<Config> dt(*a.control, update.element_limits, item_of<Config>(element));
#pragma unroll
  for (int i = 0; i < order.fours(); ++i) {
    const int mode = order.at(i / 2, i % 2, part);
    const bool there = mode < Config::Operators::modes;
    Array<double, inputs> input[variables];
#pragma unroll
    for (int k = 0; k < inputs; ++k) {
      TileState<Config> values;
#pragma unroll
      for (int v = 0; v < variables; ++v) values[v] = 0;
      if (there) values = load_tile_mode<Config>(update.inputs[k], element, mode);
#pragma unroll
      for (int v = 0; v < variables; ++v) input[v][k] = values[v];
    }
    auto& block = modes[i / 2][i % 2];
    const auto r = block;
#pragma unroll
    for (int k = 0; k < outputs; ++k) {
      TileState<Config> sum;
#pragma unroll
      for (int v = 0; v < variables; ++v)
        sum[v] = there ? stage_output<double>(update, k, input[v], dt.times(update.rhs[k]) * r[v]) : 0.0;
      if (there) store_tile_mode<Config>(update.outputs[k], element, mode, sum);
      if (k == outputs - 1) block = sum;
    }
  }
}

template <class Config>
void store_warp_traces(const ElementArguments& a, const WarpModes<Config>& modes, std::int64_t element, int part,
                       const Fragments& fragments) {
  constexpr ViscousTileSizes sizes = {element_counts<Config>()};
  constexpr Columns points = sizes.trace_points();
  constexpr int variables = Config::Equations::variables, side_points = Config::Operators::side_points;
#pragma unroll
  for (int n = 0; n < points.eights(); ++n) {
    auto values = zero_block<variables>();
    add_product<Config>(
        values, [&](int i) { return modes[i / 2][i % 2]; }, fragments, sizes.trace_values(), n);
#pragma unroll
    for (int odd = 0; odd < 2; ++odd) {
      if (!points.has(n, odd)) continue;
      const int point = points.at(n, odd, part);
      if (point >= points.count) continue;
      const std::int64_t slot =
          a.faces[0].first_slot + side_slot<Config>(item_of<Config>(element), point / side_points);
      store_together(static_cast<double*>(a.faces[0].next_traces) + trace_offset<Config>(slot, point % side_points),
                     values[odd]);
    }
  }
}

/// \param a of double precision.
template <class Config, int inputs, int outputs>
void viscous_tile_residual(const ElementArguments& a) {
  constexpr ViscousTileSizes sizes = {element_counts<Config>()};
  constexpr int variables = Config::Equations::variables, elements = Config::tile_elements;
  if (!a.control->active) return;
  extern __shared__ VariablePair shared[];
  auto* operators = reinterpret_cast<double*>(shared);
  for (int k = int(threadIdx.x); k < sizes.operator_numbers(); k += 4 * elements) operators[k] = a.operators[k];
  __syncthreads();
  // Whole thread blocks of the element kernels, the last ones padding.
  const std::int64_t end = (a.set.elements + group_block - 1) / group_block * group_block,
                     step = gridDim.x * std::int64_t(elements);
  std::int64_t element = a.first_of_launch + blockIdx.x * std::int64_t(elements) + threadIdx.x / 4;
  if (element >= end) return;
  SlotsBeyond<Config> beyond(a.set, element);
  const Staging<Config> ahead(operators + sizes.operator_numbers(), threadIdx.x);
  ahead.copy_sides(a, element, beyond);
  ahead.copy_modes(a.state, element);
  for (; element < end; element += step) {
    const unsigned thread = recomputed(threadIdx.x);
    const Staging<Config> staged(operators + sizes.operator_numbers(), thread);
    const Fragments fragments(operators, thread);
    // At the end the last elements are copied once more, and nothing is done with them.
    const std::int64_t next = element + step < end ? element + step : element;
    const SlotsBeyond<Config> next_beyond(a.set, next);
    WarpModes<Config> residual;
    WarpGradient<Config> gradient;
#pragma unroll
    for (int m = 0; m < residual.size(); ++m) residual[m] = zero_block<variables>();
#pragma unroll
    for (int d = 0; d < gradient.size(); ++d)
#pragma unroll
      for (int n = 0; n < gradient[d].size(); ++n) gradient[d][n] = zero_block<variables>();
    staged.wait();
    const WarpGeometry<Config> geometry = staged.gradients();
    staged.normals().store(staged.part(), [&](int d) { return geometry[d]; });
    __syncwarp();
    add_warp_sides<Config>(residual, gradient, a, staged, beyond, fragments);
    __syncwarp();
    staged.copy_sides(a, next, next_beyond);
    staged.wait();
    add_warp_volume<Config>(residual, gradient, staged, geometry, fragments);
    __syncwarp();
    staged.copy_modes(a.state, next);
    update_warp<Config, inputs, outputs>(residual, a, element, staged.part());
    if (a.faces[0].next_traces) store_warp_traces<Config>(a, residual, element, staged.part(), fragments);
    beyond = next_beyond;
  }
  ahead.finish();
}

}  // namespace galerna::kernels
