/// \file
/// Everything that a simulation writes while it runs, and when.
#pragma once

#include <exception>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/solution.hpp"
#include "case/settings.hpp"
#include "files/checkpoint.hpp"
#include "solver/outputs/output.hpp"
#include "solver/outputs/output_queue.hpp"
#include "solver/run/wall_clock.hpp"

namespace galerna::solver {

/// Writes by schedule. Times at which something is due are multiples of the interval counted from t = 0, so that a
/// restarted run writes at the same times as one that was never interrupted.
class Outputs {
 public:
  /// Makes a checkpoint of what was taken at its moment; called by any thread.
  using MakeCheckpoint = std::function<files::Checkpoint()>;

  /// All but the time must outlive it.
  /// \param pending moments of which files of the whole solution may wait in memory while the run goes on
  /// \param keeps whether files of the whole solution and checkpoints are written: one of several ranks does, while all
  /// take what they are made of
  /// \param restart_time rows and series entries later than this are dropped from files that are continued.
  Outputs(const case_file::Settings& settings, const mesh::Mesh& mesh, Observer& observer, WallClock& clock,
          int pending, bool keeps, std::optional<double> restart_time);

  /// The next time at which something is due (infinity if nothing) after `time`, and the next step after `step`.
  double next_time(double time) const;
  long next_step(long step) const;

  /// Whether a row of monitor.csv is due now.
  bool monitor_is_due(const Moment& now, bool last) const {
    return !is_written(now, last) && is_due(settings_.monitor_schedule, now, last);
  }
  /// Writes what is due now; at the end of a run (`last`) everything that is switched on: one that cannot be written
  /// then keeps none of the others from it. Files of the whole solution are written beside what follows, unless it is
  /// the end. \param checkpoint takes the moment; null where there is nothing to continue from. \throws what kept an
  /// earlier file from being written, too
  void write_due(Moment& now, const std::function<MakeCheckpoint()>& checkpoint, bool last);
  /// Waits until all that was due is written. \throws what kept it from that
  void finish();
  /// Whether something could not be written, which finish() would throw.
  bool failed() const { return queue_.failed(); }
  /// Seconds that files took beside the run.
  double seconds_beside() const { return queue_.seconds(); }

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
  /// What goes wrong is kept for require_written(), and other outputs are written.
  void attempt(const std::function<void()>& write);
  void write_beside(Moment& now, const std::function<MakeCheckpoint()>& checkpoint);
  void write_last(Moment& now, const std::function<MakeCheckpoint()>& checkpoint);
  std::vector<const case_file::Schedule*> schedules() const;
  static bool due(const case_file::Schedule& schedule, const Moment& now);
  static bool is_due(const case_file::Schedule& schedule, const Moment& now, bool last) {
    return now.step() == 0 || last || due(schedule, now);
  }
  /// A restarted run finds the files of its first moment already written.
  bool is_written(const Moment& now, bool last) const { return restart_time_ && now.time() <= *restart_time_ && !last; }

  const case_file::OutputSettings& settings_;
  Observer& observer_;
  WallClock& clock_;
  bool keeps_;
  std::optional<double> restart_time_;
  std::vector<std::unique_ptr<Output>> outputs_;
  std::exception_ptr failed_;  ///< of the last outputs
  OutputQueue queue_;          ///< ends before what its jobs write with
};

}  // namespace galerna::solver
