/// \file
/// What advances the flow of a run: steps in time (time_loop.hpp) or Newton's method (newton_loop.hpp).
#pragma once

#include <functional>

#include "files/report.hpp"
#include "solver/outputs/outputs.hpp"

namespace galerna::solver {

/// Why a run ends; none: it goes on.
enum class Ending { none, done, steady, step_limit, failed, interrupted };

/// Where a marcher stops.
struct Stop {
  double time;  ///< which it meets exactly, if it goes through time
  long step;
  /// Asked now and then; true counts as an interruption.
  std::function<bool()> interrupts;
};

class Marcher {
 public:
  virtual ~Marcher() = default;

  /// At the flow's present degree.
  virtual void begin() = 0;
  /// Before the flow's discretization goes: gives back what it has on the device. begin() follows, or the run ends.
  virtual void leave() {}
  /// Advances until a stop, until the next degree is due or the flow is steady (Ending::steady), or until it fails.
  virtual Ending advance(const Stop& stop) = 0;
  /// After a failure: writes what helps to find the cause, and tells it.
  virtual files::Failure give_up(Outputs& outputs) = 0;
  /// Whether it goes through time in the steps of the flow's stepper, whose kernels a report has.
  virtual bool goes_through_time() const = 0;
  /// What it knows of its way.
  virtual void report(files::Report&) const {}
};

}  // namespace galerna::solver
