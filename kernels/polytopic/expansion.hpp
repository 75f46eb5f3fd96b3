/// \file
/// Products of modes as sums of Legendre polynomials: with P_a = √(2a + 1) L_a, the product of two modes, or of their
/// derivatives, is in each direction a sum Σ_m c_m L_m, so that ∫ w D φ_i D' φ_j = Σ_k c_k ∫ w L_k, a sparse sum over
/// the moments of w (docs/theory.md, "Moments").
#pragma once

#include "kernels/polytopic/team.hpp"

namespace galerna::kernels::polytopic {

/// Where the moments with degree n in the second direction begin, those of the first direction one behind the other,
/// total degree ≤ highest.
constexpr int moment_row(int highest, int n) {
  return n * (highest + 1) - n * (n - 1) / 2;
}

/// The same of degree o in the third.
constexpr int moment_plane(int highest, int o) {
  return total_degree_modes(3, highest) - total_degree_modes(3, highest - o);
}

/// The integrals of a pair of modes. \tparam modes of the block
template <int modes>
class PairIntegrals {
 public:
  static constexpr int slices = (modes * (modes + 1) / 2 + expansion_slice - 1) / expansion_slice;

  PairIntegrals(const Expansion& expansion, int slice, int lane) : e_(expansion), slice_(slice), lane_(lane) {}

  /// \param moment of the weight's first component; the others follow, one behind the other
  double operator()(Expansion::Kind kind, const double* moment) const {
    const std::int32_t* rows = e_.rows + kind * (slices + 1) + slice_;
    double sum = 0;
#pragma unroll 4
    for (int term = rows[0] * expansion_slice + lane_; term < rows[1] * expansion_slice; term += expansion_slice)
      sum += e_.factors[term] * moment[e_.moments[term]];
    return sum;
  }

 private:
  const Expansion& e_;
  int slice_, lane_;
};

/// f(i, j, integrals) for the pairs j ≤ i of a block's modes, a slice for each warp of the team.
template <class L, class F>
void for_each_pair(const Expansion& expansion, const F& f) {
  using Integrals = PairIntegrals<L::modes>;
  const int lane = team_rank() % expansion_slice;
  for (int slice = team_rank() / expansion_slice; slice < Integrals::slices; slice += L::threads / expansion_slice) {
    const short* pair = expansion.pairs + (slice * expansion_slice + lane) * 2;
    if (pair[0] >= 0) f(int(pair[0]), int(pair[1]), Integrals(expansion, slice, lane));
  }
}

}  // namespace galerna::kernels::polytopic
