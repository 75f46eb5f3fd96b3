#include "device/compile_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <vector>

namespace galerna::device {
namespace {

std::filesystem::path file_in(const std::filesystem::path& folder) {
  return folder / compile_times_file;
}

std::string kind_of(const std::string& title) {
  const std::size_t comma = title.rfind(',');
  return comma == std::string::npos ? title : title.substr(comma + 1);
}

}  // namespace

void remember_compile_time(const std::filesystem::path& folder, const std::string& target, const std::string& title,
                           double seconds) {
  // One write of a short line, which other processes do not interrupt.
  std::ofstream(file_in(folder), std::ios::app) << fmt::format("{:.3f} {} {}\n", seconds, target, title);
}

std::optional<double> expected_compile_time(const std::filesystem::path& folder, const std::string& target,
                                            const std::string& title) {
  std::ifstream stream(file_in(folder));
  std::optional<double> last;
  std::vector<double> alike;
  for (std::string line; std::getline(stream, line);) {
    std::istringstream words(line);
    double seconds = 0;
    std::string of, name;
    if (!(words >> seconds >> of >> std::ws && std::getline(words, name)) || of != target) continue;
    if (name == title) last = seconds;
    if (kind_of(name) == kind_of(title)) alike.push_back(seconds);
  }
  if (last || alike.empty()) return last;
  const auto middle = alike.begin() + static_cast<std::ptrdiff_t>(alike.size() / 2);
  std::nth_element(alike.begin(), middle, alike.end());
  return *middle;
}

}  // namespace galerna::device
