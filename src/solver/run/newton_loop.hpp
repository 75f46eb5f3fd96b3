/// \file
/// Advances the flow of a run by Newton's method (steady/newton.hpp), and says how it goes.
#pragma once

#include <memory>

#include "solver/bench/forecast.hpp"
#include "solver/run/flow_setup.hpp"
#include "solver/run/flow_state.hpp"
#include "solver/run/lift_feedback.hpp"
#include "solver/run/marcher.hpp"
#include "solver/run/newton_log.hpp"
#include "solver/run/observer.hpp"
#include "solver/run/run_history.hpp"
#include "solver/run/wall_clock.hpp"
#include "steady/newton.hpp"

namespace galerna::solver {

class NewtonLoop : public Marcher {
 public:
  /// All must outlive it.
  NewtonLoop(const FlowState& flow, const FlowSetup& setup, RunHistory& history, WallClock& clock, Observer& observer)
      : settings_(flow.settings()),
        flow_(flow),
        setup_(setup),
        history_(history),
        clock_(clock),
        observer_(observer),
        lift_(flow.settings(), flow.mesh()) {}

  void begin() override;
  void leave() override;
  Ending advance(const Stop& stop) override;
  files::Failure give_up(Outputs& outputs) override;
  bool goes_through_time() const override { return false; }
  void report(files::Report& report) const override;

 private:
  Ending step();
  double enough_of_a_degree() const;
  void refresh_lift(kernels::Control& control);
  bool has_viscosity() const { return flow_.discretization().spec().has_shock_viscosity(); }
  void keep_off_vacuum(const steady::NewtonStep& step, kernels::Control& control);
  void renew_viscosity(kernels::Control& control);
  void take_over_viscosity(kernels::Control& control);
  void find_viscosity(kernels::Control& control, double share);
  void follow_viscosity(kernels::Control& control);
  void freeze_viscosity(kernels::Control& control);
  /// What a restart needs to go on where a run ended.
  std::vector<double> memory() const;
  std::optional<NewtonBlocks> blocks() const;
  void restore_blocks(const kernels::Control& control);
  void restore(const std::vector<double>& memory);
  void count(const steady::NewtonStep& step, std::int64_t evaluations);
  void tell(const steady::NewtonStep& step);

  const case_file::Settings& settings_;
  const FlowState& flow_;
  const FlowSetup& setup_;
  RunHistory& history_;
  WallClock& clock_;
  Observer& observer_;
  LiftFeedback lift_;
  Forecast forecast_;
  std::unique_ptr<steady::Newton> newton_;
  std::string preconditioner_;      ///< of the last one, for people
  steady::NewtonSeconds seconds_;   ///< at the degrees before
  std::unique_ptr<NewtonLog> log_;  ///< since the first step

  /// Artificial viscosity follows the flow in leaps, between which there is a problem that Newton's method can solve;
  /// near the solution it is part of that problem.
  struct Viscosity {
    enum class Stage {
      developing,  ///< until the residual stalls: shocks still move
      settling,    ///< it becomes a mean of what is found
      following,   ///< it is that of the state
      frozen       ///< where the residual stalls
    };
    Stage stage = Stage::developing;
    int renewals = 0;   ///< while it settles
    int steps = 0;      ///< since the last one
    double norm = 0;    ///< of the residual after it
    double least = 0;   ///< of these norms
    int idle = 0;       ///< renewals that did not lower it
    bool fits = false;  ///< whether the residual is small enough for the next degree with what the state itself has
  } viscosity_;
  /// Where viscosity began to follow the state.
  struct {
    std::vector<double> coefficients, viscosity;
    steady::NewtonMemory newton;
  } before_following_;
  std::vector<double> viscosity_below_;  ///< [element] at the end of the degree before; empty at the first
};

}  // namespace galerna::solver
