#include "base/process_start.hpp"

#include <time.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <string>

namespace galerna {
namespace {

/// Seconds from the system's start to that of this process: field 22 of /proc/self/stat.
std::optional<double> start_after_boot() {
  std::ifstream file("/proc/self/stat");
  const std::string text(std::istreambuf_iterator<char>(file), {});
  const std::size_t name_end = text.rfind(')');  // the second field may hold blanks
  if (name_end == std::string::npos) return {};
  std::istringstream fields(text.substr(name_end + 1));
  std::string field;
  for (int number = 3; number < 22; ++number) fields >> field;
  double ticks = 0;
  const long a_second = sysconf(_SC_CLK_TCK);
  if (!(fields >> ticks) || a_second <= 0) return {};
  return ticks / static_cast<double>(a_second);
}

std::chrono::steady_clock::time_point find_start() {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point now = Clock::now();
  const std::optional<double> start = start_after_boot();
  timespec since_boot{};
  if (!start || clock_gettime(CLOCK_BOOTTIME, &since_boot) != 0) return now;
  const double age = static_cast<double>(since_boot.tv_sec) + 1e-9 * static_cast<double>(since_boot.tv_nsec) - *start;
  constexpr double longest = 60;  // of a start; more means that the two clocks are not the same
  if (!(age >= 0 && age < longest)) return now;
  return now - std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(age));
}

}  // namespace

std::chrono::steady_clock::time_point process_start() {
  static const std::chrono::steady_clock::time_point start = find_start();
  return start;
}

}  // namespace galerna
