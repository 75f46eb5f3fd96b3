#include "app/terminal.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <system_error>

#include "base/standard_streams.hpp"
#include "device/cache.hpp"
#include "device/program.hpp"

namespace galerna::app {
namespace {

volatile std::sig_atomic_t signals_caught = 0;
bool catches_signals = false;

void on_signal(int signal) {
  signals_caught = signals_caught + 1;
  if (signals_caught > 1) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
}

/// "1:02:03" or "2:03"
std::string clock(double seconds) {
  if (!std::isfinite(seconds) || seconds > 1e7) return "?";
  const long s = std::lround(seconds);
  return s >= 3600 ? fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60)
                   : fmt::format("{}:{:02}", s / 60, s % 60);
}

/// "1.23 G"
std::string with_prefix(double value) {
  if (value >= 1e9) return fmt::format("{:.2f} G", value / 1e9);
  if (value >= 1e6) return fmt::format("{:.1f} M", value / 1e6);
  return fmt::format("{:.0f} k", value / 1e3);
}

std::string bar(double filled, int width) {
  const int n = static_cast<int>(std::lround(filled * width));
  return "[" + std::string(static_cast<std::size_t>(n), '#') + std::string(static_cast<std::size_t>(width - n), '.') +
         "]";
}

std::string describe(const solver::Progress& p) {
  const bool passes = p.dt > 0;  // no time does in Newton's method, whose change is the relative residual
  std::string text = fmt::format("{} {:5.1f} %  t {:.5g}", bar(p.done, 24), 100 * p.done, p.time);
  if (passes) text += fmt::format("  dt {:.3g}", p.dt);
  text += fmt::format("  step {}", p.step);
  if (p.change && std::isfinite(*p.change))
    text += fmt::format("  {} {:.2e}", passes ? "change" : "relative residual", *p.change);
  text += fmt::format("  {:.4g} steps/s  {}DOF/s", p.steps_per_second, with_prefix(p.dof_per_second));
  if (p.done > 0.001 && p.left) text += fmt::format("  left {}", clock(*p.left));
  return text;
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

void print_warnings(const std::vector<files::Report::Warning>& warnings) {
  for (const files::Report::Warning& warning : warnings) print_error("warning: " + warning.message + "\n");
}

void catch_signals() {
  catches_signals = true;
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  // Of a terminal that closes, unless nohup asks not to hear of it.
  if (std::signal(SIGHUP, on_signal) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);
}

Terminal::Terminal(bool quiet) : quiet_(quiet), live_(isatty(STDERR_FILENO) != 0) {
  device::on_compile([this](const device::CompileEvent& event) {
    const std::lock_guard lock(mutex_);
    compiles_since_ = std::chrono::steady_clock::now();
    expected_ = event.finished ? std::nullopt : event.expected;
    if (!event.finished)
      message(fmt::format("compiling kernels: {}{}", event.title,
                          event.expected ? fmt::format(" (about {:.0f} s)", std::ceil(*event.expected)) : ""));
    else if (event.title == compiling_)
      message(fmt::format("  compiled in {:.1f} s", event.seconds));
    else  // others began meanwhile
      message(fmt::format("  compiled in {:.1f} s: {}", event.seconds, event.title));
    compiling_ = event.finished ? "" : event.title;
  });
  device::on_waiting([this](const std::string& title, const std::string& holder) {
    message(fmt::format("waiting for {}, which compiles the same kernels: {}", holder, title));
  });
  if (catches_signals) device::on_interruption([this] { return interrupted(); });
  if (!quiet_) try {
      watcher_ = std::thread([this] { watch(); });
    } catch (const std::system_error&) {
      // Where the system grants no thread there are fewer words.
    }
}

Terminal::~Terminal() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  ends_.notify_all();
  if (watcher_.joinable()) watcher_.join();
  finish_line();
  device::on_compile({});
  device::on_waiting({});
  device::on_interruption({});
}

/// Until the terminal ends.
void Terminal::watch() {
  constexpr auto pause = std::chrono::milliseconds(100);
  std::unique_lock lock(mutex_);
  while (!ends_.wait_for(lock, pause, [this] { return ended_; })) look();
}

/// What is being done: a phase, or compiling.
std::optional<PhaseView> Terminal::present() const {
  if (compiling_.empty()) return present_phase();
  const double seconds = seconds_since(compiles_since_);
  PhaseView view{"compiling kernels", seconds, 0, {}, {}};
  if (expected_ && seconds < *expected_) {
    view.share = seconds / *expected_;
    view.left = *expected_ - seconds;
  }
  return view;
}

/// Announces what takes longer than a moment, and tells how far it is.
void Terminal::look() {
  constexpr double soon = 0.7, again_on_terminal = 0.2, again_in_file = 2.5;
  const double silent = seconds_since(said_);
  const std::optional<PhaseView> phase = present();
  if (!phase || phase->seconds < phase->patience || silent < again_on_terminal) return;
  const bool known = phase->doing == shown_;
  if (silent < (known ? (live_ ? again_on_terminal : again_in_file) : soon)) return;
  if (!known) finish_line();
  if (!known && !live_) print_error(phase->doing + "\n");
  if (known || live_) show(*phase);
  shown_ = phase->doing;
  said_ = std::chrono::steady_clock::now();
}

void Terminal::show(const PhaseView& phase) {
  std::string text = phase.doing;
  constexpr double long_enough = 2;  // before an estimate is one
  if (phase.share && phase.seconds >= long_enough) {
    const double share = std::clamp(*phase.share, 0.0, 1.0);
    text += fmt::format(" {} {:.0f} %", bar(share, 24), 100 * share);
    if (phase.left) text += fmt::format(", about {} left", clock(*phase.left));
  } else {
    text += live_ ? " ..." : fmt::format(", {} so far", clock(phase.seconds));
  }
  print_error(fmt::format("{}{}{}", live_ ? "\r\x1b[K" : "", text, live_ ? "" : "\n"));
  line_open_ = passing_ = live_;
}

void Terminal::finish_line() {
  const std::lock_guard lock(mutex_);
  if (line_open_) print_error(passing_ ? "\r\x1b[K" : "\n");
  line_open_ = passing_ = false;
}

void Terminal::message(const std::string& text) {
  if (!quiet_) error(text);
}

void Terminal::error(const std::string& text) {
  const std::lock_guard lock(mutex_);
  finish_line();
  print_error(text + "\n");
  said_ = std::chrono::steady_clock::now();
}

void Terminal::progress(const solver::Progress& progress) {
  if (quiet_) return;
  const std::lock_guard lock(mutex_);
  const auto now = std::chrono::steady_clock::now();
  const double interval = live_ ? 0.1 : 10.0;
  if (last_ != decltype(last_){} && std::chrono::duration<double>(now - last_).count() < interval) return;
  last_ = said_ = now;
  if (passing_) finish_line();
  if (!live_) {
    print_error(describe(progress) + "\n");
    return;
  }
  print_error("\r\x1b[K" + describe(progress));
  line_open_ = true;
}

void Terminal::working(const std::string& what) {
  if (quiet_) return;
  const std::lock_guard lock(mutex_);
  finish_line();
  shown_ = what;
  said_ = std::chrono::steady_clock::now();
  print_error(what + (live_ ? " ..." : "\n"));
  line_open_ = passing_ = live_;
}

bool Terminal::interrupted() {
  return signals_caught > 0;
}

}  // namespace galerna::app
