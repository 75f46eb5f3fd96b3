/// \file
/// Viscous terms by the second method of F. Bassi and S. Rebay (BR2; docs/theory.md, BR2). The jump at a side e is
/// lifted into the element: r_e with
///   ∫ φ r_e dx = ∫_e φ ½ (u⁺ − u⁻) n ds, on the boundary with u_b − u⁻ in place of half the jump.
/// The gradient is z = ∇u_h + Σ_e r_e inside the element and ∇u_h + η r_e on side e. r_e is taken in the basis
/// φ_j/√|J|, which is orthonormal in x, so that no mass matrix is needed:
///   r_e(x) = |J|^{-½}(x) Σ_q L(x, q) |J|_q^{-½} (n ds)_q ½ (u⁺ − u⁻)_q,   L(x, q) = w_q Σ_j φ_j(x) φ_j(q).
/// Config::penalty is η.
#pragma once

#include "kernels/diffusion.hpp"
#include "kernels/element/lifting.hpp"
#include "kernels/element/prefetch.hpp"

namespace galerna::kernels {

/// Whole gradients from their parts at a batch of points.
template <class Config, class Points>
Array<StateGradients<Config>, states_of<Config, Points>()> join_gradients(
    const GroupThread<Config>& thread, const Array<PartGradients<Config>, Points::count>& parts) {
  Array<StateGradients<Config>, states_of<Config, Points>()> result;
  for (int d = 0; d < PartGradients<Config>::size(); ++d) {
    Array<Part<Config>, Points::count> along;
    for (int k = 0; k < Points::count; ++k) along[k] = parts[k][d];
    const auto whole = join_parts<Config, Points>(thread, along);
    for (int s = 0; s < whole.size(); ++s) result[s][d] = whole[s];
  }
  return result;
}

/// ∇u + η r at a batch of points of sides.
template <class Config, class Points>
Array<StateGradients<Config>, states_of<Config, Points>()> side_gradients(Points batch, const Basis<Config>& basis,
                                                                          const InsideParts<Config>& inside,
                                                                          const GroupThread<Config>& thread,
                                                                          const Geometry<Config>& geometry,
                                                                          const Jumps<Config>& jumps) {
  using V = typename Config::Value;
  using Operators = typename Config::Operators;
  constexpr int dimension = Config::Equations::dimension;
  Array<Array<Part<Config>, Points::count>, dimension> reference;
  for_each_number<dimension>([&](int d) { reference[d] = basis.side_derivatives(batch, d, inside); });
  Array<PartGradients<Config>, Points::count> z;
  for_each_number<Points::count>([&](int k) {
    const int side = side_at<Operators>(batch.first + k), q = point_on_side<Operators>(batch.first + k);
    const auto gradients = geometry.side_gradients(side, q);
    const V factor = number<V>(Config::penalty) * root_of<Config>(geometry.determinant(gradients));
    PartGradients<Config> at;
    for (int d = 0; d < dimension; ++d) at[d] = reference[d][k];
    Array<PartGradients<Config>, 1> sum = {{physical_gradient<Config>(gradients, at)}};
    add_lifting<Config>(sum, {{factor}}, jumps, geometry, side, [&](const auto& jump) {
      return Array<Part<Config>, 1>{{Basis<Config>::side_lift(side, q, jump)}};
    });
    z[k] = sum[0];
  });
  return join_gradients<Config, Points>(thread, z);
}

/// Leaves the gradient beside boundary faces for those who know the conditions (boundary/ghosts.hpp).
template <class Config>
void store_face_gradient(const SideSlots<Config>& slots, int side, int q, const StateGradients<Config>& gradients) {
  constexpr int variables = Config::Equations::variables, dimension = Config::Equations::dimension;
  const int numbers = points_of_side<typename Config::Operators>(side) * dimension * variables;
  auto* values = static_cast<typename Config::Real*>(slots.arrays().face_gradients);
  for (int i = 0; i < Integers<Config>::size(); ++i) {
    if (slots.face(i) < 0) continue;
    for (int d = 0; d < dimension; ++d)
      for (int v = 0; v < variables; ++v)
        values[offset<Config>(slots.face(i), numbers, (slots.point(i, q) * dimension + d) * variables + v)] =
            lane_of(gradients[d][v], i);
  }
}

/// F_v(u⁻, ∇u + η r_e)·n, with artificial viscosity, at the points of all sides e, stored for the elements beside them.
template <class Config>
[[gnu::flatten]] void element_viscous(const ElementArguments& a, const Item& item) {
  using V = typename Config::Value;
  using Equations = typename Config::Equations;
  using Operators = typename Config::Operators;
  if (!a.control->active) return;
  const GroupThread<Config> thread(item);
  const Geometry<Config> geometry(a.set, item);
  const Basis<Config> basis(load_parts<Config>(a.state, thread));
  Jumps<Config> jumps;
  InsideParts<Config> inside;
  for_each_batch<Config, Jumps<Config>::points>([&](auto batch) {
    const auto parts = basis.side_values(batch);
    for_each_number<parts.size()>([&](int k) { inside.set(batch.first + k, 0, parts[k]); });
    set_jumps<Config>(jumps, batch, half_jumps<Config>(a, thread, batch, parts), geometry);
  });
  for_each_batch<Config, Jumps<Config>::points>([&](auto batch) {
    using Points = decltype(batch);
    prefetch_viscous<Config>(a, item, share_of(batch, Jumps<Config>::points));
    Array<Part<Config>, Points::count> parts;
    for_each_number<Points::count>([&](int k) { parts[k] = inside.at(batch.first + k); });
    const auto u = join_parts<Config, Points>(thread, parts);
    const auto z = side_gradients<Config>(batch, basis, inside, thread, geometry, jumps);
    for (int s = 0; s < u.size(); ++s) {
      const int at = point_of<Config>(batch, thread, s), side = side_at<Operators>(at),
                q = point_on_side<Operators>(at);
      const SideSlots<Config> slots(a, item, side);
      Vector<Config> normal = geometry.normal(side, q);
      const V inverse = reciprocal(positive_sqrt(dot(normal, normal)));
      for (int d = 0; d < Vector<Config>::size(); ++d) normal[d] *= inverse;
      const V epsilon = shock_viscosity_at<Config>(a.set.corner_viscosity, item, Operators::volume_points + at);
      scatter_trace<Config>(slots.arrays().viscous_traces, slots.own(q),
                            diffusive_flux<Config>(u[s], Equations::primitive(u[s]), z[s], normal, epsilon));
      store_face_gradient<Config>(slots, side, q, z[s]);
    }
  });
}

}  // namespace galerna::kernels
