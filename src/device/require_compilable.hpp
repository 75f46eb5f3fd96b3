/// \file
/// Whether programs can be compiled, known before anything large is.
#pragma once

#include <vector>

#include "device/device.hpp"
#include "device/program.hpp"

namespace galerna::device {

/// For programs that are not in the cache there must be a compiler that works, checked once a cache, and a directory
/// that can be written. Compiles none of them. \throws SystemError with the place and the remedy
void require_compilable(const Device& device, const std::vector<ProgramSource>& programs);

}  // namespace galerna::device
