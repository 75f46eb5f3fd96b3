#include "parallel/signals.hpp"

#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.hpp"

namespace galerna::parallel {

SignalQueue::SignalQueue() {
  sigset_t mask;
  sigemptyset(&mask);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGTSTP, SIGCONT, SIGCHLD})
    sigaddset(&mask, signal);
  descriptor_ = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
  if (descriptor_ < 0) throw SystemError(std::string("signals cannot be read: ") + std::strerror(errno));
  pthread_sigmask(SIG_BLOCK, &mask, &before_);
  // Where SIGCHLD is ignored, children vanish before anyone can ask how they ended.
  struct sigaction standard {};
  standard.sa_handler = SIG_DFL;
  sigaction(SIGCHLD, &standard, &child_before_);
}

SignalQueue::~SignalQueue() {
  restore();
}

void SignalQueue::restore() {
  if (descriptor_ < 0) return;
  close(descriptor_);
  descriptor_ = -1;
  sigaction(SIGCHLD, &child_before_, nullptr);
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

std::optional<int> SignalQueue::next(std::chrono::milliseconds timeout) {
  signalfd_siginfo info{};
  pollfd waiting{descriptor_, POLLIN, 0};
  if (poll(&waiting, 1, static_cast<int>(timeout.count())) <= 0) return {};
  if (read(descriptor_, &info, sizeof info) != sizeof info) return {};
  return static_cast<int>(info.ssi_signo);
}

std::string signal_name(int signal) {
  const char* description = sigdescr_np(signal);
  return "signal " + std::to_string(signal) + (description ? std::string(" (") + description + ")" : "");
}

}  // namespace galerna::parallel
