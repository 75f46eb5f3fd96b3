/// \file
/// Everything that a simulation writes while it runs, and when.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
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

namespace galerna::solver {

/// What the monitors need beside the solution.
struct MonitorValues {
  double dt = 0, change = 0;
  std::vector<double> residual;       ///< [variable]
  std::vector<double> integrals;      ///< [variable]
  std::vector<double> boundary_flux;  ///< [variable]
  std::map<std::string, std::array<double, 3>> forces;
  std::vector<double> of_formulas;  ///< [output.integral.NAME]
};

/// What a picture of the case shows of space; nothing in the plane.
std::optional<drawing::Scene> scene_of(const case_file::OutputSettings::Picture& picture, const mesh::Mesh& mesh);

/// Writes by schedule. Times at which something is due are multiples of the interval counted from t = 0, so that a
/// restarted run writes at the same times as one that was never interrupted.
class Outputs {
 public:
  using Tell = std::function<void(const std::string& what)>;
  /// \param restart_time rows and series entries later than this are dropped from files that are continued.
  /// \param working is told what is being written at the end of a run.
  Outputs(const case_file::Settings& settings, const mesh::Mesh& mesh, const std::vector<std::string>& variables,
          std::vector<std::string> walls, std::optional<double> restart_time, Tell working);

  /// The next time at which something is due (infinity if nothing) after `time`, and the next step after `step`.
  double next_time(double time) const;
  long next_step(long step) const;

  using GetSolution = std::function<const analysis::Solution&()>;
  /// The solution on the elements with these [block] positions alone.
  using GetPart = std::function<analysis::Solution(const std::vector<std::vector<mesh::Index>>& positions)>;
  using GetCheckpoint = std::function<files::Checkpoint()>;
  using GetMonitor = std::function<MonitorValues()>;
  /// Writes what is due at (time, step); at the end of a run (`last`) everything that is switched on.
  void write_due(double time, long step, bool last, const GetSolution& solution, const GetPart& part,
                 const GetCheckpoint& checkpoint, const GetMonitor& monitor);

  void write_checkpoint(const files::Checkpoint& checkpoint, const std::string& name);
  /// VTU of the solution under `name`, of some elements only if `elements` is not empty.
  void write_state(const analysis::Solution& solution, const std::string& name,
                   const std::vector<mesh::Index>& elements = {});

  const std::filesystem::path& directory() const { return settings_.directory; }

 private:
  void write_solution(const analysis::Solution& solution);
  void write_pictures(const analysis::Solution& solution);
  void write_monitor(double time, long step, const MonitorValues& values);
  void open_probes(const GetPart& part);
  void write_probes(const GetPart& part);
  std::vector<const case_file::Schedule*> schedules() const;
  bool due(const case_file::Schedule& schedule, double time, long step) const;

  const case_file::OutputSettings& settings_;
  const mesh::Mesh& mesh_;
  std::string title_;
  std::vector<std::string> walls_;
  std::optional<double> restart_time_;
  Tell working_;
  std::unique_ptr<files::PvdSeries> series_;
  std::unique_ptr<files::CsvMonitor> monitor_;
  struct ProbeFile {
    analysis::Probe probe;
    files::CsvMonitor file;
  };
  std::vector<ProbeFile> probes_;                          ///< once the first rows are due
  std::vector<std::vector<mesh::Index>> probed_elements_;  ///< [block] positions
};

}  // namespace galerna::solver
