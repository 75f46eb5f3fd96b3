/// \file
/// What a failing run does before it gives up (time.recover): it goes back to its last good state and takes smaller
/// steps for a while. Everything is decided by counts of steps and by simulated time, never by the clock, so that a run
/// that recovers repeats itself bit for bit.
#pragma once

#include "kernels/arguments.hpp"

namespace galerna::solver {

class Recovery {
 public:
  explicit Recovery(int attempts) : attempts_(attempts) {}

  bool possible() const { return count_ < attempts_; }
  int count() const { return count_; }
  int attempts() const { return attempts_; }
  /// Of the step that the settings ask for; 1 outside of a recovery.
  double factor() const { return factor_; }
  /// The simulated time up to which steps are reduced.
  double until() const { return until_; }

  /// Halves the step: until the time of the failure and as much again as was lost, and for 64 steps at least.
  void begin(const kernels::Control& failed, const kernels::Control& kept);
  /// How many of the `wanted` steps may be launched before over() and keeps() want to be asked.
  long launch(long wanted) const;
  /// Counts steps that were launched.
  void launched(long steps);
  /// Whether the present recovery has succeeded; if so it is over.
  bool over(const kernels::Control& control);
  /// Whether the state is to be kept. While steps are reduced only where the run stops (`stopped`), since outputs may
  /// have been written there: a second failure goes back to where the first one did.
  bool keeps(bool stopped);

 private:
  int attempts_, count_ = 0;
  double factor_ = 1, until_ = 0;
  long reduced_steps_ = 0;  ///< launched since the run went back
  long since_kept_ = 0;     ///< launched since the state was kept
};

}  // namespace galerna::solver
