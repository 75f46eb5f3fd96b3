/// \file
/// Products of modes of boxes as sums of Legendre polynomials, as kernels::polytopic::Expansion has them.
#pragma once

#include <cstdint>
#include <vector>

#include "basis/box.hpp"
#include "kernels/polytopic/arguments.hpp"

namespace galerna::polytopic {

struct ExpansionTables {
  int matrix_pieces = 0, pieces = 0;
  std::vector<kernels::polytopic::Expansion::Pair> pairs;
  std::vector<std::int32_t> rows;
  std::vector<double> factors;
  std::vector<unsigned short> moments;
};

/// \param space without slabs \param tiles whether for products on matrix units
ExpansionTables make_expansion(const basis::BoxSpace& space, int degree, bool tiles);

}  // namespace galerna::polytopic
