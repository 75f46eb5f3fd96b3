#include "parallel/process_team.hpp"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <optional>
#include <set>
#include <vector>

#include "base/interruption.hpp"
#include "parallel/shared_team.hpp"
#include "parallel/signals.hpp"

namespace galerna::parallel {
namespace {

using Clock = std::chrono::steady_clock;
using Body = std::function<int(Team&)>;

/// The life of a forked rank.
[[noreturn]] void be_rank(Board& board, int rank, const Body& body) {
  try {
    SharedTeam team(board, rank);
    board.finish(rank, body(team));
  } catch (...) {
    board.fail(rank, describe(std::current_exception()));
  }
  std::cout.flush();
  std::clog.flush();
  std::fflush(nullptr);
  _exit(0);
}

/// The ranks as seen by the process that forked them.
class Supervisor {
 public:
  Supervisor(int size, const ProcessOptions& options) : board_(size), options_(options) {}
  ~Supervisor();

  void start(const Body& body);
  void watch();
  int result() const;

 private:
  struct Child {
    pid_t process = 0;
    bool ended = false;  ///< but not yet reaped: the number of the process stays ours
    std::optional<Clock::time_point> stopped;
  };

  void fork_rank(int rank, const Body& body);
  bool are_all_gone() const;
  void pass_on(int signal);
  void suspend();
  void look_at(int rank);
  void note_end(int rank, const siginfo_t& info);
  void note_stop(Child& child);
  void give_up_stopped();
  void kill_those_left();
  bool all_failed_alike() const;

