/// \file
/// How devices are asked for.
#pragma once

#include <string>

namespace galerna::device {

/// \throws InputError unless it is "auto", "cpu", "cuda" or "cuda:N"; the device need not be there
void require_device_name(const std::string& name);

}  // namespace galerna::device
