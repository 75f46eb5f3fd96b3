/// \file
/// Everything that a simulation writes while it runs, and when.
#pragma once

#include <exception>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/solution.hpp"
#include "case/settings.hpp"
#include "files/checkpoint.hpp"
#include "solver/output.hpp"
#include "solver/run_history.hpp"

namespace galerna::solver {

/// Writes by schedule. Times at which something is due are multiples of the interval counted from t = 0, so that a
/// restarted run writes at the same times as one that was never interrupted.
class Outputs {
 public:
  /// \param flow must outlive it; its discretization is there.
  /// \param restart_time rows and series entries later than this are dropped from files that are continued.
  Outputs(const FlowState& flow, Observer& observer, std::optional<double> restart_time);

  /// The next time at which something is due (infinity if nothing) after `time`, and the next step after `step`.
  double next_time(double time) const;
  long next_step(long step) const;

  /// Writes what is due now; at the end of a run (`last`) everything that is switched on: one that cannot be written
  /// then keeps none of the others from it. What is added up at the same times goes to `history`.
  void write_due(Snapshot& now, RunHistory& history, bool last);

  void write_checkpoint(const files::Checkpoint& checkpoint, const std::string& name);
  /// VTU of the solution under `name`, of some elements only if `elements` is not empty.
  void write_state(const analysis::Solution& solution, const std::string& name,
                   const std::vector<mesh::Index>& elements = {});

  const std::filesystem::path& directory() const { return settings_.directory; }
  /// Files that are there and bear the name of something in the case.
  std::vector<OutputFiles> files() const;
  /// \throws what kept the first of the last outputs from being written, if anything did
  void require_written() const;

 private:
  void write_last(Snapshot& now, const RunHistory& history);
  std::vector<const case_file::Schedule*> schedules() const;
  bool due(const case_file::Schedule& schedule, double time, long step) const;

  const FlowState& flow_;
  const case_file::OutputSettings& settings_;
  Observer& observer_;
  std::optional<double> restart_time_;
  std::vector<std::unique_ptr<Output>> outputs_;
  std::exception_ptr failed_;  ///< of the last outputs
};

}  // namespace galerna::solver
