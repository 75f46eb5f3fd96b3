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
#include "output/report.hpp"
#include "solver/fields.hpp"
#include "solver/force_averages.hpp"
#include "solver/lift_feedback.hpp"
#include "solver/memory.hpp"
#include "solver/outputs.hpp"
#include "solver/problem.hpp"
#include "solver/recovery.hpp"
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
  output::Report run();

  dg::Discretization& discretization() { return *discretization_; }
  time::Stepper& stepper() { return *stepper_; }
  const mesh::Mesh& mesh() const { return mesh_; }
  const case_file::Settings& settings() const { return settings_; }
  const device::MemoryPlan& memory() const { return memory_; }
  /// The state as it is now.
  output::Solution solution();
  /// The time mean of the conservative variables, which fields are formed of; none before there is one.
  std::optional<output::Solution> mean();
  /// The walls of the case and what flows through them now.
  std::vector<output::Wall> walls();

 private:
  using GetWalls = std::function<const std::vector<output::Wall>&()>;

  // Degrees, see simulation_sequence.cpp
  std::size_t first_level(const std::optional<output::Checkpoint>& checkpoint) const;
  /// Discretization and stepper of the present degree.
  void set_up(const std::optional<output::Checkpoint>& checkpoint);
  void plan_and_require_memory(const dg::Spec& spec, const time::Scheme& scheme,
                               const time::StepSettings& step_settings);
  void write_as_present_degree(device::Memory& state, const std::vector<double>& coefficients, int degree);
  void start_clock(double time, long step, const time::ControllerState& controller, bool same_degree);
  long last_step_of_level() const;
  void go_on_at(std::size_t level, const output::Solution& flow, const kernels::Control& control,
                const std::vector<double>& boundary_flux);
  /// To the next degree; false if that was interrupted, and the present one goes on.
  bool climb();
  double work() const;

  // Time means, see simulation_averages.cpp
  double next_average_start() const;
  void sample_forces(const GetWalls& walls);
  void write_averages(output::Checkpoint& checkpoint, const kernels::Control& control, device::Memory* integral);
  void restart_averages(const output::Checkpoint& checkpoint);
  void report_averages(output::Report& report) const;

  void tell_structures();
  void require_no_interruption() const;
  void initialize();
  void open_outputs(std::optional<double> restart_time);
  void restart(const output::Checkpoint& checkpoint);
  output::Solution solution_of(device::Memory& state, const kernels::Control& control);
  output::Checkpoint checkpoint_now();
  output::Checkpoint checkpoint_of(const output::Solution& solution, const kernels::Control& control,
                                   const std::vector<double>& boundary_flux, device::Memory* integral);

  enum class Ending { none, done, steady, step_limit, failed, interrupted };
  Ending judge(const kernels::Control& control) const;
  /// Whether the next degree is due.
  bool climbs(Ending ending) const;
  Ending advance_to_next_stop(double stop, long step_limit);
  kernels::Control launch(long steps);
  output::Report finish(Ending ending);
  void tell(const kernels::Control& control);
  void write_outputs(bool last);
  MonitorValues monitor_values(const output::Solution& solution, const std::vector<output::Wall>& walls);
  output::Report make_report(Ending ending);
  void profile_kernels(output::Report::Performance& performance);
  void go_back(kernels::Control failed);
  /// What is wrong with the present state.
  std::string trouble(const kernels::Control& failed);
  void write_failure(output::Report& report);

  case_file::Settings settings_;
  RunOptions options_;
  Observer& observer_;
  WallClock clock_;
  std::unique_ptr<device::Device> device_;
  mesh::Mesh mesh_;
  device::MemoryPlan memory_;
  std::unique_ptr<dg::Discretization> discretization_;
  std::unique_ptr<time::Stepper> stepper_;
  output::FieldSet fields_;
  Diagnostics diagnostics_;
  std::unique_ptr<Outputs> outputs_;
  std::vector<double> start_integrals_;
  double start_time_ = 0;
  long start_step_ = 0;
  std::vector<int> degrees_;      ///< of time.sequence, and the last one
  std::size_t level_ = 0;         ///< the present one of them
  case_file::Settings at_level_;  ///< the case at this degree
  long level_step_ = 0;           ///< at which this degree began, and how many right-hand sides there were then
  std::int64_t level_evaluations_ = 0;
  double work_ = 0;  ///< work() at lower degrees
  std::vector<output::Report::Level> levels_;
  ForceAverages force_averages_;
  Recovery recovery_;
  LiftFeedback lift_;
  long launch_steps_ = 0;  ///< steps between two looks of the host, adapted to the speed
};

}  // namespace galerna::solver
