#include "base/child_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <system_error>
#include <thread>

#include "base/error.hpp"
#include "base/interruption.hpp"

extern char** environ;

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

/// This process's, but with messages in English, so that they can be understood.
std::vector<std::string> plain_environment() {
  std::vector<std::string> variables = {"LC_ALL=C"};
  for (char** variable = environ; *variable; ++variable)
    if (!std::string(*variable).starts_with("LC_ALL=")) variables.emplace_back(*variable);
  return variables;
}

/// Words as posix_spawn takes them.
std::vector<char*> pointers_to(const std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

/// Waits until the leader of a group of processes has ended, and returns how; ends the group if it is not wanted any
/// more.
int wait_for_group(pid_t leader) {
  int status = 0;
  while (waitpid(leader, &status, WNOHANG) == 0) {
    if (interrupted()) {
      kill(-leader, SIGTERM);
      waitpid(leader, &status, 0);
      return status;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return status;
}

int wait_for(pid_t process) {
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
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

bool run_program(const std::vector<std::string>& command, std::FILE* log) {
  const std::vector<std::string> variables = plain_environment();
  const std::vector<char*> arguments = pointers_to(command), environment = pointers_to(variables);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, fileno(log), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  // A terminal's Ctrl-C goes to a whole group of processes. In one of its own the compiler hears of it from galerna
  // alone, which knows then that it has not failed.
  const bool watched = may_be_interrupted();
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  if (watched) posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  pid_t process = 0;
  const int error = posix_spawnp(&process, arguments[0], &actions, &attributes, arguments.data(), environment.data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    fmt::print(log, "{}: {}\n", command[0], std::generic_category().message(error));
    return false;
  }
  const int status = watched ? wait_for_group(process) : wait_for(process);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

SharedMemory::SharedMemory(std::size_t bytes)
    : address_(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)), bytes_(bytes) {
  if (address_ == MAP_FAILED) throw SystemError(fmt::format("no memory to share: {}", std::strerror(errno)));
}

SharedMemory::~SharedMemory() {
  munmap(address_, bytes_);
}

}  // namespace galerna
