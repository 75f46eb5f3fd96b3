/// \file
/// Where the wall time of a run goes.
#pragma once

#include <array>
#include <chrono>

#include "files/report.hpp"

namespace galerna::solver {

/// At every moment one part of a run is counted and no other, so that the parts add up to the whole. What kernels take
/// to compile counts as that, whatever the part.
class WallClock {
 public:
  using Clock = std::chrono::steady_clock;
  enum class Part {
    start,    ///< before the simulation: the program itself, the case file, the device
    read,     ///< of the mesh
    refine,   ///< dividing and curving its elements
    prepare,  ///< faces, numbering, checks of the case
    upload,   ///< what kernels need of the mesh, initial state or checkpoint; again for each degree of a sequence
    compile,  ///< of kernels
    tuning,   ///< measuring which structure of kernels is fastest
    loop,     ///< steps
    watch,    ///< between launches of steps: is the state physical, what is next, copies to fall back on
    wait,     ///< until there is room for another output, or all are written
    output,   ///< files, while the run goes on and at its end, as far as nothing is computed beside
    finish    ///< afterwards: errors, balances, forces, kernels' times, explaining a failure
  };

  /// Counts `start` since `began`, when the process did at the latest.
  explicit WallClock(Clock::time_point began);

  /// From now on.
  void enter(Part part);
  /// The part while the object lives, then again what was before.
  class Scope {
   public:
    Scope(WallClock& clock, Part part) : clock_(clock), before_(clock.part_) { clock.enter(part); }
    ~Scope() { clock_.enter(before_); }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    WallClock& clock_;
    Part before_;
  };

  /// Of a part, up to the last change of parts.
  double seconds(Part part) const { return seconds_[static_cast<std::size_t>(part)]; }
  /// Of all parts until now, and of the whole.
  void report(files::Report::Time& time);

 private:
  static constexpr std::size_t parts = static_cast<std::size_t>(Part::finish) + 1;

  Clock::time_point began_, since_;
  double compiled_;  ///< device::compile_seconds() at `since_`
  Part part_ = Part::start;
  std::array<double, parts> seconds_{};
};

}  // namespace galerna::solver
