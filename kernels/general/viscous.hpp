/// \file
/// Viscous terms by the second method of F. Bassi and S. Rebay (BR2; docs/theory.md, BR2). The jump at a side e is
/// lifted into the element: r_e with
///   ∫ φ r_e dx = ∫_e φ ½ (u⁺ − u⁻) n ds, on the boundary with u_b − u⁻ in place of half the jump.
/// The gradient is z = ∇u_h + Σ_e r_e inside the element and ∇u_h + η r_e on side e. r_e is taken in the basis
/// φ_j/√|J|, which is orthonormal in x, so that no mass matrix is needed:
///   r_e(x) = |J|^{-½}(x) Σ_q L(x, q) |J|_q^{-½} (n ds)_q ½ (u⁺ − u⁻)_q,   L(x, q) = w_q Σ_j φ_j(x) φ_j(q).
/// Case adds
///   Operators::lift_to_volume(q, side, k), lift_to_side(side, q, k)   L from point k of a side
///   Operators::side_derivative(side, d, q, j)                         ∂φ_j/∂ξ_d
///   Operators::volume_inverse_weight(q)                               1/w_q
///   penalty                                                           η
#pragma once

#include "kernels/boundary/condition.hpp"
#include "kernels/general/geometry.hpp"
#include "kernels/general/points.hpp"
#include "kernels/general/sides.hpp"

