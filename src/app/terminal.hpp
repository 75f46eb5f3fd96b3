/// \file
/// What a person sees while a simulation runs: messages, and one live line of progress (on a terminal) or a line now
/// and then.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/phases.hpp"
#include "files/report.hpp"
#include "solver/run/observer.hpp"

namespace galerna::app {

class Terminal : public solver::Observer {
 public:
  explicit Terminal(bool quiet);
  ~Terminal() override;
  void message(const std::string& text) override;
  void error(const std::string& text) override;
  void progress(const solver::Progress& progress) override;
  void working(const std::string& what) override;
  bool interrupted() override;
  /// Ends the live line.
  void finish_line();

 private:
  void watch();
  void look();
  void show(const PhaseView& phase);
  std::optional<PhaseView> present() const;

  bool quiet_, live_;
  std::string compiling_;                     ///< what began last, if nothing has ended since
  bool line_open_ = false, passing_ = false;  ///< the live line, and whether it goes again when it ends
  std::chrono::steady_clock::time_point last_{};
  std::chrono::steady_clock::time_point said_ = std::chrono::steady_clock::now();  ///< when there was a word
  std::chrono::steady_clock::time_point compiles_since_{};
  std::optional<double> expected_;  ///< seconds for compiling
  std::string shown_;               ///< the phase that was announced last

  std::recursive_mutex mutex_;
  std::condition_variable_any ends_;
  bool ended_ = false;
  std::thread watcher_;  ///< speaks where nothing has been said for a while
};

/// To standard error, a line for each.
void print_warnings(const std::vector<files::Report::Warning>& warnings);

/// Makes SIGINT, SIGTERM and SIGHUP ask running simulations and compilers to stop (a second one ends the program at
/// once). Before a Terminal is made, which hears of it.
void catch_signals();

}  // namespace galerna::app
