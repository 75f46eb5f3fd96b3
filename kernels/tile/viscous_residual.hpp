/// \file
/// Right-hand side and stage of general/residual.hpp with viscosity on straight triangles, by matrix products
/// (tile/product.hpp). Each warp works on eight elements by itself: traces and viscous traces come from memory, so that
/// nothing is exchanged within a tile. A thread holds coefficients as it holds results of products, which are left
/// operands of the next products as they are: all operators have their rows sorted to match (dg/tiles.hpp).
#pragma once

#include "kernels/element_step.hpp"
#include "kernels/general/arguments.hpp"
#include "kernels/tile/residual.hpp"

namespace galerna::kernels {

template <class Case>
struct ViscousTileSizes {
  using Operators = typename Case::Operators;
  static constexpr int variables = Case::Equations::variables, dimension = Case::Equations::dimension;
  static constexpr int pairs = pair_count<variables>();
  static constexpr int modes = Operators::modes, sides = Operators::sides, side_points = Operators::side_points;
  static constexpr int trace_points = sides * side_points;
  static constexpr int mode_eights = Columns{modes}.eights(), volume_eights = Columns{Operators::volume_points}.eights(),
                       trace_eights = Columns{trace_points}.eights();
  static constexpr int mode_fours = Columns{modes}.fours(), volume_fours = Columns{Operators::volume_points}.fours(),
                       trace_fours = Columns{trace_points}.fours();

  // Where each operator's fragments begin. From modes: values at volume points, modes of derivatives, values at the
  // points of all sides. From points: weighted derivatives, and what lifts from sides.
  static constexpr int values = 0;
  static constexpr int derivatives = values + volume_eights * mode_fours;  ///< one for each direction
  static constexpr int derivative_fragments = mode_eights * mode_fours;
  static constexpr int trace_values = derivatives + dimension * derivative_fragments;
  static constexpr int tests = trace_values + trace_eights * mode_fours;  ///< one for each direction
  static constexpr int test_fragments = mode_eights * volume_fours;
  static constexpr int lift = tests + dimension * test_fragments;
  static constexpr int operator_numbers = (lift + mode_eights * trace_fours) * 32;
};

/// What a thread holds of eight elements' coefficients.
template <class Case>
using WarpModes = Array<ResultBlock<ViscousTileSizes<Case>::pairs>, ViscousTileSizes<Case>::mode_eights>;

/// [direction]
template <class Case>
using WarpGradient = Array<WarpModes<Case>, Case::Equations::dimension>;

/// The element of a thread, and where its sides are in memory.
template <class Case>
class WarpElement {
 public:
  using Sizes = ViscousTileSizes<Case>;
  static constexpr int dimension = Sizes::dimension;
  using DirectionVector = Array<double, dimension>;

  WarpElement(const ElementSetArrays& set, std::int64_t element) : element_(element), set_(set) {
    const auto* numbers =
        static_cast<const typename Case::Real*>(set.contravariant) + offset<Case>(element, dimension * dimension, 0);
#pragma unroll
    for (int d = 0; d < dimension; ++d)
#pragma unroll
      for (int k = 0; k < dimension; ++k) gradients_[d][k] = double(numbers[(d * dimension + k) * Case::width]);
  }

  std::int64_t number() const {
    return element_;
  }
  Item item() const {
    return {element_ / Case::width, int(element_ % Case::width)};
  }
  /// ∇ξ_d
  const Array<DirectionVector, dimension>& gradients() const {
    return gradients_;
  }

  /// Outward normal times ds/|J| (general/geometry.hpp).
  DirectionVector normal(int side) const {
    DirectionVector n;
#pragma unroll
    for (int k = 0; k < dimension; ++k) {
      n[k] = 0;
#pragma unroll
      for (int s = 0; s < Sizes::sides; ++s)
#pragma unroll
        for (int d = 0; d < dimension; ++d)
          n[k] += (s == side ? double(Case::Operators::side_normal(s, d)) : 0.0) * gradients_[d][k];
    }
    return n;
  }

  /// Slots of a side's own trace and of that beyond. Triangles count points as traces do (mesh/side_order.hpp).
  std::int64_t own(int side) const {
    return set_.first_slot + side_slot<Case>(item(), side);
  }
  std::int64_t beyond(int side) const {
    return set_.beyond[side_slot<Case>(item(), side)] >> 1;
  }

