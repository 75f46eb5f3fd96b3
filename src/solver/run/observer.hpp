/// \file
/// What the command line adds to a case, and what it hears of a run.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>

#include "device/device.hpp"
#include "parallel/team.hpp"

namespace galerna::solver {

/// Moments of which files may wait in memory while a run goes on: one is written meanwhile, one is next.
constexpr int default_pending = 2;

/// What the command line adds to the case.
struct RunOptions {
  std::string device = "auto";
  device::Precision precision = device::Precision::double_precision;
  std::optional<std::filesystem::path> restart = {};  ///< checkpoint to continue from
  std::string structure = {};                         ///< row of dg/structures.hpp that is asked for, empty: none
  int pending = default_pending;  ///< moments of which files may wait in memory while the run goes on
  /// Ranks among which the mesh is cut; null for one. All run the same, the first one writes.
  parallel::Team* team = nullptr;
  bool writes = true;  ///< files into the output folder; false where a case is only measured
  /// When the program began, for the account of its time.
  std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();
};

/// Where a run stands, for the progress line.
struct Progress {
  double time = 0;
  double done = 0;               ///< share of the way to the end, as far as that is known; never falls
  std::optional<double> left;    ///< seconds to the end
  std::optional<double> change;  ///< of runs to a steady state, in the steady norm
  double dt = 0;
  long step = 0;
  double seconds = 0;  ///< wall time of the time loop so far
  double steps_per_second = 0;
  double dof_per_second = 0;
};

/// Told what happens while a simulation runs.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void message(const std::string& text) = 0;
  /// Why a simulation failed; told even to those who want to hear of nothing else.
  virtual void error(const std::string& text) { message(text); }
  virtual void progress(const Progress& progress) = 0;
  /// What is being done after the last step, which may take a while.
  virtual void working(const std::string& /*what*/) {}
  /// Asked after every launch and every output; true ends the run after a checkpoint. Once true it stays true.
  virtual bool interrupted() = 0;
};

}  // namespace galerna::solver
