/// \file
/// Work in processes of their own: code of others that may crash, hang or end the program, and other programs.
#pragma once

#include <cstddef>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace galerna {

/// Calls `body` in a child process, which prints nothing. Threads of this process are not there.
/// \returns the status of waitpid(), of which `body` gives the exit code; nothing if it had not ended after so many
/// seconds. \throws SystemError where there is no further process, Interruption
std::optional<int> run_in_child(const std::function<int()>& body, int seconds);

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
/// An open file; null where it could not be opened.
using File = std::unique_ptr<std::FILE, CloseFile>;

/// Runs a program without a shell, its output into `log`; returns whether it exited with 0. An interruption ends it.
bool run_program(const std::vector<std::string>& command, std::FILE* log);

/// Memory, zero at first, that child processes share with this one.
class SharedMemory {
 public:
  /// \throws SystemError
  explicit SharedMemory(std::size_t bytes);
  ~SharedMemory();
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  void* address() const { return address_; }

 private:
  void* address_;
  std::size_t bytes_;
};

}  // namespace galerna