  SignalQueue signals_;
  Board board_;
  ProcessOptions options_;
  std::vector<Child> children_;
  std::set<int> passed_on_;
  int killed_by_passed_on_ = 0;  ///< a signal
  std::optional<Clock::time_point> deadline_;
};

Supervisor::~Supervisor() {
  // Ended or not, no child has been reaped: these numbers, and that of the group, are nobody else's. The group holds
  // what ranks have started, too, such as compilers.
  const bool clean = !board_.is_broken() && are_all_gone();
  if (!clean && !children_.empty()) kill(-children_.front().process, SIGKILL);
  for (const Child& child : children_) {
    if (!child.ended) kill(child.process, SIGKILL);
    while (waitpid(child.process, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
}

void Supervisor::start(const Body& body) {
  // What waits in buffers would be written by each process.
  std::cout.flush();
  std::clog.flush();
  std::fflush(nullptr);
  for (int rank = 0; rank < board_.size(); ++rank) fork_rank(rank, body);
}

void Supervisor::fork_rank(int rank, const Body& body) {
  const pid_t parent = getpid();
  const pid_t group = children_.empty() ? 0 : children_.front().process;
  const pid_t process = fork();
  if (process < 0)
    throw SystemError("process " + std::to_string(rank + 1) + " of " + std::to_string(board_.size()) +
                      " cannot be started: " + std::strerror(errno) +
                      ": use fewer ranks, or allow more processes (ulimit -u)");
  if (process == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);
    setpgid(0, group);
    // A group in the background that writes to the terminal would otherwise be stopped where `stty tostop` is set.
    std::signal(SIGTTOU, SIG_IGN);
    signals_.restore();
    be_rank(board_, rank, body);
  }
  setpgid(process, group == 0 ? process : group);  // here and there: neither knows who comes first
  children_.push_back({process, false, {}});
}

bool Supervisor::are_all_gone() const {
  return std::all_of(children_.begin(), children_.end(), [](const Child& child) { return child.ended; });
}

void Supervisor::watch() {
  while (!are_all_gone()) {
    const auto signal = signals_.next(std::chrono::milliseconds(deadline_ ? 50 : 500));
    if (signal && *signal != SIGCHLD) pass_on(*signal);
    for (int rank = 0; rank < board_.size(); ++rank) look_at(rank);
    give_up_stopped();
    if (board_.is_broken() && !deadline_) deadline_ = Clock::now() + options_.grace;
    if (deadline_ && Clock::now() >= *deadline_) kill_those_left();
  }
}

void Supervisor::pass_on(int signal) {
  if (signal == SIGTSTP) return suspend();
  passed_on_.insert(signal);
  for (const Child& child : children_)
    if (!child.ended) kill(child.process, signal);
}

/// Ctrl-Z: stops the ranks, then this process, and goes on with them.
void Supervisor::suspend() {
  kill(-children_.front().process, SIGSTOP);
  raise(SIGSTOP);
  kill(-children_.front().process, SIGCONT);
  for (int rank = 0; rank < board_.size(); ++rank) look_at(rank);
  for (Child& child : children_) child.stopped.reset();
}

void Supervisor::look_at(int rank) {
  Child& child = children_[static_cast<std::size_t>(rank)];
  if (child.ended) return;
  siginfo_t info{};
  const auto id = static_cast<id_t>(child.process);
  if (waitid(P_PID, id, &info, WSTOPPED | WCONTINUED | WNOHANG) == 0 && info.si_pid == child.process)
    info.si_code == CLD_CONTINUED ? child.stopped.reset() : note_stop(child);
  info = {};
  if (waitid(P_PID, id, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == child.process) note_end(rank, info);
}

void Supervisor::note_stop(Child& child) {
  if (!child.stopped) child.stopped = Clock::now();
}

void Supervisor::note_end(int rank, const siginfo_t& info) {
  Child& child = children_[static_cast<std::size_t>(rank)];
  child.ended = true;
  if (deadline_ || board_.state(rank) != Board::State::running) return;
  const std::string process = "(process " + std::to_string(child.process) + ") ";
  if (info.si_code == CLD_EXITED)
    return board_.lose(rank, process + "ended early with exit code " + std::to_string(info.si_status));
  if (passed_on_.contains(info.si_status)) killed_by_passed_on_ = info.si_status;
  board_.lose(rank, process + "was killed by " + signal_name(info.si_status) +
                        (info.si_status == SIGKILL ? "; the system does that when memory is short" : ""));
}

void Supervisor::give_up_stopped() {
  for (int rank = 0; rank < board_.size(); ++rank) {
    const Child& child = children_[static_cast<std::size_t>(rank)];
    if (child.ended || !child.stopped || Clock::now() < *child.stopped + options_.patience) continue;
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(options_.patience).count();
    board_.lose(
        rank, "(process " + std::to_string(child.process) + ") has been stopped for " + std::to_string(seconds) + " s");
    kill(child.process, SIGKILL);
  }
}

void Supervisor::kill_those_left() {
  for (const Child& child : children_)
    if (!child.ended) kill(child.process, SIGKILL);
}

bool Supervisor::all_failed_alike() const {
  const auto first = board_.failure(0);
  for (int rank = 0; rank < board_.size(); ++rank) {
    const auto failure = board_.failure(rank);
    if (!failure || to_bytes(*failure) != to_bytes(*first)) return false;
  }
  return true;
}

int Supervisor::result() const {
  const int failed = board_.first_to_fail();
  if (failed >= 0 && all_failed_alike()) throw_failure(*board_.failure(0));
  if (killed_by_passed_on_ != 0) throw Interruption("ended by " + signal_name(killed_by_passed_on_));
  board_.throw_if_lost(host_name());
  if (failed >= 0) throw_failure(named(*board_.failure(failed), rank_name(failed, host_name())));
  int largest = 0;
  for (int rank = 0; rank < board_.size(); ++rank) largest = std::max(largest, board_.result(rank));
  return largest;
}

}  // namespace

int run_as_processes(int size, const Body& body, const ProcessOptions& options) {
  Supervisor supervisor(size, options);
  supervisor.start(body);
  supervisor.watch();
  return supervisor.result();
}

}  // namespace galerna::parallel
