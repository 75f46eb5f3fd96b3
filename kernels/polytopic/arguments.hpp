/// \file
/// What the host hands to the kernels of interior-penalty methods on polytopes. Pointers are to device memory; `void`
/// arrays are of the program's floating-point type. Geometry is in double precision always.
#pragma once

#include "kernels/lane.hpp"

namespace galerna::kernels::polytopic {

/// Modes of which a GPU's shared memory holds the sums of a block of the matrix.
constexpr int most_staged_modes = 56;

/// Threads of a GPU that share a polytope or an interface, for blocks of so many modes.
constexpr int team_threads(int modes) {
  return modes <= 10 ? 32 : modes <= 21 ? 64 : 128;
}

/// The same of sums of moments: in the plane one warp has registers for all of them.
constexpr int moment_threads(int dimension, int modes) {
  return dimension == 2 || modes <= 10 ? 32 : modes <= 35 ? 64 : 128;
}

/// Such teams of a group. In the plane, where they are single warps with small sums, as many come together as matrix
/// units have columns, to expand those.
constexpr int moment_teams(int dimension) {
  return dimension == 2 ? 8 : 1;
}

/// Groups that registers of a multiprocessor are to have room for, where a compiler would give more registers
/// to fewer; 0: as many as it gives.
constexpr int moment_groups(int dimension, int modes, bool volume) {
  if (dimension == 2) return modes == 10 && volume ? 4 : modes <= 15 ? 3 : 0;
  return modes == 10 ? 16 : modes <= 35 ? 8 : modes <= 56 ? 4 : 0;
}

/// Whether one thread of a GPU has room for blocks of so many modes.
constexpr bool fits_in_thread(int modes) {
  return modes <= 6;
}

/// Whether one has room for the pair of matrices of the certified penalty, which a team leaves in memory for it.
constexpr bool eigenvalue_fits_in_thread(int modes) {
  return modes > 6 && modes <= 10;
}

/// Lanes that share the pair of matrices of larger blocks, so that each has tiles of few numbers in its registers.
constexpr int eigenvalue_lanes(int modes) {
  return modes <= 21 ? 16 : modes <= 29 ? 32 : modes <= 41 ? 64 : 128;
}

/// Warps that share an interface with blocks of so many modes; one has room for the sums of up to 21 in its registers.
constexpr int interface_warps(int modes) {
  return modes <= 21 ? 1 : (modes + 15) / 16;
}

/// Interfaces of a group of a GPU.
constexpr int interface_teams(int modes) {
  return modes <= 16 ? 4 : modes <= 21 ? 2 : 1;
}

/// Such groups that registers of a multiprocessor are to have room for; 0: as many as the compiler gives.
constexpr int interface_groups(int modes) {
  return modes <= 16 ? 5 : modes <= 21 ? 6 : modes == 35 ? 4 : 0;
}

/// Threads of a group of a GPU where each has an item of its own.
constexpr int thread_group = 128;

/// Numbers that `errors` leaves for each polytope: ∫e², ∫|∇e|², its part of the DG norm's square, ∫u_h, and ∫e² at the
/// end of the slab.
constexpr int error_sums = 5;

/// Numbers that `extremes` leaves for each polytope: the least and the largest eigenvalue of a over the corners of its
/// simplices, the least c − ½∇·b there, the least min(b·n, 0) + 2h where the flux is given; each of the last two with
/// no meaning where there is no such point (then it is infinite).
constexpr int extreme_values = 4;

/// The last of `count` ascending numbers that is not larger.
template <class T>
std::int64_t last_not_above(const T* numbers, std::int64_t count, T number) {
  std::int64_t low = 0, high = count;
  while (high - low > 1) {
    const std::int64_t middle = (low + high) / 2;
    (numbers[middle] <= number ? low : high) = middle;
  }
  return low;
}

/// d is the dimension, a simplex has d + 1 corners, a facet d.
struct PolytopicMesh {
  const double* simplices;              ///< [simplex][corner][d], by polytope
  const double* simplex_measures;       ///< [simplex]
  const std::int64_t* first_simplices;  ///< [polytope + 1]
  const double* boxes;                  ///< [polytope][3][d]: of its bounding box centre, half of the edges, 1 / that
  const double* measures;               ///< [polytope][2]: |κ|, |∂κ|
  const std::int32_t* degrees;          ///< [polytope]
  const double* facets;           ///< [facet][d + 1][d]: corners, then the unit normal, outward from the first side
  const double* facet_measures;   ///< [facet]: |F|
  const double* facet_simplices;  ///< [facet][2]: |T| of the simplices on its first and second side (or 0)
  const std::int32_t* facet_polytopes;  ///< [facet][2]: on its sides; second −1 − b on boundary b
  const std::int64_t* first_facets;     ///< [interface + 1] of the facets between two polytopes; boundary facets follow
  std::int64_t inner_facets;            ///< how many those between two polytopes are
  const std::int32_t* interfaces;       ///< [interface][2]: the polytopes on both sides of its facets
  const std::int64_t* first_own_facets;  ///< [polytope + 1]
  const std::int32_t* own_facets;        ///< [own facet] 2 · facet + side
};

/// Points of a simplex by barycentric coordinates, weights adding up to 1.
struct Rule {
  const double* points;   ///< [corner][stride]; of an interval [point], from −1 to 1
  const double* weights;  ///< [stride]
  int count;
  int stride;  ///< larger than `count` by `rule_padding`: the last point follows again, with weight 0
};

/// As many as the numbers in the largest SIMD pack.
constexpr int rule_padding = 16;

/// Products of two modes of a box, D φ_i D' φ_j = Σ_k c_k L_k, as sums over moments Σ_k c_k ∫ w L_k, for the pairs
/// j ≤ i; of one degree. They come in pieces for a warp, those of right-hand sides, of pairs (i, 0), last.
struct Expansion {
  /// ∇φ_i·w∇φ_j, symmetric w; w φ_i φ_j; φ_i w·∇φ_j; φ_j w·∇φ_i; the sum of these two.
  enum Kind : int { gradients, values, derivatives, swapped_derivatives, both_derivatives };
  static constexpr int kinds = 5;
  struct alignas(4) Pair {
    short i, j;
  };
  /// What a row of a piece is: a term of each of 32 pairs, or, for products on matrix units, four moments of 16 pairs.

