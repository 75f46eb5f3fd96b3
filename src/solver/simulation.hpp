/// \file
/// One simulation: sets it up from a case, advances it, watches it, writes its outputs, reports it.
#pragma once

#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "case/settings.hpp"
#include "files/report.hpp"
#include "solver/degree_sequence.hpp"
#include "solver/fields.hpp"
#include "solver/lift_feedback.hpp"
#include "solver/memory.hpp"
#include "solver/outputs.hpp"
#include "solver/problem.hpp"
#include "solver/recovery.hpp"
#include "solver/time_means.hpp"
#include "solver/wall_clock.hpp"

namespace galerna::solver {

/// What the command line adds to the case.
struct RunOptions {
  std::string device = "auto";
  device::Precision precision = device::Precision::double_precision;
  std::optional<std::filesystem::path> restart = {};  ///< checkpoint to continue from
  std::string structure = {};                         ///< row of dg/structures.hpp that is asked for, empty: none
  /// When the program began, for the account of its time.
  std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();
};

/// Where a run stands, for the progress line.
struct Progress {
  double time = 0, start_time = 0;
  std::optional<double> end;
  std::optional<double> steady;  ///< tolerance
  double change = 0;             ///< in the steady norm
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

class Simulation {
 public:
  /// Sets everything up: mesh, device, kernels, initial state or checkpoint.
  /// \throws InputError, SystemError; Interruption where the kernels are compiled (device::on_interruption).
  Simulation(case_file::Settings settings, RunOptions options, Observer& observer);
  ~Simulation();

  /// Runs to the end, or to failure or interruption, and writes all outputs. Returns what report.json says.
  files::Report run();

  dg::FlowOperator& discretization() { return *discretization_; }
  time::Stepper& stepper() { return *stepper_; }
  const mesh::Mesh& mesh() const { return mesh_; }
  const case_file::Settings& settings() const { return settings_; }
  const device::MemoryPlan& memory() const { return memory_; }
  /// The state as it is now.
  analysis::Solution solution();
  /// The time mean of the conservative variables, which fields are formed of; none before there is one.
  std::optional<analysis::Solution> mean();
  /// The walls of the case and what flows through them now.
  std::vector<analysis::Wall> walls();

 private:
  // Degrees, see simulation_sequence.cpp
  /// Discretization and stepper of the present degree.
  void set_up(const std::optional<files::Checkpoint>& checkpoint);
  void plan_and_require_memory(const dg::Spec& spec, const time::Scheme& scheme,
                               const time::StepSettings& step_settings);
  void start_clock(double time, long step, const time::ControllerState& controller, bool same_degree);
  void go_on_at(std::size_t level, const analysis::Solution& flow, const kernels::Control& control,
                const std::vector<double>& boundary_flux);
  /// To the next degree; false if that was interrupted, and the present one goes on.
  bool climb();
  double work() const;

  void tell_structures();
  void require_no_interruption() const;
  void initialize();
  void open_outputs(std::optional<double> restart_time);
  void restart(const files::Checkpoint& checkpoint);
  analysis::Solution solution_of(device::Memory& state, const kernels::Control& control);
  /// The present state on the elements with these [block] positions.
  analysis::Solution part_of_solution(const std::vector<std::vector<mesh::Index>>& positions);
  analysis::Solution solution_frame(const kernels::Control& control) const;
  files::Checkpoint checkpoint_now();
  files::Checkpoint checkpoint_of(const analysis::Solution& solution, const kernels::Control& control,
                                  const std::vector<double>& boundary_flux, device::Memory* integral);

  enum class Ending { none, done, steady, step_limit, failed, interrupted };
  Ending judge(const kernels::Control& control) const;
  /// Whether the next degree is due.
  bool climbs(Ending ending) const;
  Ending advance_to_next_stop(double stop, long step_limit);
  kernels::Control launch(long steps);
  files::Report finish(Ending ending);
  void tell(const kernels::Control& control);
  void write_outputs(bool last);
  MonitorValues monitor_values(const Outputs::GetSolution& solution, const std::vector<analysis::Wall>& walls);
  files::Report make_report(Ending ending);
  void profile_kernels(files::Report::Performance& performance);
  void go_back(kernels::Control failed);
  /// What is wrong with the present state.
  std::string trouble(const kernels::Control& failed);
  void write_failure(files::Report& report);

  case_file::Settings settings_;
  RunOptions options_;
  Observer& observer_;
  WallClock clock_;
  std::unique_ptr<device::Device> device_;
  mesh::Mesh mesh_;
  device::MemoryPlan memory_;
  std::unique_ptr<dg::FlowOperator> discretization_;
  std::unique_ptr<time::Stepper> stepper_;
  analysis::FieldSet fields_;
  Diagnostics diagnostics_;
  std::unique_ptr<Outputs> outputs_;
  std::vector<double> start_integrals_;
  double start_time_ = 0;
  long start_step_ = 0;
  Sequence sequence_;
  TimeMeans means_;
  Recovery recovery_;
  LiftFeedback lift_;
  long launch_steps_ = 0;  ///< steps between two looks of the host, adapted to the speed
};

}  // namespace galerna::solver
