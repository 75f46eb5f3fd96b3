/// \file
/// Viscous terms by the second method of F. Bassi and S. Rebay (BR2; docs/theory.md, BR2). The jump at a side e is
/// lifted into the element: r_e with
///   ∫ φ r_e dx = ∫_e φ ½ (u⁺ − u⁻) n ds, on the boundary with u_b − u⁻ in place of half the jump.
/// The gradient is z = ∇u_h + Σ_e r_e inside the element and ∇u_h + η r_e on side e. r_e is taken in the basis
/// φ_j/√|J|, which is orthonormal in x, so that no mass matrix is needed:
///   r_e(x) = |J|^{-½}(x) Σ_q L(x, q) |J|_q^{-½} (n ds)_q ½ (u⁺ − u⁻)_q,   L(x, q) = w_q Σ_j φ_j(x) φ_j(q).
/// Case::penalty is η.
#pragma once

#include "kernels/general/lifting.hpp"
#include "kernels/general/prefetch.hpp"

namespace galerna::kernels {

/// Whole gradients from their parts at a batch of points.
template <class Case, class Points>
Array<StateGradients<Case>, states_of<Case, Points>()> join_gradients(
    const Slice<Case>& slice, const Array<PartGradients<Case>, Points::count>& parts) {
  Array<StateGradients<Case>, states_of<Case, Points>()> result;
  for (int d = 0; d < PartGradients<Case>::size(); ++d) {
    Array<Part<Case>, Points::count> along;
    for (int k = 0; k < Points::count; ++k) along[k] = parts[k][d];
    const auto whole = join_parts<Case, Points>(slice, along);
    for (int s = 0; s < whole.size(); ++s) result[s][d] = whole[s];
  }
  return result;
}

/// ∇u + η r at a batch of points of sides.
template <class Case, class Points>
Array<StateGradients<Case>, states_of<Case, Points>()> side_gradients(Points batch, const Basis<Case>& basis,
                                                                      const InsideParts<Case>& inside,
                                                                      const Slice<Case>& slice,
                                                                      const Geometry<Case>& geometry,
                                                                      const Jumps<Case>& jumps) {
  using V = typename Case::Value;
  using Operators = typename Case::Operators;
  constexpr int dimension = Case::Equations::dimension;
  Array<Array<Part<Case>, Points::count>, dimension> reference;
  for_each_number<dimension>([&](int d) { reference[d] = basis.side_derivatives(batch, d, inside); });
  Array<PartGradients<Case>, Points::count> z;
  for_each_number<Points::count>([&](int k) {
    const int side = side_at<Operators>(Points::first + k), q = point_on_side<Operators>(Points::first + k);
    const auto gradients = geometry.side_gradients(side, q);
    const V factor = number<V>(Case::penalty) * root_of<Case>(geometry.determinant(gradients));
    PartGradients<Case> at;
    for (int d = 0; d < dimension; ++d) at[d] = reference[d][k];
    Array<PartGradients<Case>, 1> sum = {{physical_gradient<Case>(gradients, at)}};
    add_lifting<Case>(sum, {{factor}}, jumps, geometry, side,
                      [&](const auto& jump) { return Array<Part<Case>, 1>{{Basis<Case>::side_lift(side, q, jump)}}; });
    z[k] = sum[0];
  });
  return join_gradients<Case, Points>(slice, z);
}

/// Leaves the gradient beside boundary faces for those who know the conditions (boundary/ghosts.hpp).
template <class Case>
void store_face_gradient(const SideSlots<Case>& slots, int side, int q, const StateGradients<Case>& gradients) {
  constexpr int variables = Case::Equations::variables, dimension = Case::Equations::dimension;
  const int numbers = points_of_side<typename Case::Operators>(side) * dimension * variables;
  auto* values = static_cast<typename Case::Real*>(slots.arrays().face_gradients);
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
  const Slice<Case> slice(item);
  const Geometry<Case> geometry(a.set, item);
  prefetch_viscous<Case>(a, item);
  const Basis<Case> basis(load_slice<Case>(a.state, slice));
  Jumps<Case> jumps;
  InsideParts<Case> inside;
  for_each_batch<Case, Jumps<Case>::points>([&](auto batch) {
    const auto parts = basis.side_values(batch);
    for_each_number<parts.size()>([&](int k) { inside.set(decltype(batch)::first + k, 0, parts[k]); });
    set_jumps<Case>(jumps, batch, half_jumps<Case>(a, slice, batch, parts), geometry);
  });
  for_each_batch<Case, Jumps<Case>::points>([&](auto batch) {
    using Points = decltype(batch);
    Array<Part<Case>, Points::count> parts;
    for_each_number<Points::count>([&](int k) { parts[k] = inside.at(Points::first + k); });
    const auto u = join_parts<Case, Points>(slice, parts);
    const auto z = side_gradients<Case>(batch, basis, inside, slice, geometry, jumps);
    for (int s = 0; s < u.size(); ++s) {
      const int at = point_of<Case, Points>(slice, s), side = side_at<Operators>(at), q = point_on_side<Operators>(at);
      const SideSlots<Case> slots(a, item, side);
      Vector<Case> normal = geometry.normal(side, q);
      const V inverse = reciprocal(positive_sqrt(dot(normal, normal)));
      for (int d = 0; d < Vector<Case>::size(); ++d) normal[d] *= inverse;
      scatter_trace<Case>(slots.arrays().viscous_traces, slots.own(q), Equations::viscous_flux(u[s], z[s], normal));
      store_face_gradient<Case>(slots, side, q, z[s]);
    }
  });
}

}  // namespace galerna::kernels
