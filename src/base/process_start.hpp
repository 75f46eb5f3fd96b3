/// \file
/// When the program began.
#pragma once

#include <chrono>

namespace galerna {

/// When the system made this process, to a hundredth of a second: before its libraries were loaded. Where the system
/// does not say, the time of the first call.
std::chrono::steady_clock::time_point process_start();

}  // namespace galerna
