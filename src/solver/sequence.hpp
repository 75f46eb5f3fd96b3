/// \file
/// Runs that become steady at low degrees first (time.sequence).
#pragma once

#include <vector>

#include "case/settings.hpp"

namespace galerna::solver {

/// All degrees of a run, in order: those of time.sequence, then discretization.order.
std::vector<int> degrees_of(const case_file::Settings& settings);

/// The case at one of its degrees. Constants have no slopes: at degree 0 there is no limiter.
case_file::Settings at_degree(const case_file::Settings& settings, int degree);

}  // namespace galerna::solver
