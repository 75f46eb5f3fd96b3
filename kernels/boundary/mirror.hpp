/// \file
/// Planes of symmetry: states and gradients mirrored about a plane of unit normal n, and their symmetric parts.
#pragma once

#include "kernels/boundary/viscous.hpp"

namespace galerna::kernels {

template <class Equations, class V>
V normal_momentum(const Array<V, Equations::variables>& state, const Array<V, Equations::dimension>& n) {
  V result = V(0);
  for (int d = 0; d < Equations::dimension; ++d) result += state[1 + d] * n[d];
  return result;
}

/// The state with its momentum less `amount` along n.
template <class Equations, class V>
Array<V, Equations::variables> less_momentum(const Array<V, Equations::variables>& state, const V& amount,
                                             const Array<V, Equations::dimension>& n) {
  Array<V, Equations::variables> result = state;
  for (int d = 0; d < Equations::dimension; ++d) result[1 + d] = state[1 + d] - amount * n[d];
  return result;
}

/// The state with its velocity mirrored about the plane, v − 2 (v·n) n, at the same density and pressure.
template <class Equations, class V>
Array<V, Equations::variables> mirrored(const Array<V, Equations::variables>& inside,
                                        const Array<V, Equations::dimension>& n) {
  return less_momentum<Equations>(inside, V(V(2) * normal_momentum<Equations>(inside, n)), n);
}

/// The state without its normal velocity, at the same density and temperature.
template <class Equations, class V>
Array<V, Equations::variables> without_normal_velocity(const Array<V, Equations::variables>& inside,
                                                       const Array<V, Equations::dimension>& n) {
  const V momentum = normal_momentum<Equations>(inside, n);
  Array<V, Equations::variables> state = less_momentum<Equations>(inside, momentum, n);
  state[Equations::variables - 1] =
      inside[Equations::variables - 1] - number<V>(0.5) * momentum * momentum * reciprocal(inside[0]);
  return state;
}

/// The symmetric part of gradients about the plane: of density and energy the part along the plane; of the momentum
/// M_ij = ∂m_i/∂x_j the parts P M P + (n·M n) n nᵀ with P = I − n nᵀ. At a state without normal velocity the normal
/// derivatives of density, temperature and tangential velocity then vanish, and so do shear stress and heat flux.
template <class Equations, class V>
BoundaryGradients<Equations, V> symmetric_gradients(const BoundaryGradients<Equations, V>& gradients,
                                                    const Array<V, Equations::dimension>& n) {
  constexpr int dimension = Equations::dimension, energy = Equations::variables - 1;
  BoundaryGradients<Equations, V> result;
  Array<V, Equations::variables> across;  // derivatives along n
  for (int v = 0; v < Equations::variables; ++v) {
    across[v] = V(0);
    for (int j = 0; j < dimension; ++j) across[v] += gradients[j][v] * n[j];
  }
  V stretching = V(0);  // n·M n
  for (int i = 0; i < dimension; ++i) stretching += across[1 + i] * n[i];
  for (int j = 0; j < dimension; ++j) {
    result[j][0] = gradients[j][0] - across[0] * n[j];
    result[j][energy] = gradients[j][energy] - across[energy] * n[j];
    V normal_row = V(0);  // (nᵀ M)_j
    for (int i = 0; i < dimension; ++i) normal_row += n[i] * gradients[j][1 + i];
    for (int i = 0; i < dimension; ++i)
      result[j][1 + i] =
          gradients[j][1 + i] - across[1 + i] * n[j] - n[i] * normal_row + V(2) * stretching * n[i] * n[j];
  }
  return result;
}

}  // namespace galerna::kernels
