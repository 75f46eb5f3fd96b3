/// \file
/// λ of the certified penalty together with what the diagonal block has of the volume, of which the stiffness matrix is
/// a part; and what is added to the block when penalties are known. For the CPU: the volume's points are gone through
/// once. On GPUs team memory has no room for it.
#pragma once

#include "kernels/polytopic/certify.hpp"
#include "kernels/polytopic/volume.hpp"

namespace galerna::kernels::polytopic {

/// What comes from volume and beginning of polytope list[item], and λ. \tparam Config of double precision
template <class Config, int degree>
void certified_volume(const PolytopicArguments& a, std::int64_t item) {
  using L = Layout<Config, degree>;
  constexpr int n = L::modes - 1;
  DiagonalWork<L> w;
  Sum<L> surface[n > 0 ? n * n : 1];
  double pair[n > 0 ? n * (n + 1) : 1];
  EigenvalueWork<n> eigenvalue;
  const MatrixPair<n> m{pair};
  const std::int64_t polytope = a.list[item];
  const Box<L> box(a, polytope);
  clear<true>(w, w.block);
  add_volume<Config, L, true>(w, w.block, a, polytope, box);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j) m.k(i, j) = total<L>(w.block[(1 + i) * L::modes + 1 + j]);
  if constexpr (Config::slab) add_beginning<Config, L, true>(w, w.block, a, polytope, box);
  store_block<false, L::low_order>(w, static_cast<double*>(a.values) + a.diagonal_blocks[polytope]);
  double* right_hand_side = static_cast<double*>(a.right_hand_side) + a.first_unknowns[polytope];
  for (int k = 0; k < L::modes; ++k) right_hand_side[k] = total<L>(w.right_hand_side[k]);

  set_to_zero<L>(surface, n * n);
  add_normal_fluxes<Config>(w.surface.facet, w.lines, w.modes, w.fluxes, a, polytope, box,
                            [&](int i, int j, const auto& sum) { add_to<L>(surface[i * n + j], sum); });
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j) m.s(j, i) = total<L>(surface[i * n + j]);
  a.eigenvalues[polytope] = largest_generalized_eigenvalue<n>(pair, eigenvalue);
}

/// Adds what comes from the facets of polytope list[item].
template <class Config, int degree>
void facets(const PolytopicArguments& a, std::int64_t item) {
  using L = Layout<Config, degree>;
  DiagonalWork<L> w;
  const std::int64_t polytope = a.list[item];
  clear<true>(w, w.block);
  add_facets<Config, L, true>(w, w.block, a, polytope, Box<L>(a, polytope));
  store_block<true, false>(w, static_cast<double*>(a.values) + a.diagonal_blocks[polytope]);
  double* right_hand_side = static_cast<double*>(a.right_hand_side) + a.first_unknowns[polytope];
  for (int k = 0; k < L::modes; ++k) right_hand_side[k] += total<L>(w.right_hand_side[k]);
}

}  // namespace galerna::kernels::polytopic
