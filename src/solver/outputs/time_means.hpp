/// \file
/// Means over time of the flow and of forces (output.averages): how they are taken, kept and continued.
#pragma once

#include "case/settings.hpp"
#include "files/checkpoint.hpp"
#include "solver/outputs/force_averages.hpp"
#include "solver/outputs/snapshot.hpp"
#include "time/stepper.hpp"

namespace galerna::solver {

class TimeMeans {
 public:
  /// Must outlive it.
  explicit TimeMeans(const case_file::Settings& settings) : settings_(settings), forces_(settings) {}

  /// The time at which means begin, if that is still to come; infinity otherwise.
  static double next_start(time::Stepper& stepper);

  void sample_forces(Snapshot& flow);

  void write(files::Checkpoint& checkpoint, const Snapshot& flow) const;
  /// Goes on with the means of the checkpoint unless the case wants later ones.
  void restart(const files::Checkpoint& checkpoint, const FlowState& flow);
  void report(files::Report& report, const time::Stepper& stepper) const;

 private:
  const case_file::Settings& settings_;
  ForceAverages forces_;
};

}  // namespace galerna::solver
