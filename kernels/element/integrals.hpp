/// \file
/// Integrals of the variables over all elements of a set, of any shape, as integrals.hpp.
#pragma once

#include "kernels/element/geometry.hpp"
#include "kernels/integrals.hpp"

namespace galerna::kernels {

/// ∫ u over the item's element.
template <class Config>
State<Config> integrals_over(const void* state, const Geometry<Config>& geometry, const Item& item) {
  using V = typename Config::Value;
  using Operators = typename Config::Operators;
  constexpr int variables = Config::Equations::variables, modes = Operators::modes;
  State<Config> sum;
  for (int v = 0; v < variables; ++v) sum[v] = V(0);
  // Where maps are of degree 1 along lines, the volume rule is exact for |J| φ_j.
  constexpr bool by_rule = Config::bilinear || IsTrilinear<Config>;
  Array<V, by_rule ? Operators::volume_points : 1> volumes;
  if constexpr (by_rule)
    for (int q = 0; q < Operators::volume_points; ++q)
      volumes[q] = V(Operators::volume_weight(q)) / geometry.inverse(q);
#pragma unroll 1
  for (int j = 0; j < (Config::affine ? 1 : modes); ++j) {
    V weight = V(0);
    if constexpr (Config::affine) {
      weight = V(1) / (V(Operators::volume_basis(0, 0)) * geometry.inverse(0));
    } else if constexpr (by_rule) {
      for (int q = 0; q < Operators::volume_points; ++q) weight += V(Operators::volume_basis(q, j)) * volumes[q];
    } else {
      weight = geometry.mean(j);
    }
    const State<Config> mode = load_mode<Config>(state, item, j);
    for (int v = 0; v < variables; ++v) sum[v] += weight * mode[v];
  }
  return sum;
}

template <class Config>
void element_integrals(const ElementIntegralArguments& a, const Item& item) {
  using V = typename Config::Value;
  State<Config> sum = integrals_over<Config>(a.state, Geometry<Config>(a.set, item), item);
  const auto counted = is_element<Config>(item, a.set.elements);
  for (int v = 0; v < State<Config>::size(); ++v) sum[v] = select(counted, sum[v], V(0));
  store_integrals<Config>(a, item, sum);
}

}  // namespace galerna::kernels
