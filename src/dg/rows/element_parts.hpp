/// \file
/// The row `element` (kernels/element), parts of which others take.
#pragma once

#include <string>
#include <vector>

#include "dg/structure.hpp"

namespace galerna::dg {

/// A kernel whose elements are shared by threads on a GPU.
Entry group_entry(const KernelRequest& request, const std::string& name, const std::string& function);
/// What a residual of kernels/element reads of sides.
std::vector<Entry> side_entries(const KernelRequest& request);
device::Range range_of_groups(const LaunchRequest& launch);

/// For each pack of elements on Host, each element on Cuda.
Entry monitor_of_elements(const device::Target& target);
device::Range range_of_elements(const LaunchRequest& launch);

/// A row without a residual of its own yet: all else is that of `element`.
Structure as_element();

}  // namespace galerna::dg
