#include "base/child_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <thread>

#include "base/error.hpp"
#include "base/interruption.hpp"

namespace galerna {
namespace {

[[noreturn]] void be_child(const std::function<int()>& body) {
  for (const int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGILL, SIGBUS, SIGTERM, SIGHUP}) std::signal(signal, SIG_DFL);
  std::signal(SIGINT, SIG_IGN);  // of a terminal: the parent hears it, too
  if (const int nothing = open("/dev/null", O_WRONLY); nothing >= 0) dup2(nothing, 1), dup2(nothing, 2);
  _exit(body());
}

void end(pid_t process) {
  kill(process, SIGKILL);
  waitpid(process, nullptr, 0);
}

}  // namespace

std::optional<int> run_in_child(const std::function<int()>& body, int seconds) {
  using namespace std::chrono_literals;
  const pid_t process = fork();
  if (process < 0) throw SystemError(fmt::format("cannot start a process: {}", std::strerror(errno)));
  if (process == 0) be_child(body);
  const auto latest = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
  for (int status = 0; std::chrono::steady_clock::now() < latest; std::this_thread::sleep_for(5ms)) {
    const pid_t ended = waitpid(process, &status, WNOHANG);
    if (ended == process) return status;
    if (ended < 0 && errno != EINTR) throw SystemError("a process that was started is lost");
    if (!interrupted()) continue;
    end(process);
    throw Interruption("interrupted; nothing was computed");
  }
  end(process);
  return {};
}

SharedMemory::SharedMemory(std::size_t bytes)
    : address_(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)), bytes_(bytes) {
  if (address_ == MAP_FAILED) throw SystemError(fmt::format("no memory to share: {}", std::strerror(errno)));
}

SharedMemory::~SharedMemory() {
  munmap(address_, bytes_);
}

}  // namespace galerna