 private:
  std::int64_t element_;
  const ElementSetArrays& set_;
  Array<DirectionVector, dimension> gradients_;
};

template <class Case>
TileState<Case> load_trace_state(const void* traces, std::int64_t slot, int point) {
  constexpr int variables = Case::Equations::variables;
  using Real = typename Case::Real;
  const auto numbers =
      load_together<Real, variables>(static_cast<const Real*>(traces) + trace_offset<Case>(slot, point));
  TileState<Case> state;
#pragma unroll
  for (int v = 0; v < variables; ++v) state[v] = double(numbers[v]);
  return state;
}

/// A point of an element's sides: (flux, jump) in the order of traces.
template <class Case>
struct SidePoint {
  using Sizes = ViscousTileSizes<Case>;
  TileState<Case> flux;                            ///< −F* ds/|J|
  Array<TileState<Case>, Sizes::dimension> jumps;  ///< n_d ds/|J| · ½ (u⁺ − u⁻), on the boundary u_b − u⁻

  SidePoint(const GeneralArguments& a, const WarpElement<Case>& element, int side, int q) {
    using Equations = typename Case::Equations;
    const std::int64_t own = element.own(side), beyond = element.beyond(side);
    const bool boundary = beyond >= a.set.first_ghost;
    const auto inside = load_trace_state<Case>(a.traces, own, q), outside = load_trace_state<Case>(a.traces, beyond, q),
               viscous = load_trace_state<Case>(a.viscous_traces, own, q),
               viscous_beyond = load_trace_state<Case>(a.viscous_traces, beyond, q);
    auto opposite = outside;
    if (boundary) opposite = load_trace_state<Case>(a.traces, beyond + a.set.faces, q);
    auto normal = element.normal(side);
    double square = 0;
#pragma unroll
    for (int d = 0; d < Sizes::dimension; ++d) square += normal[d] * normal[d];
    const double length = positive_sqrt(square), inverse = reciprocal(length);
#pragma unroll
    for (int d = 0; d < Sizes::dimension; ++d) {
#pragma unroll
      for (int v = 0; v < Sizes::variables; ++v) jumps[d][v] = normal[d] * (0.5 * (opposite[v] - inside[v]));
      normal[d] *= inverse;
    }
    flux = Case::Flux::template flux<Equations>(inside, outside, normal);
#pragma unroll
    for (int v = 0; v < Sizes::variables; ++v) flux[v] = -length * (flux[v] - 0.5 * (viscous[v] - viscous_beyond[v]));
  }
};

/// The operators in shared memory, one number of each fragment for a thread.
class Fragments {
 public:
  explicit Fragments(const double* operators) : operators_(operators + threadIdx.x % 32) {}
  double operator()(int index) const { return operators_[index * 32]; }

