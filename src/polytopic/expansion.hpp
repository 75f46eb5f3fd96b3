/// \file
/// Products of modes of boxes as sums of Legendre polynomials, as kernels::polytopic::Expansion has them.
#pragma once

#include <cstdint>
#include <vector>

#include "basis/box.hpp"

namespace galerna::polytopic {

struct ExpansionTables {
  std::vector<short> pairs;
  std::vector<std::int32_t> rows;
  std::vector<double> factors;
  std::vector<unsigned short> moments;
};

/// \param space without slabs
ExpansionTables make_expansion(const basis::BoxSpace& space, int degree);

}  // namespace galerna::polytopic
