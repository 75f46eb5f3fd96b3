/// \file
/// Shares of what a kernel asks memory for ahead of time.
#pragma once

#include "kernels/arguments.hpp"

namespace galerna::kernels {

/// Parts from … to − 1 of so many equal ones. A core has a few dozen lines of memory on their way to it at once; who
/// asks for more waits. So kernels ask little by little while they compute, for their shares of what a block of
/// elements needs.
struct Share {
  int from = 0, to = 1, of = 1;

  constexpr std::int64_t begin(std::int64_t all) const { return from * all / of; }
  constexpr std::int64_t end(std::int64_t all) const { return to * all / of; }
};

/// How many arrays a stage's update reads and writes.
struct StageShape {
  int inputs, outputs;
};

}  // namespace galerna::kernels