namespace galerna::kernels {

/// [direction][variable]
template <class Case>
using StateGradients = Array<State<Case>, Case::Equations::dimension>;

/// |J|^{-½} n ds ½ (u⁺ − u⁻) at a point of a side.
template <class Case>
using LiftedJump = StateGradients<Case>;

/// |J|^{-½} at a point where 1/|J| is given; 1 where affine, since normals are over |J| there.
template <class Case>
typename Case::Value root_of(const typename Case::Value& inverse) {
  if constexpr (Case::affine)
    return typename Case::Value(1);
  else
    return positive_sqrt(inverse);
}

template <class Case>
LiftedJump<Case> lifted_jump(const GeneralArguments& a, const SideSlots<Case>& slots, const Geometry<Case>& geometry,
                             int side, int q) {
  using V = typename Case::Value;
  const State<Case> inside = slots.inside(a.traces, q), opposite = slots.opposite(a.traces, q);
  const Vector<Case> normal = geometry.normal(side, q);
  V scale = number<V>(0.5);
  if constexpr (!Case::affine) scale *= root_of<Case>(geometry.determinant(geometry.side_gradients(side, q)));
  LiftedJump<Case> jump;
  for (int d = 0; d < Case::Equations::dimension; ++d)
    for (int v = 0; v < Case::Equations::variables; ++v) jump[d][v] = scale * normal[d] * (opposite[v] - inside[v]);
  return jump;
}

/// The jumps at all points of all sides.
template <class Case, int count>
void load_jumps(Array<LiftedJump<Case>, count>& jumps, const GeneralArguments& a, const Item& item,
                const Geometry<Case>& geometry) {
  constexpr int points = Case::Operators::side_points;
#pragma unroll 1
  for (int side = 0; side < Case::Operators::sides; ++side) {
    const SideSlots<Case> slots(a.set, item, side);
#pragma unroll 1
    for (int q = 0; q < points; ++q) jumps[side * points + q] = lifted_jump<Case>(a, slots, geometry, side, q);
  }
}

/// += factor Σ_k lift(i, k) jumps_k for `count` points i, the jumps of `terms` points.
template <class Case, int count, int terms, class Lift>
void add_lift(Array<PointStates<Case, count>, Case::Equations::dimension>& sums, const LiftedJump<Case>* jumps,
              const Lift& lift) {
  using V = typename Case::Value;
  for (int d = 0; d < Case::Equations::dimension; ++d)
#pragma unroll 1
    for (int q = 0; q < terms; ++q)
      unrolled<count>([&](int k) {
        const V factor = V(lift(k, q));
        for (int v = 0; v < Case::Equations::variables; ++v) sums[d][k][v] += factor * jumps[q][d][v];
      });
}

/// Σ_d ∇ξ_d ∂u/∂ξ_d
template <class Case>
StateGradients<Case> physical_gradient(const Array<Vector<Case>, Case::Equations::dimension>& gradients,
                                       const StateGradients<Case>& reference) {
  StateGradients<Case> result;
  for (int k = 0; k < Case::Equations::dimension; ++k)
    for (int v = 0; v < Case::Equations::variables; ++v) {
      result[k][v] = gradients[0][k] * reference[0][v];
      for (int d = 1; d < Case::Equations::dimension; ++d) result[k][v] += gradients[d][k] * reference[d][v];
    }
  return result;
}

/// z at volume points first … first + count − 1.
template <class Case, int count, int jump_count>
Array<StateGradients<Case>, count> volume_gradients(const GeneralArguments& a, const Item& item,
                                                    const Geometry<Case>& geometry,
                                                    const Array<LiftedJump<Case>, jump_count>& jumps, int first) {
  using V = typename Case::Value;
  using Operators = typename Case::Operators;
  constexpr int dimension = Case::Equations::dimension, points = Operators::side_points;
  Array<PointStates<Case, count>, dimension> reference, lifted;
  unrolled<dimension>([&](int d) {
    reference[d] = states_at<Case, count>(
        a.state, item, [&](int k, int j) { return Operators::weighted_derivative(d, first + k, j); });
    lifted[d] = zero_states<Case, count>();
  });
  add_lift<Case, count, jump_count>(
      lifted, jumps.values, [&](int k, int q) { return Operators::lift_to_volume(first + k, q / points, q % points); });
  Array<StateGradients<Case>, count> z;
  unrolled<count>([&](int k) {
    const V inverse = geometry.inverse(first + k), root = root_of<Case>(inverse);
    V scale = V(Operators::volume_inverse_weight(first + k));
    if constexpr (!Case::affine) scale *= inverse;
    StateGradients<Case> at;
    for (int d = 0; d < dimension; ++d)
      for (int v = 0; v < Case::Equations::variables; ++v) at[d][v] = scale * reference[d][k][v];
    z[k] = physical_gradient<Case>(geometry.contravariant(first + k), at);
    for (int d = 0; d < dimension; ++d)
      for (int v = 0; v < Case::Equations::variables; ++v) z[k][d][v] += root * lifted[d][k][v];
  });
  return z;
}

/// ∇u + η r at points first … first + count − 1 of a side.
template <class Case, int count>
Array<StateGradients<Case>, count> side_gradients(const GeneralArguments& a, const Item& item,
                                                  const Geometry<Case>& geometry, const LiftedJump<Case>* jumps,
                                                  int side, int first) {
  using V = typename Case::Value;
  using Operators = typename Case::Operators;
  constexpr int dimension = Case::Equations::dimension;
  Array<PointStates<Case, count>, dimension> reference, lifted;
  unrolled<dimension>([&](int d) {
    reference[d] = states_at<Case, count>(
        a.state, item, [&](int k, int j) { return Operators::side_derivative(side, d, first + k, j); });
    lifted[d] = zero_states<Case, count>();
  });
  add_lift<Case, count, Operators::side_points>(
      lifted, jumps, [&](int k, int q) { return Operators::lift_to_side(side, first + k, q); });
  Array<StateGradients<Case>, count> result;
  unrolled<count>([&](int k) {
    const auto gradients = geometry.side_gradients(side, first + k);
    const V scale = number<V>(Case::penalty) * root_of<Case>(geometry.determinant(gradients));
    StateGradients<Case> at;
    for (int d = 0; d < dimension; ++d) at[d] = reference[d][k];
    result[k] = physical_gradient<Case>(gradients, at);
    for (int d = 0; d < dimension; ++d)
      for (int v = 0; v < Case::Equations::variables; ++v) result[k][d][v] += scale * lifted[d][k][v];
  });
  return result;
}

/// Leaves the gradient beside boundary faces for those who know the conditions (general/ghosts.hpp).
template <class Case>
void store_face_gradient(void* array, const SideSlots<Case>& slots, int q, const StateGradients<Case>& gradients) {
  constexpr int variables = Case::Equations::variables, dimension = Case::Equations::dimension;
  constexpr int numbers = Case::Operators::side_points * dimension * variables;
  auto* values = static_cast<typename Case::Real*>(array);
  for (int i = 0; i < Integers<Case>::size(); ++i) {
    if (slots.face(i) < 0) continue;
    for (int d = 0; d < dimension; ++d)
      for (int v = 0; v < variables; ++v)
        values[offset<Case>(slots.face(i), numbers, (slots.point(i, q) * dimension + d) * variables + v)] =
            lane_of(gradients[d][v], i);
  }
}

/// F_v(u⁻, ∇u + η r_e)·n at the points of all sides e, stored for the elements beside them.
template <class Case>
[[gnu::flatten]] void general_viscous(const GeneralArguments& a, const Item& item) {
  using V = typename Case::Value;
  using Equations = typename Case::Equations;
  using Operators = typename Case::Operators;
  if (!a.control->active) return;
  const Geometry<Case> geometry(a.set, item);
#pragma unroll(Case::unroll_sides)
  for (int side = 0; side < Operators::sides; ++side) {
    const SideSlots<Case> slots(a.set, item, side);
    Array<LiftedJump<Case>, Operators::side_points> jumps;
    for (int q = 0; q < Operators::side_points; ++q) jumps[q] = lifted_jump<Case>(a, slots, geometry, side, q);
    for_each_points<Case, Operators::side_points>([&](auto points) {
      constexpr int count = decltype(points)::count;
      const auto gradients = side_gradients<Case, count>(a, item, geometry, jumps.values, side, points.first);
      unrolled<count>([&](int k) {
        const int q = points.first + k;
        Vector<Case> normal = geometry.normal(side, q);
        const V inverse = reciprocal(positive_sqrt(dot(normal, normal)));
        for (int d = 0; d < Equations::dimension; ++d) normal[d] *= inverse;
        const State<Case> u = slots.inside(a.traces, q);
        slots.store(a.viscous_traces, q, Equations::viscous_flux(u, gradients[k], normal));
        store_face_gradient<Case>(a.face_gradients, slots, q, gradients[k]);
      });
    });
  }
}

}  // namespace galerna::kernels
