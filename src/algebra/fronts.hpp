/// \file
/// In which order a sparse factorization eliminates block rows, in which dense fronts, and what memory that takes: all
/// that is known before there are numbers (I. S. Duff, J. K. Reid, ACM Trans. Math. Softw. 9 (1983), 302–325).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "algebra/block_matrix.hpp"

namespace galerna::algebra {

/// A dense matrix in which consecutive block rows are eliminated. Block rows are numbered by their elimination.
struct Front {
  std::int32_t first = 0, last = 0;  ///< eliminated here: first … last − 1
  std::vector<std::int32_t> rows;    ///< further block rows of the front, increasing
  std::int32_t parent = -1;          ///< front that takes what is left; −1: nothing is
};

struct Fronts {
  std::vector<std::int32_t> order;    ///< [new block row] old one
  std::vector<std::int32_t> place;    ///< [old block row] new one
  std::vector<std::int64_t> unknown;  ///< [new block row + 1] its first unknown, in the new order
  std::vector<Front> list;            ///< children before parents, last child first
  std::size_t factor_bytes = 0;       ///< of L and U in double precision
  std::size_t peak_bytes = 0;         ///< while they are computed: with the fronts and what waits for its parent
};

/// Of a matrix whose pattern is symmetric, by minimum degree (P. R. Amestoy, T. A. Davis, I. S. Duff, SIAM J. Matrix
/// Anal. Appl. 17 (1996), 886–905) of block rows, a much smaller graph than that of unknowns.
Fronts plan_fronts(const BlockPattern& pattern);

}  // namespace galerna::algebra
