#include "device/process_memory.hpp"

#include <fstream>
#include <string>

namespace galerna::device {

ProcessMemory process_memory() {
  ProcessMemory memory;
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);) {
    const std::size_t kilobytes =
        line.starts_with("VmRSS:") || line.starts_with("VmHWM:") ? std::stoul(line.substr(6)) : 0;
    if (line.starts_with("VmRSS:")) memory.now = 1024 * kilobytes;
    if (line.starts_with("VmHWM:")) memory.most = 1024 * kilobytes;
  }
  return memory;
}

}  // namespace galerna::device
