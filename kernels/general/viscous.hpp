/// \file
/// Viscous terms by the second method of F. Bassi and S. Rebay (BR2; docs/theory.md, BR2). The jump at a side e is
/// lifted into the element: r_e with
///   ∫ φ r_e dx = ∫_e φ ½ (u⁺ − u⁻) n ds, on the boundary with u_b − u⁻ in place of half the jump.
/// The gradient is z = ∇u_h + Σ_e r_e inside the element and ∇u_h + η r_e on side e. r_e is taken in the basis
/// φ_j/√|J|, which is orthonormal in x, so that no mass matrix is needed:
///   r_e(x) = |J|^{-½}(x) Σ_q L(x, q) |J|_q^{-½} (n ds)_q ½ (u⁺ − u⁻)_q,   L(x, q) = w_q Σ_j φ_j(x) φ_j(q).
/// Case::penalty is η.
#pragma once

#include "kernels/boundary/condition.hpp"
#include "kernels/general/basis.hpp"
#include "kernels/general/sides.hpp"

namespace galerna::kernels {

/// [direction]
template <class Case>
using PartGradients = Array<Part<Case>, Case::Equations::dimension>;

/// [direction][variable]
template <class Case>
using StateGradients = Array<State<Case>, Case::Equations::dimension>;

/// |J|^{-½} at a point where 1/|J| is given; 1 where affine, since normals are over |J| there.
template <class Case>
typename Case::Value root_of(const typename Case::Value& inverse) {
  if constexpr (Case::affine)
    return typename Case::Value(1);
  else
    return positive_sqrt(inverse);
}

/// The jumps at the points of all sides, counted through: ½ (u⁺ − u⁻), to which the normal of the side belongs where
/// affine; else |J|^{-½} n ds ½ (u⁺ − u⁻).
template <class Case>
struct Jumps {
  static constexpr int points = Case::Operators::sides * Case::Operators::side_points;
  static constexpr int components = Case::affine ? 1 : Case::Equations::dimension;
  Array<Array<Part<Case>, components>, points> values;
};

template <class Case>
Array<Part<Case>, Jumps<Case>::components> lifted_jump(const Part<Case>& inside, const GeneralArguments& a,
                                                       const Slice<Case>& slice, const Geometry<Case>& geometry,
                                                       int side, int q) {
  using V = typename Case::Value;
  const SideSlots<Case> slots(a.set, slice.item, side);
  const Part<Case> opposite = gather_part<Case>(a.traces, slice, slots.opposite(q));
  Array<Part<Case>, Jumps<Case>::components> jump;
  if constexpr (Case::affine) {
    for (int v = 0; v < inside.size(); ++v) jump[0][v] = number<V>(0.5) * (opposite[v] - inside[v]);
  } else {
    const Vector<Case> normal = geometry.normal(side, q);
    const V scale = number<V>(0.5) * root_of<Case>(geometry.determinant(geometry.side_gradients(side, q)));
    for (int d = 0; d < jump.size(); ++d)
      for (int v = 0; v < inside.size(); ++v) jump[d][v] = scale * normal[d] * (opposite[v] - inside[v]);
  }
  return jump;
}

/// u⁻ at the points of all sides, counted through.
template <class Case>
Array<Part<Case>, Jumps<Case>::points> all_side_values(const Basis<Case>& basis) {
  Array<Part<Case>, Jumps<Case>::points> values;
  for_each_batch<Case, Jumps<Case>::points>([&](auto batch) {
    const auto part = basis.side_values(batch);
    for_each_number<part.size()>([&](int k) { values[decltype(batch)::first + k] = part[k]; });
  });
  return values;
}

template <class Case>
Jumps<Case> load_jumps(const Array<Part<Case>, Jumps<Case>::points>& inside, const GeneralArguments& a,
                       const Slice<Case>& slice, const Geometry<Case>& geometry) {
  constexpr int points = Case::Operators::side_points;
  Jumps<Case> jumps;
  for_each_number<Jumps<Case>::points>(
      [&](int k) { jumps.values[k] = lifted_jump<Case>(inside[k], a, slice, geometry, k / points, k % points); });
  return jumps;
}

template <class Case>
Jumps<Case> load_jumps(const Basis<Case>& basis, const GeneralArguments& a, const Slice<Case>& slice,
                       const Geometry<Case>& geometry) {
  return load_jumps<Case>(all_side_values<Case>(basis), a, slice, geometry);
}

/// += factor Σ_k lift(k) jump_k over the points of a side; `lift` calls with the jump at each of them.
template <class Case, class Lift>
void add_lifting(PartGradients<Case>& z, const typename Case::Value& factor, const Jumps<Case>& jumps,
                 const Geometry<Case>& geometry, int side, const Lift& lift) {
  constexpr int points = Case::Operators::side_points;
  const auto lifted = [&](int component) {
    return lift([&](int k) -> const Part<Case>& { return jumps.values[side * points + k][component]; });
  };
  if constexpr (Case::affine) {
    const Part<Case> sum = lifted(0);
    const Vector<Case> normal = geometry.normal(side, 0);
    for (int d = 0; d < z.size(); ++d) add_product<Case>(z[d], factor * normal[d], sum);
  } else {
    for (int d = 0; d < z.size(); ++d) add_product<Case>(z[d], factor, lifted(d));
  }
}

/// Σ_d ∇ξ_d ∂u/∂ξ_d
template <class Case>
PartGradients<Case> physical_gradient(const typename Geometry<Case>::Gradients& gradients,
                                      const PartGradients<Case>& reference) {
  PartGradients<Case> result;
  for (int k = 0; k < result.size(); ++k) {
    result[k] = zero_part<Case>();
    for (int d = 0; d < reference.size(); ++d) add_product<Case>(result[k], gradients[d][k], reference[d]);
  }
  return result;
}

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

/// z at a batch of volume points.
template <class Case, class Points>
Array<StateGradients<Case>, states_of<Case, Points>()> volume_gradients(Points batch, const Basis<Case>& basis,
                                                                        const Slice<Case>& slice,
                                                                        const Geometry<Case>& geometry,
                                                                        const Jumps<Case>& jumps) {
  using V = typename Case::Value;
  constexpr int dimension = Case::Equations::dimension;
  Array<Array<Part<Case>, Points::count>, dimension> reference;
  for (int d = 0; d < dimension; ++d) reference[d] = basis.derivatives(batch, d);
  Array<PartGradients<Case>, Points::count> z;
  for_each_number<Points::count>([&](int k) {
    const int q = Points::first + k;
    auto gradients = geometry.contravariant(q);
    V root = V(1);
    if constexpr (!Case::affine) {
      const V inverse = geometry.inverse(q);
      root = root_of<Case>(inverse);
      for (int d = 0; d < dimension; ++d)
        for (int i = 0; i < dimension; ++i) gradients[d][i] *= inverse;
    }
    PartGradients<Case> at;
    for (int d = 0; d < dimension; ++d) at[d] = reference[d][k];
    z[k] = physical_gradient<Case>(gradients, at);
    for_each_number<Case::Operators::sides>([&](int side) {
      add_lifting<Case>(z[k], root, jumps, geometry, side,
                        [&](const auto& jump) { return Basis<Case>::lift(q, side, jump); });
    });
  });
  return join_gradients<Case, Points>(slice, z);
}

/// ∇u + η r at a batch of points of sides.
template <class Case, class Points>
Array<StateGradients<Case>, states_of<Case, Points>()> side_gradients(
    Points batch, const Basis<Case>& basis, const Array<Part<Case>, Jumps<Case>::points>& inside,
    const Slice<Case>& slice, const Geometry<Case>& geometry, const Jumps<Case>& jumps) {
  using V = typename Case::Value;
  constexpr int dimension = Case::Equations::dimension, points = Case::Operators::side_points;
  Array<Array<Part<Case>, Points::count>, dimension> reference;
  for_each_number<dimension>([&](int d) { reference[d] = basis.side_derivatives(batch, d, inside); });
  Array<PartGradients<Case>, Points::count> z;
  for_each_number<Points::count>([&](int k) {
    const int side = (Points::first + k) / points, q = (Points::first + k) % points;
    const auto gradients = geometry.side_gradients(side, q);
    const V factor = number<V>(Case::penalty) * root_of<Case>(geometry.determinant(gradients));
    PartGradients<Case> at;
    for (int d = 0; d < dimension; ++d) at[d] = reference[d][k];
    z[k] = physical_gradient<Case>(gradients, at);
    add_lifting<Case>(z[k], factor, jumps, geometry, side,
                      [&](const auto& jump) { return Basis<Case>::side_lift(side, q, jump); });
  });
  return join_gradients<Case, Points>(slice, z);
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
  constexpr int points = Case::Operators::side_points;
  if (!a.control->active) return;
  const Slice<Case> slice(item);
  const Geometry<Case> geometry(a.set, item);
  const Basis<Case> basis(a.state, slice);
  const auto inside = all_side_values<Case>(basis);
  const Jumps<Case> jumps = load_jumps<Case>(inside, a, slice, geometry);
  for_each_batch<Case, Jumps<Case>::points>([&](auto batch) {
    using Points = decltype(batch);
    Array<Part<Case>, Points::count> parts;
    for (int k = 0; k < Points::count; ++k) parts[k] = inside[Points::first + k];
    const auto u = join_parts<Case, Points>(slice, parts);
    const auto z = side_gradients<Case>(batch, basis, inside, slice, geometry, jumps);
    for (int s = 0; s < u.size(); ++s) {
      const int at = point_of<Case, Points>(slice, s), side = at / points, q = at % points;
      const SideSlots<Case> slots(a.set, item, side);
      Vector<Case> normal = geometry.normal(side, q);
      const V inverse = reciprocal(positive_sqrt(dot(normal, normal)));
      for (int d = 0; d < Vector<Case>::size(); ++d) normal[d] *= inverse;
      scatter_trace<Case>(a.viscous_traces, slots.own(q), Equations::viscous_flux(u[s], z[s], normal));
      store_face_gradient<Case>(a.face_gradients, slots, q, z[s]);
    }
  });
}

}  // namespace galerna::kernels
