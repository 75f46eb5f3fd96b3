/// \file
/// Operators as fragments of 4 × 8 numbers, one for each lane of a warp, in the order in which matrix units take them
/// (kernels/tile/product.hpp).
#pragma once

#include <utility>
#include <vector>

#include "dg/operators.hpp"

namespace galerna::dg {

// Both append `right`, whose columns come in the order of results (kernels/tile/columns.hpp). Rows past the last are
// zeros; columns past the last, and those in which nothing stands, are column `past`, −1: zeros.
/// For left operands that hold rows 4k + t.
void append_in_fours(std::vector<double>& fragments, const basis::Matrix& right, int past);
/// For left operands that are results.
void append_in_columns(std::vector<double>& fragments, const basis::Matrix& right, int past);

/// Values at the points of all sides, and these times the points' weights, [point][mode].
/// \param counts points of sides; those that a rule does not have are its last one, without weight.
std::pair<basis::Matrix, basis::Matrix> side_matrices(const Operators& operators, const kernels::ElementCounts& counts);
std::pair<basis::Matrix, basis::Matrix> side_matrices(const Operators& operators);

/// Weighted values at volume points, [point][mode].
basis::Matrix weighted_values(const Operators& operators);

}  // namespace galerna::dg
