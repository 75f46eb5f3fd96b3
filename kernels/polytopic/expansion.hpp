/// \file
/// Products of modes as sums of Legendre polynomials: with P_a = √(2a + 1) L_a, the product of two modes, or of their
/// derivatives, is in each direction a sum Σ_m c_m L_m, so that ∫ w D φ_i D' φ_j = Σ_k c_k ∫ w L_k, a sparse sum over
/// the moments of w (docs/theory.md, "Moments").
#pragma once

#include "kernels/matrix_units.hpp"
#include "kernels/polytopic/moment_point.hpp"

namespace galerna::kernels::polytopic {

/// Which of a piece's sums a lane has where each lane has a pair of modes, of one polytope.
struct PairTerms {
  static constexpr int pairs = 32, sums = 1;
  static int pair(int) { return threadIdx.x % 32; }
  static int team(int) { return 0; }

  /// sums += Σ_k c_k moment_k over rows first … last − 1 of the lists.
  template <class L>
  static void add(Array<double, sums>& sum, const Expansion& e, int first, int last, const double* moment) {
#pragma unroll 4
    for (int term = first * 32 + pair(0); term < last * 32; term += 32)
      sum[0] += e.factors[term] * moment[e.moments[term]];
  }
};

/// The same of 16 pairs in eight polytopes, [pair × moment] [moment × polytope] on matrix units: what is the same for
/// all polytopes is read once for eight. Lane 4 g + t has pairs g and g + 8, polytopes 2t and 2t + 1.
struct PairTiles {
  static constexpr int pairs = 16, sums = 4;
  static int pair(int k) { return threadIdx.x % 32 / 4 + k / 2 * 8; }
  static int team(int k) { return threadIdx.x % 4 * 2 + k % 2; }

  template <class L>
  static void add(Array<double, sums>& sum, const Expansion& e, int first, int last, const double* moment) {
    static_assert(L::teams == 8);
    const int lane = threadIdx.x % 32;
#pragma unroll 4
    for (int row = first; row < last; ++row) {
      const auto factors = load_pairs<2>(e.factors + (row * 32 + lane) * 2);
      matrix_multiply_add(sum[0], sum[1], sum[2], sum[3], factors[0], factors[1],
                          moment[e.moments[row * 4 + lane % 4] * L::columns + lane / 4]);
    }
  }
};

template <bool several_teams>
struct PairsOf {
  using Type = PairTerms;
};
template <>
struct PairsOf<true> {
  using Type = PairTiles;
};

/// The sums of a piece that a lane has.
template <class L>
class PairIntegrals {
 public:
  using Pairs = typename PairsOf<(L::teams > 1)>::Type;
  using Sums = Array<double, Pairs::sums>;

  PairIntegrals(const Expansion& expansion, int piece) : e_(expansion) {
    // All at once, so that nothing waits for them one by one.
#pragma unroll
    for (int k = 0; k <= Expansion::kinds; ++k) rows_[k] = e_.rows[piece * (Expansion::kinds + 1) + k];
#pragma unroll
    for (int k = 0; k < Pairs::sums; ++k) pairs_[k] = e_.pairs[piece * Pairs::pairs + Pairs::pair(k)];
  }

  /// \param moment of the weight's first component; the others follow
  void add(Sums& sums, Expansion::Kind kind, const double (*moment)[L::count][L::columns]) const {
    Pairs::template add<L>(sums, e_, rows_[kind], rows_[kind + 1], &moment[0][0][0]);
  }

  /// f(k, i, j, team) for sums k
  template <class F>
  void for_each(const F& f) const {
#pragma unroll
    for (int k = 0; k < Pairs::sums; ++k) {
      if (pairs_[k].i >= 0) f(k, int(pairs_[k].i), int(pairs_[k].j), Pairs::team(k));
    }
  }

 private:
  const Expansion& e_;
  int rows_[Expansion::kinds + 1];
  Expansion::Pair pairs_[Pairs::sums];
};

/// Pieces of all pairs j ≤ i of a block's modes, and of pairs (i, 0) for a right-hand side, by the warps of a group.
template <class L, class OfMatrix, class OfRightHandSide>
void for_each_piece(const Expansion& expansion, const OfMatrix& of_matrix, const OfRightHandSide& of_right_hand_side) {
  for (int piece = int(threadIdx.x) / 32; piece < expansion.pieces; piece += L::teams * L::warps)
    if (piece < expansion.matrix_pieces)
      of_matrix(PairIntegrals<L>(expansion, piece));
    else
      of_right_hand_side(PairIntegrals<L>(expansion, piece));
}

}  // namespace galerna::kernels::polytopic
