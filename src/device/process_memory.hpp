/// \file
/// What the process itself takes of the machine's memory.
#pragma once

#include <cstddef>

namespace galerna::device {

/// Bytes of this process in memory, now and at most so far; 0 where the system does not say.
struct ProcessMemory {
  std::size_t now = 0, most = 0;
};
ProcessMemory process_memory();

}  // namespace galerna::device
