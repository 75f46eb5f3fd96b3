/// \file
/// Work in a process of its own: code of others that may crash, hang or end the program.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>

namespace galerna {

/// Calls `body` in a child process, which prints nothing. Threads of this process are not there.
/// \returns the status of waitpid(), of which `body` gives the exit code; nothing if it had not ended after so many
/// seconds. \throws SystemError where there is no further process, Interruption
std::optional<int> run_in_child(const std::function<int()>& body, int seconds);

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
