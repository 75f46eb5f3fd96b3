/// \file
/// Signals that a process reads instead of being interrupted by them.
#pragma once

#include <chrono>
#include <csignal>
#include <optional>
#include <string>

namespace galerna::parallel {

/// While it lives, signals for the calling thread that end, stop or continue a process, and SIGCHLD, wait until they
/// are read.
class SignalQueue {
 public:
  SignalQueue();
  ~SignalQueue();
  SignalQueue(const SignalQueue&) = delete;
  SignalQueue& operator=(const SignalQueue&) = delete;

  /// The next signal, if one comes in time.
  std::optional<int> next(std::chrono::milliseconds timeout);
  /// In a forked process: handles signals as before. Nothing is read here any more.
  void restore();

 private:
  sigset_t before_{};
  struct sigaction child_before_ {};
  int descriptor_ = -1;
};

/// "signal 9 (Killed)"
std::string signal_name(int signal);

}  // namespace galerna::parallel
