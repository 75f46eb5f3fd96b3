/// \file
/// Right-hand side of the weak form on elements of any shape, straight or curved, and the update of a Runge–Kutta stage
/// (docs/theory.md, Curved elements):
///   r_j = ∫ Σ_d (|J| ∇ξ_d · F) ∂φ_j/∂ξ_d dξ + ∫ S φ_j |J| dξ − Σ_sides ∫ φ_j F*(U⁻, U⁺, n) ds,   dc/dt = M_J⁻¹ r.
/// With viscosity F − F_v(u, z) takes the place of F, and F* − ½ (F_v⁻ + F_v⁺)·n that of F* (element/viscous.hpp).
#pragma once

#include "kernels/boundary/condition.hpp"
#include "kernels/diffusion.hpp"
#include "kernels/element/basis.hpp"
#include "kernels/element/prefetch.hpp"
#include "kernels/element/sides.hpp"
#include "kernels/element/traces.hpp"
#include "kernels/element/viscous.hpp"
#include "kernels/source.hpp"

namespace galerna::kernels {

/// −F* ds times the weight at point q of a side.
template <class Config>
State<Config> side_flux(const ElementArguments& a, const Item& item, const State<Config>& inside,
                        const Geometry<Config>& geometry, int side, int q) {
  using V = typename Config::Value;
  const SideSlots<Config> slots(a, item, side);
  const State<Config> outside = gather_trace<Config>(slots.arrays().traces, slots.beyond(q), 0);
  Vector<Config> normal = geometry.normal(side, q);
  const V length = positive_sqrt(dot(normal, normal)), inverse = reciprocal(length);
  for (int d = 0; d < Vector<Config>::size(); ++d) normal[d] *= inverse;
  State<Config> flux = Config::Flux::template flux<typename Config::Equations>(inside, outside, normal);
  if constexpr (Config::viscous) {
    const State<Config> own = gather_trace<Config>(slots.arrays().viscous_traces, slots.own(q), 0),
                        other = gather_trace<Config>(slots.arrays().viscous_traces, slots.beyond(q), 0);
    for (int v = 0; v < State<Config>::size(); ++v) flux[v] -= number<V>(0.5) * (own[v] - other[v]);
  }
  const V scale = length * V(-weight_on_side<typename Config::Operators>(side, q));
  for (int v = 0; v < State<Config>::size(); ++v) flux[v] *= scale;
  return flux;
}

/// \param gradient to which jumps are added, with viscosity.
template <class Config>
void add_sides(Basis<Config>& basis, VolumeGradient<Config>& gradient, const ElementArguments& a,
               const StageShape& stage, const GroupThread<Config>& thread, const Geometry<Config>& geometry) {
  using Operators = typename Config::Operators;
  for_each_batch<Config, all_side_points<Operators>()>([&](auto batch) {
    using Points = decltype(batch);
    prefetch_stage<Config>(a, thread.item, stage, share_of(batch, all_side_points<Operators>()));
    const auto inside = basis.side_values(batch);
    if constexpr (Config::viscous) gradient.add(batch, half_jumps<Config>(a, thread, batch, inside), geometry);
    auto states = join_parts<Config, Points>(thread, inside);
    for (int s = 0; s < states.size(); ++s) {
      const int at = point_of<Config>(batch, thread, s);
      states[s] =
          side_flux<Config>(a, thread.item, states[s], geometry, side_at<Operators>(at), point_on_side<Operators>(at));
    }
    basis.add_sides(batch, split_states<Config, Points>(thread, states));
  });
}

template <class Config>
void add_volume(Basis<Config>& basis, const VolumeGradient<Config>& gradient, const ElementArguments& a,
                const GroupThread<Config>& thread, const Geometry<Config>& geometry) {
  using Equations = typename Config::Equations;
  using Operators = typename Config::Operators;
  constexpr int dimension = Equations::dimension;
  if constexpr (Operators::modes == 1 && !HasSource<Config>) return prefetch_next<Config>(a, thread.item, {});
  for_each_batch<Config, Operators::volume_points>([&](auto batch) {
    using Points = decltype(batch);
    prefetch_next<Config>(a, thread.item, share_of(batch, Operators::volume_points));
    Array<State<Config>, states_of<Config, Points>()> u;
    [[maybe_unused]] Array<StateGradients<Config>, u.size()> z;
    if constexpr (Config::viscous) {
      const auto parts = gradient.at(batch, basis, geometry);
      u = join_parts<Config, Points>(thread, parts.u);
      z = join_gradients<Config, Points>(thread, parts.z);
    } else {
      u = join_parts<Config, Points>(thread, basis.values(batch));
    }
    Array<Array<State<Config>, u.size()>, dimension> flux;
    for (int s = 0; s < u.size(); ++s) {
      const auto w = Equations::primitive(u[s]);
      const int at = point_of<Config>(batch, thread, s);
      const auto contravariant = geometry.contravariant(at);
      [[maybe_unused]] const auto epsilon = shock_viscosity_at<Config>(a.set.corner_viscosity, thread.item, at);
      for (int d = 0; d < dimension; ++d) {
        flux[d][s] = Equations::flux(u[s], w, contravariant[d]);
        if constexpr (Config::viscous) {
          const State<Config> viscous = diffusive_flux<Config>(u[s], w, z[s], contravariant[d], epsilon);
          for (int v = 0; v < Equations::variables; ++v) flux[d][s][v] -= viscous[v];
        }
      }
    }
    unrolled<dimension>([&](int d) { basis.add(batch, d, split_states<Config, Points>(thread, flux[d])); });
    if constexpr (HasSource<Config>) {
      auto source = u;
      for (int s = 0; s < u.size(); ++s) {
        const int q = point_of<Config>(batch, thread, s);
        source[s] = source_at<Config>(a, a.set.nodes, thread.item, q, u[s]);
        if constexpr (!Config::affine) {
          const auto jacobian = reciprocal(geometry.inverse(q));
          for (int v = 0; v < State<Config>::size(); ++v) source[s][v] *= jacobian;
        }
      }
      basis.add_values(batch, split_states<Config, Points>(thread, source));
    }
  });
}

/// R(state) of the thread. On the CPU one function for all stages: compilers take longer for it than for all else.
#ifndef __CUDACC_RTC__
template <class Config>
[[gnu::flatten, gnu::noinline]] PartModes<Config> rate_of_change(const ElementArguments& a, const StageShape& stage,
                                                                 const GroupThread<Config>& thread);
#endif
template <class Config>
PartModes<Config> rate_of_change(const ElementArguments& a, const StageShape& stage,
                                 const GroupThread<Config>& thread) {
  const Geometry<Config> geometry(a.set, thread.item);
  const PartModes<Config> modes = load_parts<Config>(a.state, thread);
  Basis<Config> basis(modes);
  VolumeGradient<Config> gradient;
  add_sides<Config>(basis, gradient, a, stage, thread, geometry);
  if constexpr (Config::viscous) gradient.finish(basis, geometry);
  add_volume<Config>(basis, gradient, a, thread, geometry);
  return basis.change(geometry, thread);
}

/// One stage: R(state), the stage's linear combinations, and traces of the last of these, at which the next stage
/// looks.
template <class Config, int inputs, int outputs>
[[gnu::flatten]] void element_residual(const ElementArguments& a, const Item& item) {
  if (!a.control->active) return;
  const GroupThread<Config> thread(item);
  PartModes<Config> modes = rate_of_change<Config>(a, {inputs, outputs}, thread);
  update_parts<Config, inputs, outputs>(modes, a.update, thread, {*a.control, a.update.element_limits, item});
  if (a.faces[0].next_traces) store_traces<Config>(&TraceArrays::next_traces, Basis<Config>(modes), a, thread);
}

}  // namespace galerna::kernels
