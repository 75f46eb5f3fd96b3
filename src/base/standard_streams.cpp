#include "base/standard_streams.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/error.hpp"

namespace galerna {

void open_standard_streams() {
  // The lowest free number is given out first, so that each open fills the gap that was found.
  for (int number = 0; number <= STDERR_FILENO; ++number)
    if (fcntl(number, F_GETFD) < 0 && open("/dev/null", O_RDWR) < 0) return;
}

void print_error(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

void finish_standard_output() {
  if (std::fflush(stdout) != 0)
    throw SystemError(fmt::format("standard output cannot be written: {}", std::strerror(errno)));
}

void drop_standard_output() {
  if (!std::freopen("/dev/null", "w", stdout)) std::clearerr(stdout);
}

}  // namespace galerna