  const Pair* pairs;              ///< [piece][32 or 16]; behind the last one i = −1
  const std::int32_t* rows;       ///< [piece][kinds + 1] where those of each kind begin, and where the last end
  const double* factors;          ///< [row][32], of terms; [row][32][2], of tiles: what a lane has of them
  const unsigned short* moments;  ///< [row][32 or 4], counted through the components of w
  int matrix_pieces, pieces;      ///< of the matrix; with those of right-hand sides behind them
};

struct PolytopicArguments {
  PolytopicMesh mesh;
  Rule volume, facet, time;
  double begin, end;                     ///< of the time slab; else both are the time at which formulas are taken
  int first_slab;                        ///< whether the slab begins at the initial state
  const std::int32_t* list;              ///< polytopes or interfaces that the launch is for
  std::int64_t count;                    ///< of them
  Expansion expansion;                   ///< of assembly from moments, of the launch's degree
  double factor;                         ///< C of the penalty
  double* extremes;                      ///< [polytope][extreme_values]
  double* eigenvalues;                   ///< [polytope] λ of the certified penalty
  double* scratch;                       ///< [item] pairs of matrices that wait for their eigenvalues
  double* penalty;                       ///< [facet] σ
  void* values;                          ///< of the matrix
  const std::int64_t* diagonal_blocks;   ///< [polytope] where its block begins in `values`
  const std::int64_t* interface_blocks;  ///< [interface][2] where the blocks (first, second), (second, first) begin
  void* right_hand_side;                 ///< by unknowns
  const std::int64_t* first_unknowns;    ///< [polytope]
  const void* solution;                  ///< by unknowns, of `errors`
  const void* previous;                  ///< by unknowns, at the end of the slab before; null where first_slab
  double* sums;                          ///< [item][error_sums]; of interfaces [item]
};

}  // namespace galerna::kernels::polytopic
