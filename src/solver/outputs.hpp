/// \file
/// Everything that a simulation writes while it runs, and when.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/probes.hpp"
#include "analysis/solution.hpp"
#include "case/settings.hpp"
#include "drawing/space_raster.hpp"
#include "files/checkpoint.hpp"
#include "files/csv.hpp"
#include "files/vtu.hpp"
#include "solver/observer.hpp"
#include "solver/run_history.hpp"

namespace galerna::solver {

/// What a picture of the case shows of space; nothing in the plane.
std::optional<drawing::Scene> scene_of(const case_file::OutputSettings::Picture& picture, const mesh::Mesh& mesh);

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

  /// Writes what is due now; at the end of a run (`last`) everything that is switched on. What is added up at the same
  /// times goes to `history`.
  void write_due(Snapshot& now, RunHistory& history, bool last);

  void write_checkpoint(const files::Checkpoint& checkpoint, const std::string& name);
  /// VTU of the solution under `name`, of some elements only if `elements` is not empty.
  void write_state(const analysis::Solution& solution, const std::string& name,
                   const std::vector<mesh::Index>& elements = {});

  const std::filesystem::path& directory() const { return settings_.directory; }

 private:
  void write_solution(const analysis::Solution& solution);
  void write_pictures(const analysis::Solution& solution);
  void write_figures(const analysis::Solution& solution);
  void write_monitor(Snapshot& now);
  void locate_probes();
  void open_probes(const analysis::Solution& solution);
  void write_probes();
  void write_last(Snapshot& now, const RunHistory& history);
  std::vector<const case_file::Schedule*> schedules() const;
  bool due(const case_file::Schedule& schedule, double time, long step) const;

  const FlowState& flow_;
  const case_file::Settings& case_;
  const case_file::OutputSettings& settings_;
  Observer& observer_;
  std::optional<double> restart_time_;
  std::unique_ptr<files::PvdSeries> series_;
  std::unique_ptr<files::CsvMonitor> monitor_;
  struct ProbeFile {
    analysis::Probe probe;
    files::CsvMonitor file;
  };
  std::vector<std::vector<analysis::LocatedPoint>> probed_points_;  ///< [probe]; once the first rows are due
  std::vector<std::vector<mesh::Index>> probed_elements_;           ///< [block] positions
  std::vector<ProbeFile> probes_;
};

}  // namespace galerna::solver
