#include "app/terminal.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>

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

}  // namespace

void catch_signals() {
  catches_signals = true;
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
}

Terminal::Terminal(bool quiet) : quiet_(quiet), live_(isatty(STDERR_FILENO) != 0) {
  device::on_compile([this](const device::CompileEvent& event) {
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
}

Terminal::~Terminal() {
  finish_line();
  device::on_compile({});
  device::on_waiting({});
  device::on_interruption({});
}

void Terminal::finish_line() {
  if (line_open_) fmt::print(stderr, "{}", passing_ ? "\r\x1b[K" : "\n");
  line_open_ = passing_ = false;
}

void Terminal::message(const std::string& text) {
  if (!quiet_) error(text);
}

void Terminal::error(const std::string& text) {
  finish_line();
  fmt::print(stderr, "{}\n", text);
}

void Terminal::progress(const solver::Progress& progress) {
  if (quiet_) return;
  const auto now = std::chrono::steady_clock::now();
  const double interval = live_ ? 0.1 : 10.0;
  if (last_ != decltype(last_){} && std::chrono::duration<double>(now - last_).count() < interval) return;
  last_ = now;
  if (!live_) {
    fmt::print(stderr, "{}\n", describe(progress));
    return;
  }
  fmt::print(stderr, "\r\x1b[K{}", describe(progress));
  std::fflush(stderr);
  line_open_ = true;
}

void Terminal::working(const std::string& what) {
  if (quiet_) return;
  finish_line();
  fmt::print(stderr, "{}{}", what, live_ ? " ..." : "\n");
  std::fflush(stderr);
  line_open_ = passing_ = live_;
}

bool Terminal::interrupted() {
  return signals_caught > 0;
}

}  // namespace galerna::app
