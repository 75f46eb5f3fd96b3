/// \file
/// One simulation: set up from a case, advanced from output to output, judged, and reported at its end.
#pragma once

#include <memory>
#include <optional>

#include "case/settings.hpp"
#include "device/early_device.hpp"
#include "files/output_folder.hpp"
#include "files/report.hpp"
#include "solver/curved_mesh.hpp"
#include "solver/outputs/outputs.hpp"
#include "solver/run/boundary_watch.hpp"
#include "solver/run/failure_handler.hpp"
#include "solver/run/flow_setup.hpp"
#include "solver/run/flow_state.hpp"
#include "solver/run/marcher.hpp"
#include "solver/run/next_degree.hpp"
#include "solver/run/observer.hpp"
#include "solver/run/run_history.hpp"
#include "solver/run/wall_clock.hpp"

namespace galerna::solver {

class Simulation {
 public:
  /// Sets everything up: mesh, device, kernels, initial state or checkpoint.
  /// \throws InputError, SystemError; Interruption where the kernels are compiled (device::on_interruption).
  Simulation(case_file::Settings settings, RunOptions options, Observer& observer);
  Simulation(const Simulation&) = delete;

  /// Runs to the end, or to failure or interruption, and writes all outputs; of options that write. Returns what
  /// report.json says.
  files::Report run();

  // The same in parts.
  /// Writes what is due at the start.
  Ending begin();
  /// To the next stop, where outputs are due or the flow is looked at; \return why the run ends, if it does.
  Ending advance();
  /// Writes what is due at the end. Nothing may be called afterwards.
  files::Report finish(Ending ending);

  const FlowState& flow() const { return flow_; }
  const device::MemoryPlan& memory() const { return setup_.memory(); }

 private:
  void take_folder();
  void introduce() const;
  void tell_restart(const files::Checkpoint& checkpoint);
  void tell_structures() const;
  double next_stop() const;
  long next_step_limit() const;
  std::unique_ptr<Marcher> make_marcher();
  bool looks_at_next_degree() const;
  bool is_steady();
  void write_outputs(bool last);
  bool climbs(Ending ending);
  bool climb();
  void go_on_at(std::size_t level, const analysis::Solution& flow, const kernels::Control& control,
                const dg::BoundaryTotals& totals);
  void report_kernels(files::Report::Performance& performance) const;
  void tell_step_limit() const;
  std::vector<files::Report::Warning> warnings_of_start() const;

  case_file::Settings settings_;
  RunOptions options_;
  Observer& observer_;
  WallClock clock_;
  CurvingText curving_;
  std::string reference_;      ///< what coefficients are formed with, where the case leaves that to the walls
  device::EarlyDevice early_;  ///< while the mesh is made
  mesh::Mesh mesh_;
  FlowSetup setup_;
  FlowState flow_;
  RunHistory history_;
  FailureHandler failures_;
  std::unique_ptr<Marcher> marcher_;
  NextDegree next_;
  std::vector<files::Report::Warning> warnings_;  ///< of the start
  BoundaryWatch boundaries_;
  std::optional<files::OutputFolder> folder_;  ///< until the end of the run
  std::unique_ptr<Outputs> outputs_;           ///< null where nothing is to be written
};

}  // namespace galerna::solver
