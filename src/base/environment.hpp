/// \file
/// Settings of the environment.
#pragma once

#include <string>

namespace galerna {

/// Value of the environment's variable; "" where it is not set, or blank.
std::string environment(const char* name);

}  // namespace galerna
