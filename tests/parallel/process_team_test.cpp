#include "parallel/process_team.hpp"

#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <fstream>
#include <iostream>
#include <random>
#include <thread>

#include "base/interruption.hpp"
#include "parallel/board.hpp"
#include "parallel/thread_team.hpp"

namespace galerna::parallel::tests {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto limit = 20s;  ///< within which all must have ended that is said to end

/// Asks until it holds; false when it never does.
bool in_time(const std::function<bool()>& holds) {
  for (const auto end = Clock::now() + limit; Clock::now() < end; std::this_thread::sleep_for(1ms))
    if (holds()) return true;
  return false;
}

/// run_as_processes in a process of its own, which the test and its ranks may do anything to.
class WatchedRun {
 public:
  WatchedRun(int size, const std::function<int(Team&)>& body, const ProcessOptions& options = {}) : size_(size) {
    // Ranks that outlive the run become children of this process, so that none is overlooked.
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    if (pipe(pipe_.data()) != 0) throw std::runtime_error("no pipe");
    std::cout.flush();
    process_ = fork();
    if (process_ != 0) {
      close(pipe_[1]);
      return;
    }
    const auto counted = [&](Team& team) {
      ++started();
      return body(team);
    };
    int code = 0;
    try {
      code = run_as_processes(size, counted, options);
    } catch (const Error& error) {
      say(error.what());
      code = static_cast<int>(error.code());
    } catch (const std::exception& error) {
      say(error.what());
      code = 99;
    }
    _exit(code);
  }

  ~WatchedRun() {
    if (process_ != 0) kill(process_, SIGKILL);
    close(pipe_[0]);
    while (waitpid(-1, nullptr, 0) > 0) {
    }
    prctl(PR_SET_CHILD_SUBREAPER, 0);
  }

  pid_t process() const { return process_; }
  int size() const { return size_; }

  /// The processes of the ranks that there are now.
  std::vector<pid_t> ranks() const {
    const std::string id = std::to_string(process_);
    std::ifstream file("/proc/" + id + "/task/" + id + "/children");
    std::vector<pid_t> processes;
    for (pid_t process = 0; file >> process;) processes.push_back(process);
    return processes;
  }
  /// Waits for the rank's process to be there.
  pid_t rank(int which) const {
    std::vector<pid_t> processes;
    if (!in_time([&] { return (processes = ranks()).size() > static_cast<std::size_t>(which); })) return 0;
    return processes[static_cast<std::size_t>(which)];
  }
  bool all_started() const {
    return in_time([&] { return started() == size_; });
  }
  /// Ranks count themselves here.
  std::atomic<int>& started() const { return *reinterpret_cast<std::atomic<int>*>(memory_.data()); }

  /// Waits for the run's end. \returns its exit code, minus the signal that killed it, or −999 if it does not end
  int code() {
    int status = 0;
    if (!in_time([&] { return waitpid(process_, &status, WNOHANG) == process_; })) return -999;
    process_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }
  /// What the run's exception said.
  std::string message() const {
    std::array<char, 1000> text{};
    const ssize_t count = read(pipe_[0], text.data(), text.size());
    return {text.data(), count > 0 ? static_cast<std::size_t>(count) : 0};
  }
  /// Whether in the end no process is there any more, dead or alive.
  static bool nothing_is_left() {
    return in_time([] {
      while (waitpid(-1, nullptr, WNOHANG) > 0) {
      }
      return waitpid(-1, nullptr, WNOHANG) < 0 && errno == ECHILD;
    });
  }

 private:
  void say(const std::string& text) const {
    if (write(pipe_[1], text.data(), text.size()) < 0) _exit(98);
  }

  int size_;
  SharedMemory memory_{4096};
  std::array<int, 2> pipe_{};
  pid_t process_ = 0;
};

/// Talks and computes until somebody ends it.
int go_on_forever(Team& team) {
  const auto size = static_cast<std::size_t>(team.size());
  for (std::int64_t step = 0;; ++step) {
    const std::vector<std::vector<std::int64_t>> sent(size, std::vector<std::int64_t>(20000, step));
    const auto received = team.all_to_all(sent);
    if (team.minimum(received.back().back()) != step) throw std::logic_error("a wrong step");
    team.only_first([] { std::this_thread::sleep_for(1ms); });
  }
}

int sleep_forever(Team&) {
  while (true) std::this_thread::sleep_for(1h);
}

TEST(ProcessTeam, ReturnsTheLargestResult) {
  EXPECT_EQ(run_as_processes(3, [](Team& team) { return team.rank() == 1 ? 130 : team.rank(); }), 130);
  EXPECT_EQ(run_as_processes(1, [](Team&) { return 0; }), 0);
}

TEST(ProcessTeam, ThrowsAtTheCallerWhatOneRankThrew) {
  const auto body = [](Team& team) -> int {
    if (team.rank() == 1) throw InputError({"case.toml", 7, 0}, "no such thing");
    team.barrier();
    return 0;
  };
  try {
    run_as_processes(3, body);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.what(), "case.toml:7: error: rank 1 (host " + host_name() + "): no such thing");
  }
}

