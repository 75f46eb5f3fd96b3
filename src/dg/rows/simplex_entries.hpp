/// \file
/// Entry points of rows of straight simplices by themselves.
#pragma once

#include <string>
#include <vector>

#include "dg/structure.hpp"

namespace galerna::dg {

/// residual_I_O for all stages by `function` of a pack or a thread.
std::vector<Entry> simplex_entries(const KernelRequest& request, const std::string& function);

}  // namespace galerna::dg
