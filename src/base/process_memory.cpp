#include "base/process_memory.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>
#include <string>

namespace galerna {

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

namespace {

/// The number behind a word at the beginning of a line; nothing where there is none.
std::optional<std::size_t> number_in(const std::string& file, const std::string& word) {
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    std::size_t number = 0;
    if (line.starts_with(word) && std::istringstream(line.substr(word.size())) >> number) return number;
  }
  return {};
}

std::size_t free_of_system() {
  if (const auto kilobytes = number_in("/proc/meminfo", "MemAvailable:")) return *kilobytes * 1024;
  return static_cast<std::size_t>(sysconf(_SC_AVPHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

/// Of the group and those that it is in; cached files make room.
std::size_t free_of_groups() {
  std::size_t least = std::numeric_limits<std::size_t>::max();
  std::ifstream stream("/proc/self/cgroup");
  for (std::string line; std::getline(stream, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const bool old = controllers == "memory";  // of the first version of control groups
    if (!old && !controllers.empty()) continue;
    for (std::filesystem::path group = line.substr(second + 1); !group.empty(); group = group.parent_path()) {
      const std::string folder = (old ? "/sys/fs/cgroup/memory" : "/sys/fs/cgroup") + group.string() + "/";
      const auto most = number_in(folder + (old ? "memory.limit_in_bytes" : "memory.max"), ""),
                 used = number_in(folder + "memory.stat", old ? "total_rss " : "anon ");
      if (most && used) least = std::min(least, *most > *used ? *most - *used : 0);
      if (group == group.parent_path()) break;
    }
  }
  return least;
}

std::size_t free_addresses() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    return std::numeric_limits<std::size_t>::max();
  const std::size_t used = number_in("/proc/self/status", "VmSize:").value_or(0) * 1024;
  return limit.rlim_cur > used ? limit.rlim_cur - used : 0;
}

}  // namespace

std::size_t available_memory() {
  return std::min({free_of_system(), free_of_groups(), free_addresses()});
}

}  // namespace galerna
