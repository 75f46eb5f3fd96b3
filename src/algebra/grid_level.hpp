/// \file
/// What a caller gives of a level of a multigrid method.
#pragma once

#include <cstdint>
#include <vector>

#include "algebra/device_matrix.hpp"

namespace galerna::algebra {

/// From a level to the next finer one: fine row i gets values[i], sizes fine × coarse by rows, times what its parent
/// has. Residuals go back by the transpose.
struct Transfer {
  std::vector<std::int32_t> parents;  ///< [fine row] coarse row
  std::vector<double> values;         ///< block after block
};

struct GridLevel {
  DeviceMatrix matrix;
  Transfer from_coarser;  ///< none on the last level
  int smoothing = 0;      ///< steps of the smoother; 0: as the options say
};

}  // namespace galerna::algebra
