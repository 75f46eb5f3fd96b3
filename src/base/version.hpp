/// \file
/// Which galerna this is.
#pragma once

#include <string>

namespace galerna {

std::string version();  ///< "0.1.0"
std::string build();    ///< compiler and build type, for reports and checkpoints

}  // namespace galerna
