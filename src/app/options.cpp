#include "app/options.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "base/error.hpp"

namespace galerna::app {

void add_threads(CLI::App& command) {
  command
      .add_option_function<int>(
          "--threads", [](int threads) { setenv("OMP_NUM_THREADS", std::to_string(threads).c_str(), 1); },
          "threads of the CPU; all processors unless OMP_NUM_THREADS says how many")
      ->check(CLI::Range(1, 4096))
      ->type_name("N");
}

std::size_t bytes_of(const std::string& text, const std::string& option) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  std::string unit;
  for (const char* at = end; at != text.data() + text.size(); ++at)
    if (*at != ' ') unit += static_cast<char>(std::tolower(static_cast<unsigned char>(*at)));
  double bytes = 0;
  const std::string prefixes = "kmgt";
  for (std::size_t i = 0; i < prefixes.size(); ++i) {
    const double power = static_cast<double>(i + 1);
    if (unit == std::string{prefixes[i]} || unit == std::string{prefixes[i], 'b'})
      bytes = number * std::pow(1000.0, power);
    if (unit == std::string{prefixes[i], 'i', 'b'}) bytes = number * std::pow(1024.0, power);
  }
  if (error != std::errc() || !(bytes >= 1) || !(bytes < 1e18))
    throw InputError({option}, fmt::format("must be a size with its unit, such as 80GB or 64GiB, not \"{}\"", text));
  return static_cast<std::size_t>(bytes);
}

bool is_same_file(const std::filesystem::path& one, const std::filesystem::path& other) {
  std::error_code absent;
  return std::filesystem::equivalent(one, other, absent) ||
         std::filesystem::weakly_canonical(std::filesystem::absolute(one)) ==
             std::filesystem::weakly_canonical(std::filesystem::absolute(other));
}

void require_other_file(const std::string& option, const std::string& file,
                        const std::vector<std::filesystem::path>& read) {
  if (file.empty()) return;
  for (const std::filesystem::path& one : read)
    if (is_same_file(file, one))
      throw InputError({option}, fmt::format("{} is what is read, and would be lost: give another file", file));
}

}  // namespace galerna::app