TEST(ProcessTeam, ThrowsWithoutARankWhatAllThrew) {
  const auto body = [](Team& team) -> int {
    team.only_first([] { throw SystemError("disk full"); });
    return 0;
  };
  try {
    run_as_processes(3, body);
    FAIL();
  } catch (const SystemError& error) {
    EXPECT_STREQ(error.what(), "disk full");
  }
}

TEST(ProcessTeam, CutsAMessageThatIsTooLong) {
  const auto body = [](Team&) -> int { throw SystemError(std::string(1000000, 'x')); };
  EXPECT_THROW(run_as_processes(2, body), Error);
}

TEST(ProcessTeam, KillsThoseWhoDoNotHearThatOneFailed) {
  const auto body = [](Team& team) -> int {
    if (team.rank() == 2) throw SystemError("broken");
    return sleep_forever(team);
  };
  ProcessOptions options;
  options.grace = 100ms;
  WatchedRun run(3, body, options);
  EXPECT_EQ(run.code(), 4);
  EXPECT_EQ(run.message(), "rank 2 (host " + host_name() + "): broken");
  EXPECT_TRUE(run.nothing_is_left());
}

int ask_forever(Team& team) {
  while (true) team.check_others();
}

TEST(ProcessTeam, TellsThoseWhoAsk) {
  const auto body = [](Team& team) {
    if (team.rank() == 1) kill(getpid(), SIGKILL);
    return ask_forever(team);
  };
  ProcessOptions options;
  options.grace = 1h;
  WatchedRun run(2, body, options);
  EXPECT_EQ(run.code(), 4);
  EXPECT_TRUE(run.message().starts_with("rank 1"));
  EXPECT_TRUE(run.nothing_is_left());
}

TEST(ThreadTeam, TellsThoseWhoAsk) {
  const auto body = [](Team& team) {
    if (team.rank() == 1) throw InputError({}, "wrong");
    ask_forever(team);
  };
  EXPECT_THROW(run_as_threads(2, body), InputError);
}

TEST(ProcessTeam, NoticesThatARankEndedEarly) {
  WatchedRun run(3, [](Team& team) -> int {
    if (team.rank() == 1) _exit(7);
    return go_on_forever(team);
  });
  EXPECT_EQ(run.code(), 4);
  EXPECT_NE(run.message().find("ended early with exit code 7"), std::string::npos);
  EXPECT_TRUE(run.nothing_is_left());
}

TEST(ProcessTeam, NoticesThatARankReturnedWhileOthersWait) {
  const auto barrier = [](Team& team) {
    if (team.rank() != 1) team.barrier();
    return 0;
  };
  EXPECT_THROW(run_as_processes(3, barrier), SystemError);
  const auto exchange = [](Team& team) {
    const int other = 1 - team.rank();
    if (team.rank() == 0) team.exchange(std::vector<Message>{{other, {}, {}}});
    return 0;
  };
  EXPECT_THROW(run_as_processes(2, exchange), SystemError);
}

TEST(ProcessTeam, EndsAsAWholeWhereverARankIsKilled) {
  std::mt19937 random(17);
  for (int repeat = 0; repeat < 20; ++repeat) {
    WatchedRun run(3, go_on_forever);
    const int victim = static_cast<int>(random() % 3);
    const pid_t process = run.rank(victim);
    std::this_thread::sleep_for(std::chrono::microseconds(repeat < 5 ? 0 : random() % 50000));
    kill(process, SIGKILL);
    EXPECT_EQ(run.code(), 4);
    const std::string message = run.message();
    EXPECT_TRUE(message.starts_with("rank " + std::to_string(victim) + " (host " + host_name() + ") (process " +
                                    std::to_string(process) + ") was killed by signal 9"))
        << message;
    EXPECT_TRUE(run.nothing_is_left());
  }
}

TEST(ProcessTeam, DiesWithTheCaller) {
  for (const bool early : {false, true}) {
    WatchedRun run(3, early ? sleep_forever : go_on_forever);
    EXPECT_TRUE(early ? run.rank(1) > 0 : run.all_started());
    kill(run.process(), SIGKILL);
    EXPECT_EQ(run.code(), -SIGKILL);
    EXPECT_TRUE(run.nothing_is_left());
  }
}

