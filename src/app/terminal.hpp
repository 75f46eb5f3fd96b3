/// \file
/// What a person sees while a simulation runs: messages, and one live line of progress (on a terminal) or a line now
/// and then.
#pragma once

#include <chrono>
#include <string>

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
  bool quiet_, live_;
  std::string compiling_;                     ///< what began last, if nothing has ended since
  bool line_open_ = false, passing_ = false;  ///< the live line, and whether it goes again when it ends
  std::chrono::steady_clock::time_point last_{};
};

/// Makes SIGINT and SIGTERM ask running simulations and compilers to stop (a second one ends the program at once).
/// Before a Terminal is made, which hears of it.
void catch_signals();

}  // namespace galerna::app
