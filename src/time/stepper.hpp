/// \file
/// Advances a state in time under an operator in space (dg/operator.hpp), on its device. The steps between two looks of
/// the host are recorded once as a graph and launched again and again; when to stop is decided on the device
/// (kernels/control.hpp).
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "dg/operator.hpp"
#include "time/schemes.hpp"

namespace galerna::time {

/// How the step is chosen and when a steady run ends; exactly one of cfl, fixed_step, tolerance is set.
struct StepSettings {
  std::optional<double> cfl, fixed_step, tolerance;
  std::optional<double> steady;  ///< tolerance of the change
  bool steady_by_residual = false;
  std::optional<double> average_start;  ///< time from which on the time mean is taken
  long freeze_after = 0;  ///< > 0: steps without a smaller change after which artificial viscosity is frozen
};

/// (inputs, outputs) of the scheme's stages, for the kernels to instantiate.
std::set<std::pair<int, int>> stage_shapes(const Scheme& scheme);

/// Where in a step a state first was not physical.
struct FailingStage {
  int stage = 0;                     ///< 1, 2, …
  std::int64_t element = -1;         ///< the first bad one of the stage's result
  device::Memory* result = nullptr;  ///< register that holds the stage's result
  kernels::Control control{};        ///< during the step: its dt, the time and number of steps at its beginning
};

/// The part of the control block that a bitwise restart needs, as named numbers.
using ControllerState = std::vector<std::pair<std::string, double>>;

/// Why error-controlled steps cannot be taken, for messages; "" where they can.
std::string problem_of_tolerance(const Scheme& scheme, std::optional<double> tolerance, bool steady);

class Stepper {
 public:
  /// \throws InputError when the settings do not fit the scheme (error control without an embedded method).
  Stepper(dg::Operator& space, const Scheme& scheme, const StepSettings& settings);

  device::Memory& state() { return *registers_[0]; }
  const Scheme& scheme() const { return scheme_; }

  /// Applies the limiter, if there is one, to the state.
  void limit_initial();
  /// Sets the clock; call after the state was written.
  void start(double time, long step);
  /// Next time at which advance() must stop exactly, and the largest number of steps in all.
  void set_stop(double time, long step_limit);

  /// Time means: since when, if at all by now; null where none is taken.
  std::optional<double> averages_since() const;
  /// What begins at `since`, for a restart: the integral() of the run before. \param pending of its control block
  void continue_average(double since, double pending);
  /// ∫ u dt since then, but for the half step that average_pending says; a state.
  device::Memory* integral() { return integral_.get(); }
  device::Memory* kept_integral() { return kept_integral_.get(); }

  /// Launches about `steps` steps (a multiple of steps_per_launch()) and waits for them. Steps after the run stopped do
  /// nothing. Returns the control block as it is then.
  ///
  /// A step in which a mean is lost (kernels/limiter/positivity.hpp) is taken again, half as long, until none is; the
  /// steps behind it are left to the next call. That goes back to the kept state and then keeps the beginning of the
  /// step. What comes out does not hang on which state was kept. Where a millionth of the step still loses one,
  /// the run ends with RunStatus::mean_lost.
  kernels::Control advance(long steps);
  static constexpr int steps_per_launch() { return 16; }
  /// Launches exactly one step and waits.
  kernels::Control advance_one();

  /// From now on no step ends the run because the flow is steady: for measurements, in which steps that do nothing
  /// would count.
  void ignore_steadiness() { control_.steady_tolerance = 0; }

  /// Seconds on the device for `launches` launches of steps_per_launch() steps each; the flow may become steady on the
  /// way.
  double time_steps(int launches);
  /// Runs one step kernel by kernel (no graph), for profiles.
  void run_step_by_kernel();
  /// Seconds by kernel of one step from the present state; empty if that state allows none. State, clock and sums are
  /// afterwards what they were, bit by bit; the kept state is the present one.
  device::KernelTimes profile_step();

  const kernels::Control& control() const { return control_; }
  /// The clock of who advanced the state instead.
  void adopt(const kernels::Control& control) { control_ = control; }
  /// What far fields that know of the lift see from now on.
  void set_wall_force(const std::array<double, 2>& force) {
    control_.wall_force_x = force[0];
    control_.wall_force_y = force[1];
  }

  /// Keeps a copy of the state and clock on the device, to fall back on.
  void keep();
  const kernels::Control& kept_control() const { return kept_control_; }
  device::Memory& kept_state() { return *kept_; }
  const dg::BoundaryTotals& kept_boundary_totals() const { return kept_boundary_totals_; }

  /// Goes back to the kept state, to continue with steps of `factor` times the size that the settings ask for. What was
  /// computed since then still counts as work (right-hand sides, rejected steps).
  void go_back(double factor);
  /// Steps as large as the settings ask for again.
  void resume_full_step();

  /// After a failure: repeats the steps since the kept state, which gives the same bits, and the failing step stage by
  /// stage. The control block stays as it is; the kept state becomes that at the beginning of the failing step, and the
  /// registers those of that step up to the stage. Nothing if no stage shows the failure.
  std::optional<FailingStage> find_failing_stage();

  /// Whether the present state is physical everywhere; if not, the control block says so from now on. Waits.
  bool admissible();

  /// What a checkpoint must hold of the control block besides time and step, for `restore`.
  static ControllerState controller_state(const kernels::Control& control);
  void restore(const ControllerState& state);

 private:
  bool record_stage(std::size_t stage, bool follows, bool monitored);
  bool record_stages(bool step_follows, bool monitored);
  void copy_kept_state();
  void record_step(bool monitored);
  void record_joined_steps(bool every_step);
  void record_launch();
  dg::StageCall stage_call(std::size_t number);
  device::Memory& stage_result(std::size_t stage);
  void set_step_size(double factor);
  void return_to_kept();
  kernels::Control launch(long steps);
  void take_again();
  void take_shortened_step();
  void repeat_to(std::int64_t step);
  bool replay_to_failing_step(const kernels::Control& failed);
  std::optional<FailingStage> step_by_stages();

  dg::Operator& operator_;
  const Scheme& scheme_;
  StepSettings settings_;
  std::vector<std::unique_ptr<device::Memory>> registers_;
  std::unique_ptr<device::Memory> previous_, kept_, integral_, kept_integral_;
  std::unique_ptr<device::Graph> many_, one_;
  kernels::Control control_{}, kept_control_{};
  dg::BoundaryTotals kept_boundary_totals_;
  dg::Operator::Sums kept_sums_;  ///< where parts of stages finish them
  double kept_factor_ = 1;        ///< of next_dt, when the run goes on from the kept state
  double shortening_ = 1;         ///< of the step from the kept state, since longer ones lost a mean
};

}  // namespace galerna::time