TEST(ProcessTeam, GivesUpARankThatIsStopped) {
  ProcessOptions options;
  options.patience = 300ms;
  WatchedRun run(3, go_on_forever, options);
  EXPECT_TRUE(run.all_started());
  kill(run.rank(1), SIGSTOP);
  EXPECT_EQ(run.code(), 4);
  EXPECT_NE(run.message().find("rank 1 (host " + host_name() + ") (process"), std::string::npos);
  EXPECT_TRUE(run.nothing_is_left());
}

std::atomic<bool> asked_to_stop = false;

/// Listens to SIGTERM; processes that are forked meanwhile do, too.
class Listener {
 public:
  Listener() : before_(std::signal(SIGTERM, [](int) { asked_to_stop = true; })) {}
  ~Listener() { std::signal(SIGTERM, before_); }

 private:
  void (*before_)(int);
};

int stop_when_asked(Team& team) {
  while (!team.any(asked_to_stop)) {
  }
  return 130;
}

TEST(ProcessTeam, WaitsForARankThatContinues) {
  const Listener listener;
  WatchedRun run(2, stop_when_asked);
  EXPECT_TRUE(run.all_started());
  kill(run.rank(1), SIGSTOP);
  std::this_thread::sleep_for(100ms);
  kill(run.rank(1), SIGCONT);
  kill(run.rank(1), SIGTERM);
  EXPECT_EQ(run.code(), 130);
  EXPECT_TRUE(run.nothing_is_left());
}

TEST(ProcessTeam, PassesSignalsOnToEachRank) {
  const Listener listener;
  WatchedRun run(3, [](Team&) {
    while (!asked_to_stop) std::this_thread::sleep_for(1ms);
    return 130;
  });
  EXPECT_TRUE(run.all_started());
  kill(run.process(), SIGTERM);
  EXPECT_EQ(run.code(), 130);
  EXPECT_TRUE(run.nothing_is_left());
}

TEST(ProcessTeam, SaysThatASignalEndedIt) {
  for (const int signal : {SIGINT, SIGTERM}) {
    WatchedRun run(3, go_on_forever);
    EXPECT_TRUE(run.all_started());
    kill(run.process(), signal);
    EXPECT_EQ(run.code(), 130);
    EXPECT_TRUE(run.message().starts_with("ended by signal " + std::to_string(signal)));
    EXPECT_TRUE(run.nothing_is_left());
  }
}

/// The letter of a process's state: T is stopped.
char state_of(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  const std::string text(std::istreambuf_iterator<char>(file), {});
  const std::size_t name_end = text.rfind(')');
  return name_end == std::string::npos ? '?' : text.at(name_end + 2);
}

TEST(ProcessTeam, IsSuspendedAsAWhole) {
  ProcessOptions options;
  options.patience = 200ms;
  const Listener listener;
  WatchedRun run(2, stop_when_asked, options);
  EXPECT_TRUE(run.all_started());
  const std::vector<pid_t> ranks = run.ranks();
  kill(run.process(), SIGTSTP);
  EXPECT_TRUE(in_time(
      [&] { return state_of(run.process()) == 'T' && state_of(ranks[0]) == 'T' && state_of(ranks[1]) == 'T'; }));
  std::this_thread::sleep_for(400ms);
  kill(run.process(), SIGCONT);
  EXPECT_TRUE(in_time([&] { return state_of(run.process()) != 'T' && state_of(ranks[1]) != 'T'; }));
  kill(run.process(), SIGTERM);
  EXPECT_EQ(run.code(), 130);
  EXPECT_TRUE(run.nothing_is_left());
}

TEST(ProcessTeam, WritesOnceWhatWasInBuffers) {
  testing::internal::CaptureStdout();
  std::fputs("before ", stdout);
  std::cout << "it ";
  run_as_processes(3, [](Team& team) {
    if (team.is_first()) std::cout << "and in it";
    return 0;
  });
  const std::string output = testing::internal::GetCapturedStdout();
  EXPECT_TRUE(output == "before it and in it" || output == "it before and in it") << output;
}

TEST(ThreadTeam, WakesThoseWhoWaitForOneThatFailed) {
  for (const int thrower : {0, 2}) {
    std::atomic<int> lost = 0;
    const auto body = [&](Team& team) {
      if (team.rank() == thrower) throw InputError({}, "wrong");
      try {
        team.barrier();
      } catch (const RankLost& loss) {
        if (loss.rank() == thrower) ++lost;
        throw;
      }
    };
    EXPECT_THROW(run_as_threads(4, body), InputError);
    EXPECT_EQ(lost, 3);
  }
}

}  // namespace
}  // namespace galerna::parallel::tests
