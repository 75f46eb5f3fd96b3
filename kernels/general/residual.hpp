/// \file
/// Right-hand side of the weak form on elements of any shape, straight or curved, and the update of a Runge–Kutta stage
/// (docs/theory.md, Curved elements):
///   r_j = ∫ Σ_d (|J| ∇ξ_d · F) ∂φ_j/∂ξ_d dξ − Σ_sides ∫ φ_j F*(U⁻, U⁺, n) ds,   dc/dt = M_J⁻¹ r.
/// With viscosity F − F_v(u, z) takes the place of F, and F* − ½ (F_v⁻ + F_v⁺)·n that of F* (general/viscous.hpp).
#pragma once

#include "kernels/boundary/condition.hpp"
#include "kernels/general/geometry.hpp"
#include "kernels/general/points.hpp"
#include "kernels/general/sides.hpp"
#include "kernels/general/viscous.hpp"
#include "kernels/residual.hpp"

namespace galerna::kernels {

template <class Case>
void add_volume(Modes<Case>& r, const GeneralArguments& a, const Item& item, const Geometry<Case>& geometry) {
  using Equations = typename Case::Equations;
  using Operators = typename Case::Operators;
  constexpr int dimension = Equations::dimension;
  if constexpr (Operators::modes == 1) return;
  [[maybe_unused]] Array<LiftedJump<Case>, Case::viscous ? Operators::sides * Operators::side_points : 1> jumps;
  if constexpr (Case::viscous) load_jumps<Case>(jumps, a, item, geometry);
  for_each_points<Case, Operators::volume_points>([&](auto points) {
    constexpr int count = decltype(points)::count;
    const auto u = states_at<Case, count>(a.state, item,
                                          [&](int k, int j) { return Operators::volume_basis(points.first + k, j); });
    Array<PointStates<Case, count>, dimension> flux;
    unrolled<count>([&](int k) {
      const auto w = Equations::primitive(u[k]);
      const auto contravariant = geometry.contravariant(points.first + k);
      for (int d = 0; d < dimension; ++d) flux[d][k] = Equations::flux(u[k], w, contravariant[d]);
    });
    if constexpr (Case::viscous) {
      const auto z = volume_gradients<Case, count>(a, item, geometry, jumps, points.first);
      unrolled<count>([&](int k) {
        const auto w = Equations::primitive(u[k]);
        const auto contravariant = geometry.contravariant(points.first + k);
        for (int d = 0; d < dimension; ++d) {
          const State<Case> viscous = Equations::viscous_flux(u[k], w, z[k], contravariant[d]);
          for (int v = 0; v < Equations::variables; ++v) flux[d][k][v] -= viscous[v];
        }
      });
    }
    unrolled<dimension>([&](int d) {
      add_integral<Case, count>(r, flux[d],
                                [&](int k, int j) { return Operators::weighted_derivative(d, points.first + k, j); });
    });
  });
}

/// −F* ds times the weight at point q of a side.
template <class Case>
State<Case> side_flux(const GeneralArguments& a, const SideSlots<Case>& slots, const Geometry<Case>& geometry, int side,
                      int q) {
  using V = typename Case::Value;
  const State<Case> inside = slots.inside(a.traces, q), outside = slots.outside(a.traces, q);
  Vector<Case> normal = geometry.normal(side, q);
  const V length = positive_sqrt(dot(normal, normal)), inverse = reciprocal(length);
  for (int d = 0; d < Vector<Case>::size(); ++d) normal[d] *= inverse;
  State<Case> flux = Case::Flux::template flux<typename Case::Equations>(inside, outside, normal);
  if constexpr (Case::viscous) {
    const State<Case> own = slots.inside(a.viscous_traces, q), other = slots.outside(a.viscous_traces, q);
    for (int v = 0; v < State<Case>::size(); ++v) flux[v] -= number<V>(0.5) * (own[v] - other[v]);
  }
  const V scale = length * V(-Case::Operators::side_weight(q));
  for (int v = 0; v < State<Case>::size(); ++v) flux[v] *= scale;
  return flux;
}

template <class Case>
void add_sides(Modes<Case>& r, const GeneralArguments& a, const Item& item, const Geometry<Case>& geometry) {
  using Operators = typename Case::Operators;
#pragma unroll(Case::unroll_sides)
  for (int side = 0; side < Operators::sides; ++side) {
    const SideSlots<Case> slots(a.set, item, side);
    for_each_points<Case, Operators::side_points>([&](auto points) {
      constexpr int count = decltype(points)::count;
      PointStates<Case, count> flux;
      unrolled<count>([&](int k) { flux[k] = side_flux<Case>(a, slots, geometry, side, points.first + k); });
      add_integral<Case, count>(r, flux,
                                [&](int k, int j) { return Operators::side_basis(side, points.first + k, j); });
    });
  }
}

/// dc/dt from r, for one variable: the weight-adjusted inverse of the mass matrix, and a constant that makes the change
/// of the integral right (docs/theory.md, Mass matrix).
template <class Case>
void divide_by_mass(Array<typename Case::Value, Case::Operators::modes>& r, const Geometry<Case>& geometry) {
  using V = typename Case::Value;
  using Operators = typename Case::Operators;
  constexpr int modes = Operators::modes;
  Array<V, modes> change;
#pragma unroll
  for (int j = 0; j < modes; ++j) change[j] = V(0);
  for_each_points<Case, Operators::volume_points>([&](auto points) {
    constexpr int count = decltype(points)::count;
    Array<V, count> value;
    unrolled<count>([&](int k) { value[k] = V(0); });
#pragma unroll
    for (int j = 0; j < modes; ++j)
      unrolled<count>([&](int k) { value[k] += V(Operators::volume_basis(points.first + k, j)) * r[j]; });
    unrolled<count>(
        [&](int k) { value[k] *= V(Operators::volume_weight(points.first + k)) * geometry.inverse(points.first + k); });
#pragma unroll
    for (int j = 0; j < modes; ++j)
      unrolled<count>([&](int k) { change[j] += V(Operators::volume_basis(points.first + k, j)) * value[k]; });
  });
  V missing = r[0] * V(1 / Operators::volume_basis(0, 0));
#pragma unroll
  for (int j = 0; j < modes; ++j) {
    missing -= geometry.mean(j) * change[j];
    r[j] = change[j];
  }
  r[0] += missing / geometry.mean(0);
}

/// One stage: R(state) and the stage's linear combinations.
template <class Case, int inputs, int outputs>
[[gnu::flatten]] void general_residual(const GeneralArguments& a, const Item& item) {
  if (!a.control->active) return;
  const Geometry<Case> geometry(a.set, item);
  Modes<Case> r = zero_modes<Case>();
  add_sides<Case>(r, a, item, geometry);
  add_volume<Case>(r, a, item, geometry);
  if constexpr (!Case::affine)
#pragma unroll
    for (int v = 0; v < Case::Equations::variables; ++v) divide_by_mass<Case>(r[v], geometry);
  update_stage<Case, inputs, outputs>(r, a.update, item, {*a.control, a.update.element_limits, item});
}

}  // namespace galerna::kernels
