/// \file
/// What the host hands to kernels/formula_integrals.hpp (beside kernels/arguments.hpp, which every program includes).
#pragma once

#include "kernels/arguments.hpp"

namespace galerna::kernels {

/// For one set of elements, or some of their sides. Sums are over blocks of elements or of sides.
struct FormulaIntegralArguments {
  FormulaArguments rule;  ///< `partials` [integral][3][block] (long_sum.hpp), `blocks` of all parts; `determinants`,
                          ///< `work` and `elements` are not looked at
  const double* slopes;   ///< [d][point][mode] derivatives of the basis by ξ_d; null where no gradient is wanted
  const double* places;   ///< [block][lane] region of the element or boundary of the side, −1: none, −2: padding
  const double* wanted;   ///< [integral][choice] the places that it is taken over, −1: everywhere
  std::int64_t choices;   ///< as many for each integral: what it does not need is no place
  // Of sides, all of one number:
  const std::int32_t* positions;  ///< [block][lane] of their elements in the set
  double outward[3];              ///< normal out of the reference shape, times the side's measure per sum of weights
};

}  // namespace galerna::kernels
