#include "device/processor.hpp"

#include <fmt/format.h>
#include <sched.h>

#include <charconv>
#include <fstream>
#include <set>

#include "base/parallel.hpp"
#include "device/host_compiler.hpp"

namespace galerna::device {
namespace {

std::optional<int> number_in(const std::string& text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

/// Logical processors on which this process may run.
std::vector<int> allowed_processors() {
  std::vector<int> allowed;
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return allowed;
  for (int number = 0; number < CPU_SETSIZE; ++number)
    if (CPU_ISSET(number, &set)) allowed.push_back(number);
  return allowed;
}

std::string count_of(int count, const std::string& name) {
  return fmt::format("{} {}{}", count, name, count == 1 ? "" : "s");
}

}  // namespace

std::optional<bool> Processor::shares_cores() const {
  return cores ? std::optional(threads > *cores) : std::nullopt;
}

Processor read_cpuinfo(std::istream& cpuinfo) {
  Processor processor;
  for (std::string line; std::getline(cpuinfo, line);) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    const std::string key = line.substr(0, line.find_last_not_of(" \t", colon - 1) + 1),
                      value = colon + 2 < line.size() ? line.substr(colon + 2) : "";
    if (key == "model name" && processor.model.empty()) processor.model = value;
    if (key == "cpu family" && !processor.family) processor.family = number_in(value);
    if (key == "model" && !processor.number) processor.number = number_in(value);
  }
  if (processor.model.empty()) processor.model = "CPU";
  return processor;
}

std::optional<int> count_cores(const std::vector<int>& processors, const std::filesystem::path& folder) {
  std::set<std::string> siblings;
  for (int number : processors) {
    std::string list;
    std::ifstream stream(folder / fmt::format("cpu{}", number) / "topology/thread_siblings_list");
    if (!std::getline(stream, list)) return {};
    siblings.insert(list);  // the same text for all logical processors of a core
  }
  return siblings.empty() ? std::nullopt : std::optional(static_cast<int>(siblings.size()));
}

Processor this_processor() {
  std::ifstream cpuinfo("/proc/cpuinfo");
  Processor processor = read_cpuinfo(cpuinfo);
  processor.simd = simd_name();
  processor.threads = host_thread_count();
  processor.cores = count_cores(allowed_processors(), "/sys/devices/system/cpu");
  return processor;
}

std::string describe(const Processor& p) {
  std::string text = p.model;
  if (p.family && p.number) text += fmt::format(" (family {}, model {})", *p.family, *p.number);
  text += fmt::format(", {}: {}", p.simd, count_of(p.threads, "thread"));
  return p.cores ? text + " on " + count_of(*p.cores, "core") : text + ", cores unknown";
}

}  // namespace galerna::device
