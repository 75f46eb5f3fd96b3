/// \file
/// What the process itself takes of the machine's memory.
#pragma once

#include <cstddef>

namespace galerna {

/// Bytes of this process in memory, now and at most so far; 0 where the system does not say.
struct ProcessMemory {
  std::size_t now = 0, most = 0;
};
ProcessMemory process_memory();

/// Bytes that this process can still take: of the system, which counts its page cache as free, of its control groups
/// and of its address space (ulimit -v), whichever has least.
std::size_t available_memory();

}  // namespace galerna
