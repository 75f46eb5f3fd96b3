/// \file
/// Right-hand side of the weak form on elements of any shape, straight or curved, and the update of a Runge–Kutta stage
/// (docs/theory.md, Curved elements):
///   r_j = ∫ Σ_d (|J| ∇ξ_d · F) ∂φ_j/∂ξ_d dξ + ∫ S φ_j |J| dξ − Σ_sides ∫ φ_j F*(U⁻, U⁺, n) ds,   dc/dt = M_J⁻¹ r.
/// With viscosity F − F_v(u, z) takes the place of F, and F* − ½ (F_v⁻ + F_v⁺)·n that of F* (general/viscous.hpp).
#pragma once

#include "kernels/boundary/condition.hpp"
#include "kernels/general/basis.hpp"
#include "kernels/general/prefetch.hpp"
#include "kernels/general/sides.hpp"
#include "kernels/general/traces.hpp"
#include "kernels/general/viscous.hpp"
#include "kernels/source.hpp"

namespace galerna::kernels {

/// −F* ds times the weight at point q of a side.
template <class Case>
State<Case> side_flux(const GeneralArguments& a, const Item& item, const State<Case>& inside,
                      const Geometry<Case>& geometry, int side, int q) {
  using V = typename Case::Value;
  const SideSlots<Case> slots(a, item, side);
  const State<Case> outside = gather_trace<Case>(slots.arrays().traces, slots.beyond(q), 0);
  Vector<Case> normal = geometry.normal(side, q);
  const V length = positive_sqrt(dot(normal, normal)), inverse = reciprocal(length);
  for (int d = 0; d < Vector<Case>::size(); ++d) normal[d] *= inverse;
  State<Case> flux = Case::Flux::template flux<typename Case::Equations>(inside, outside, normal);
  if constexpr (Case::viscous) {
    const State<Case> own = gather_trace<Case>(slots.arrays().viscous_traces, slots.own(q), 0),
                      other = gather_trace<Case>(slots.arrays().viscous_traces, slots.beyond(q), 0);
    for (int v = 0; v < State<Case>::size(); ++v) flux[v] -= number<V>(0.5) * (own[v] - other[v]);
  }
  const V scale = length * V(-weight_on_side<typename Case::Operators>(side, q));
  for (int v = 0; v < State<Case>::size(); ++v) flux[v] *= scale;
  return flux;
}

/// \param gradient to which jumps are added, with viscosity.
template <class Case>
void add_sides(Basis<Case>& basis, VolumeGradient<Case>& gradient, const GeneralArguments& a, const Slice<Case>& slice,
               const Geometry<Case>& geometry) {
  using Operators = typename Case::Operators;
  for_each_batch<Case, all_side_points<Operators>()>([&](auto batch) {
    using Points = decltype(batch);
    const auto inside = basis.side_values(batch);
    if constexpr (Case::viscous) gradient.add(batch, half_jumps<Case>(a, slice, batch, inside), geometry);
    auto states = join_parts<Case, Points>(slice, inside);
    for (int s = 0; s < states.size(); ++s) {
      const int at = point_of<Case, Points>(slice, s);
      states[s] =
          side_flux<Case>(a, slice.item, states[s], geometry, side_at<Operators>(at), point_on_side<Operators>(at));
    }
    basis.add_sides(batch, split_states<Case, Points>(slice, states));
  });
}

template <class Case>
void add_volume(Basis<Case>& basis, const VolumeGradient<Case>& gradient, const GeneralArguments& a,
                const Slice<Case>& slice, const Geometry<Case>& geometry) {
  using Equations = typename Case::Equations;
  using Operators = typename Case::Operators;
  constexpr int dimension = Equations::dimension;
  if constexpr (Operators::modes == 1 && !HasSource<Case>) return;
  for_each_batch<Case, Operators::volume_points>([&](auto batch) {
    using Points = decltype(batch);
    Array<State<Case>, states_of<Case, Points>()> u;
    [[maybe_unused]] Array<StateGradients<Case>, u.size()> z;
    if constexpr (Case::viscous) {
      const auto parts = gradient.at(batch, basis, geometry);
      u = join_parts<Case, Points>(slice, parts.u);
      z = join_gradients<Case, Points>(slice, parts.z);
    } else {
      u = join_parts<Case, Points>(slice, basis.values(batch));
    }
    Array<Array<State<Case>, u.size()>, dimension> flux;
    for (int s = 0; s < u.size(); ++s) {
      const auto w = Equations::primitive(u[s]);
      const auto contravariant = geometry.contravariant(point_of<Case, Points>(slice, s));
      for (int d = 0; d < dimension; ++d) {
        flux[d][s] = Equations::flux(u[s], w, contravariant[d]);
        if constexpr (Case::viscous) {
          const State<Case> viscous = Equations::viscous_flux(u[s], w, z[s], contravariant[d]);
          for (int v = 0; v < Equations::variables; ++v) flux[d][s][v] -= viscous[v];
        }
      }
    }
    unrolled<dimension>([&](int d) { basis.add(batch, d, split_states<Case, Points>(slice, flux[d])); });
    if constexpr (HasSource<Case>) {
      auto source = u;
      for (int s = 0; s < u.size(); ++s) {
        const int q = point_of<Case, Points>(slice, s);
        source[s] = source_at<Case>(a, a.set.nodes, slice.item, q, u[s]);
        if constexpr (!Case::affine) {
          const auto jacobian = reciprocal(geometry.inverse(q));
          for (int v = 0; v < State<Case>::size(); ++v) source[s][v] *= jacobian;
        }
      }
      basis.add_values(batch, split_states<Case, Points>(slice, source));
    }
  });
}

/// R(state) of the slice. On the CPU one function for all stages: compilers take longer for it than for all else.
#ifndef __CUDACC_RTC__
template <class Case>
[[gnu::flatten, gnu::noinline]] SliceModes<Case> rate_of_change(const GeneralArguments& a, const Slice<Case>& slice);
#endif
template <class Case>
SliceModes<Case> rate_of_change(const GeneralArguments& a, const Slice<Case>& slice) {
  const Geometry<Case> geometry(a.set, slice.item);
  const SliceModes<Case> modes = load_slice<Case>(a.state, slice);
  Basis<Case> basis(modes);
  VolumeGradient<Case> gradient;
  add_sides<Case>(basis, gradient, a, slice, geometry);
  if constexpr (Case::viscous) gradient.finish(basis, geometry);
  add_volume<Case>(basis, gradient, a, slice, geometry);
  return basis.change(geometry, slice);
}

/// One stage: R(state), the stage's linear combinations, and traces of the last of these, at which the next stage
/// looks.
template <class Case, int inputs, int outputs>
[[gnu::flatten]] void general_residual(const GeneralArguments& a, const Item& item) {
  if (!a.control->active) return;
  const Slice<Case> slice(item);
  prefetch_residual<Case, inputs, outputs>(a, item);
  SliceModes<Case> modes = rate_of_change<Case>(a, slice);
  update_slice<Case, inputs, outputs>(modes, a.update, slice, {*a.control, a.update.element_limits, item});
  if (a.faces[0].next_traces) store_traces<Case>(&TraceArrays::next_traces, Basis<Case>(modes), a, slice);
}

}  // namespace galerna::kernels
