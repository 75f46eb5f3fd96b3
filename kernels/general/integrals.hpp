/// \file
/// Integrals of the variables over all elements of a set, of any shape, as integrals.hpp.
#pragma once

#include "kernels/general/geometry.hpp"
#include "kernels/integrals.hpp"

namespace galerna::kernels {

/// ∫ u over the item's element.
template <class Case>
State<Case> element_integrals(const void* state, const Geometry<Case>& geometry, const Item& item) {
  using V = typename Case::Value;
  using Operators = typename Case::Operators;
  constexpr int variables = Case::Equations::variables, modes = Operators::modes;
  State<Case> sum;
  for (int v = 0; v < variables; ++v) sum[v] = V(0);
  // Where maps are of degree 1 along lines, the volume rule is exact for |J| φ_j.
  constexpr bool by_rule = Case::bilinear || IsTrilinear<Case>;
  Array<V, by_rule ? Operators::volume_points : 1> volumes;
  if constexpr (by_rule)
    for (int q = 0; q < Operators::volume_points; ++q)
      volumes[q] = V(Operators::volume_weight(q)) / geometry.inverse(q);
#pragma unroll 1
  for (int j = 0; j < (Case::affine ? 1 : modes); ++j) {
    V weight = V(0);
    if constexpr (Case::affine) {
      weight = V(1) / (V(Operators::volume_basis(0, 0)) * geometry.inverse(0));
    } else if constexpr (by_rule) {
      for (int q = 0; q < Operators::volume_points; ++q) weight += V(Operators::volume_basis(q, j)) * volumes[q];
    } else {
      weight = geometry.mean(j);
    }
    const State<Case> mode = load_mode<Case>(state, item, j);
    for (int v = 0; v < variables; ++v) sum[v] += weight * mode[v];
  }
  return sum;
}

template <class Case>
void general_integrals(const GeneralIntegralArguments& a, const Item& item) {
  using V = typename Case::Value;
  State<Case> sum = element_integrals<Case>(a.state, Geometry<Case>(a.set, item), item);
  const auto counted = is_element<Case>(item, a.set.elements);
  for (int v = 0; v < State<Case>::size(); ++v) sum[v] = select(counted, sum[v], V(0));
  store_integrals<Case>(a, item, sum);
}

}  // namespace galerna::kernels