 private:
  const double* operators_;
};

/// result += modes · operator, for the eight columns number n.
template <class Case>
void add_product(ResultBlock<ViscousTileSizes<Case>::pairs>& result, const WarpModes<Case>& modes,
                 const Fragments& fragments, int first, int n) {
  constexpr int fours = ViscousTileSizes<Case>::mode_fours;
#pragma unroll
  for (int k = 0; k < fours; ++k) multiply_add(result, modes[k / 2][k % 2], fragments(first + n * fours + k));
}

/// residual −= ∫ φ F* over all sides; gradient += the lifted jumps.
template <class Case>
void add_warp_sides(WarpModes<Case>& residual, WarpGradient<Case>& gradient, const GeneralArguments& a,
                    const WarpElement<Case>& element, const Fragments& fragments) {
  using Sizes = ViscousTileSizes<Case>;
  constexpr Columns points{Sizes::trace_points};
#pragma unroll
  for (int n = 0; n < points.eights(); ++n)
#pragma unroll
    for (int odd = 0; odd < 2; ++odd) {
      if (!points.has(n, odd)) continue;
      // Points past the last one repeat the first; the operator's rows are 0 there.
      int point = points.at(n, odd, int(threadIdx.x % 4));
      if (point >= Sizes::trace_points) point = 0;
      const SidePoint<Case> at(a, element, point / Sizes::side_points, point % Sizes::side_points);
      const auto flux = paired<Sizes::variables>(at.flux);
      Array<LeftBlock<Sizes::pairs>, Sizes::dimension> jumps;
#pragma unroll
      for (int d = 0; d < Sizes::dimension; ++d) jumps[d] = paired<Sizes::variables>(at.jumps[d]);
#pragma unroll
      for (int m = 0; m < Sizes::mode_eights; ++m) {
        const double fragment = fragments(Sizes::lift + m * points.fours() + 2 * n + odd);
        multiply_add(residual[m], flux, fragment);
#pragma unroll
        for (int d = 0; d < Sizes::dimension; ++d) multiply_add(gradient[d][m], jumps[d], fragment);
      }
    }
}

/// gradient_k += Σ_d ∂ξ_d/∂x_k ∂u/∂ξ_d
template <class Case>
void add_warp_derivatives(WarpGradient<Case>& gradient, const WarpModes<Case>& modes, const WarpElement<Case>& element,
                          const Fragments& fragments) {
  using Sizes = ViscousTileSizes<Case>;
  constexpr Columns order{Sizes::modes};
#pragma unroll
  for (int d = 0; d < Sizes::dimension; ++d)
#pragma unroll
    for (int m = 0; m < Sizes::mode_eights; ++m) {
      auto derivative = zero_block<Sizes::pairs>();
      add_product<Case>(derivative, modes, fragments, Sizes::derivatives + d * Sizes::derivative_fragments, m);
#pragma unroll
      for (int k = 0; k < Sizes::dimension; ++k)
#pragma unroll
        for (int odd = 0; odd < 2; ++odd) {
          if (!order.has(m, odd)) continue;
#pragma unroll
          for (int pair = 0; pair < Sizes::pairs; ++pair)
#pragma unroll
            for (int i = 0; i < 2; ++i)
              gradient[k][m][odd][pair][i] += element.gradients()[d][k] * derivative[odd][pair][i];
        }
    }
}

/// residual += ∫ (F(U) − F_v(U, z))·∇φ
template <class Case>
void add_warp_volume(WarpModes<Case>& residual, const WarpModes<Case>& modes, const WarpGradient<Case>& gradient,
                     const WarpElement<Case>& element, const Fragments& fragments) {
  using Sizes = ViscousTileSizes<Case>;
  constexpr Columns points{Case::Operators::volume_points};
  using Equations = typename Case::Equations;
  constexpr int dimension = Sizes::dimension;
#pragma unroll
  for (int n = 0; n < points.eights(); ++n) {
    auto u = zero_block<Sizes::pairs>();
    Array<ResultBlock<Sizes::pairs>, dimension> z;
#pragma unroll
    for (int d = 0; d < dimension; ++d) z[d] = zero_block<Sizes::pairs>();
    add_product<Case>(u, modes, fragments, Sizes::values, n);
#pragma unroll
    for (int d = 0; d < dimension; ++d) add_product<Case>(z[d], gradient[d], fragments, Sizes::values, n);
#pragma unroll
    for (int odd = 0; odd < 2; ++odd) {
      if (!points.has(n, odd)) continue;
      const auto state = unpaired<Sizes::variables>(u[odd]);
      Array<TileState<Case>, dimension> slopes;
#pragma unroll
      for (int d = 0; d < dimension; ++d) slopes[d] = unpaired<Sizes::variables>(z[d][odd]);
      const auto w = Equations::primitive(state);
#pragma unroll
      for (int d = 0; d < dimension; ++d) {
        auto flux = Equations::flux(state, w, element.gradients()[d]);
        const auto viscous = Equations::viscous_flux(state, w, slopes, element.gradients()[d]);
#pragma unroll
        for (int v = 0; v < Sizes::variables; ++v) flux[v] -= viscous[v];
        const auto left = paired<Sizes::variables>(flux);
#pragma unroll
        for (int m = 0; m < Sizes::mode_eights; ++m)
          multiply_add(residual[m], left,
                       fragments(Sizes::tests + d * Sizes::test_fragments + m * points.fours() + 2 * n + odd));
      }
    }
  }
}

/// output_k ← Σ_i coefficients[k][i] input_i + rhs[k] dt R. \param modes of R; afterwards of the last output.
template <class Case, int inputs, int outputs>
void update_warp(WarpModes<Case>& modes, const GeneralArguments& a, const WarpElement<Case>& element) {
  using Sizes = ViscousTileSizes<Case>;
  constexpr Columns order{Sizes::modes};
  const StageUpdate& update = a.update;
  const ElementStep<Case> dt(*a.control, update.element_limits, element.item());
#pragma unroll
  for (int n = 0; n < order.eights(); ++n)
#pragma unroll
    for (int odd = 0; odd < 2; ++odd) {
      if (!order.has(n, odd)) continue;
      const int mode = order.at(n, odd, int(threadIdx.x % 4));
      const bool there = mode < Sizes::modes;
      Array<double, inputs> input[Sizes::variables];
#pragma unroll
      for (int i = 0; i < inputs; ++i) {
        TileState<Case> values;
#pragma unroll
        for (int v = 0; v < Sizes::variables; ++v) values[v] = 0;
        if (there) values = load_tile_mode<Case>(update.inputs[i], element.number(), mode);
#pragma unroll
        for (int v = 0; v < Sizes::variables; ++v) input[v][i] = values[v];
      }
      const auto r = unpaired<Sizes::variables>(modes[n][odd]);
#pragma unroll
      for (int k = 0; k < outputs; ++k) {
        TileState<Case> sum;
#pragma unroll
        for (int v = 0; v < Sizes::variables; ++v)
          sum[v] = there ? stage_output<double>(update, k, input[v], dt.times(update.rhs[k]) * r[v]) : 0.0;
        if (there) store_tile_mode<Case>(update.outputs[k], element.number(), mode, sum);
        if (k == outputs - 1) modes[n][odd] = paired<Sizes::variables>(sum);
      }
    }
}

template <class Case>
void store_warp_traces(void* traces, const WarpModes<Case>& modes, const WarpElement<Case>& element,
                       const Fragments& fragments) {
  using Sizes = ViscousTileSizes<Case>;
  constexpr Columns points{Sizes::trace_points};
  using Real = typename Case::Real;
#pragma unroll
  for (int n = 0; n < points.eights(); ++n) {
    auto values = zero_block<Sizes::pairs>();
    add_product<Case>(values, modes, fragments, Sizes::trace_values, n);
#pragma unroll
    for (int odd = 0; odd < 2; ++odd) {
      if (!points.has(n, odd)) continue;
      const int point = points.at(n, odd, int(threadIdx.x % 4));
      if (point >= Sizes::trace_points) continue;
      const int side = point / Sizes::side_points, q = point % Sizes::side_points;
      const auto state = unpaired<Sizes::variables>(values[odd]);
      Array<Real, Sizes::variables> numbers;
#pragma unroll
      for (int v = 0; v < Sizes::variables; ++v) numbers[v] = Real(state[v]);
      store_together(static_cast<Real*>(traces) + trace_offset<Case>(element.own(side), q), numbers);
    }
  }
}

template <class Case>
WarpModes<Case> load_warp_modes(const void* state, std::int64_t element) {
  using Sizes = ViscousTileSizes<Case>;
  constexpr Columns order{Sizes::modes};
  WarpModes<Case> modes;
#pragma unroll
  for (int n = 0; n < order.eights(); ++n)
#pragma unroll
    for (int odd = 0; odd < 2; ++odd) {
      if (!order.has(n, odd)) continue;
      const int mode = order.at(n, odd, int(threadIdx.x % 4));
      TileState<Case> values;
#pragma unroll
      for (int v = 0; v < Sizes::variables; ++v) values[v] = 0;
      if (mode < Sizes::modes) values = load_tile_mode<Case>(state, element, mode);
      modes[n][odd] = paired<Sizes::variables>(values);
    }
  return modes;
}

template <class Case, int inputs, int outputs>
void viscous_tile_residual(const GeneralArguments& a) {
  using Sizes = ViscousTileSizes<Case>;
  if (!a.control->active) return;
  extern __shared__ VariablePair shared[];
  auto* operators = reinterpret_cast<double*>(shared);
  for (int k = int(threadIdx.x); k < Sizes::operator_numbers; k += int(blockDim.x)) operators[k] = a.operators[k];
  __syncthreads();
  const Fragments fragments(operators);
  // Whole thread blocks of elements, the last ones padding.
  const std::int64_t eights = (a.set.elements + slice_block - 1) / slice_block * slice_block / 8;
  const int warps = int(blockDim.x) / 32;
  for (std::int64_t eight = blockIdx.x * std::int64_t(warps) + threadIdx.x / 32; eight < eights;
       eight += gridDim.x * std::int64_t(warps)) {
    const WarpElement<Case> element(a.set, eight * 8 + threadIdx.x % 32 / 4);
    const auto modes = load_warp_modes<Case>(a.state, element.number());
    WarpModes<Case> residual;
    WarpGradient<Case> gradient;
#pragma unroll
    for (int m = 0; m < Sizes::mode_eights; ++m) {
      residual[m] = zero_block<Sizes::pairs>();
#pragma unroll
      for (int d = 0; d < Sizes::dimension; ++d) gradient[d][m] = zero_block<Sizes::pairs>();
    }
    add_warp_sides<Case>(residual, gradient, a, element, fragments);
    add_warp_derivatives<Case>(gradient, modes, element, fragments);
    add_warp_volume<Case>(residual, modes, gradient, element, fragments);
    update_warp<Case, inputs, outputs>(residual, a, element);
    if (a.next_traces) store_warp_traces<Case>(a.next_traces, residual, element, fragments);
  }
}

}  // namespace galerna::kernels
