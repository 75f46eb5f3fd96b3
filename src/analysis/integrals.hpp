/// \file
/// Integrals of a solution over the domain.
#pragma once

#include <string>
#include <vector>

#include "analysis/solution.hpp"

namespace galerna::analysis {

/// Integral of each variable over the domain: [variable]. Summed exactly (base/exact_sum.hpp), so that the result
/// does not depend on how the elements are numbered. Exact for polynomials of degree p on straight
/// simplices and parallelograms; on other elements integrated with a rule of degree 2p + geometry order · dimension.
std::vector<double> integrals(const Solution& solution);

}  // namespace galerna::analysis
