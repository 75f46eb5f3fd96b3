/// \file
/// Advances the flow of a run from one stop to the next, watches it, and goes back where it fails and may.
#pragma once

#include "solver/bench/forecast.hpp"
#include "solver/run/failure_handler.hpp"
#include "solver/run/lift_feedback.hpp"
#include "solver/run/marcher.hpp"
#include "solver/run/observer.hpp"
#include "solver/run/run_history.hpp"
#include "solver/run/wall_clock.hpp"

namespace galerna::solver {

class TimeLoop : public Marcher {
 public:
  /// All must outlive it. \param team of RunOptions
  TimeLoop(const FlowState& flow, RunHistory& history, FailureHandler& failures, WallClock& clock, Observer& observer,
           parallel::Team* team)
      : settings_(flow.settings()),
        flow_(flow),
        history_(history),
        failures_(failures),
        clock_(clock),
        observer_(observer),
        team_(team),
        lift_(flow.settings(), flow.mesh()) {}

  /// Nothing is known yet of how long a step takes, nor of the change of one.
  void begin() override {
    launch_steps_ = time::Stepper::steps_per_launch();
    largest_change_ = largest_force_change_ = 0;
  }
  /// The state is kept now and then, once it has proved to be good, as the place to return to.
  Ending advance(const Stop& stop) override;
  files::Failure give_up(Outputs& outputs) override { return failures_.give_up(outputs, history_); }
  bool goes_through_time() const override { return true; }

 private:
  Ending judge(const kernels::Control& control) const;
  long steps_left(const Stop& stop) const;
  kernels::Control launch(long steps);
  double done(const kernels::Control& control);
  void tell(const kernels::Control& control);
  void tell_of_lost_mean(const kernels::Control& control);

  const case_file::Settings& settings_;
  const FlowState& flow_;
  RunHistory& history_;
  FailureHandler& failures_;
  WallClock& clock_;
  Observer& observer_;
  parallel::Team* team_;
  LiftFeedback lift_;
  Forecast forecast_;
  double largest_change_ = 0, largest_force_change_ = 0;  ///< at the present degree
  bool told_of_lost_mean_ = false;
  long launch_steps_ = 0;  ///< steps between two looks of the host, adapted to the speed
};

}  // namespace galerna::solver
