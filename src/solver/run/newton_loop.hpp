/// \file
/// Advances the flow of a run by Newton's method (steady/newton.hpp), and says how it goes.
#pragma once

#include <memory>

#include "solver/bench/forecast.hpp"
#include "solver/run/flow_state.hpp"
#include "solver/run/lift_feedback.hpp"
#include "solver/run/marcher.hpp"
#include "solver/run/observer.hpp"
#include "solver/run/run_history.hpp"
#include "solver/run/wall_clock.hpp"
#include "steady/newton.hpp"

namespace galerna::solver {

class NewtonLoop : public Marcher {
 public:
  /// All must outlive it.
  NewtonLoop(const FlowState& flow, RunHistory& history, WallClock& clock, Observer& observer)
      : settings_(flow.settings()),
        flow_(flow),
        history_(history),
        clock_(clock),
        observer_(observer),
        lift_(flow.settings(), flow.mesh()) {}

  void begin() override;
  Ending advance(const Stop& stop) override;
  files::Failure give_up(Outputs& outputs) override;
  bool goes_through_time() const override { return false; }

 private:
  Ending step();
  void refresh_lift(kernels::Control& control);
  void tell(const steady::NewtonStep& step);

  const case_file::Settings& settings_;
  const FlowState& flow_;
  RunHistory& history_;
  WallClock& clock_;
  Observer& observer_;
  LiftFeedback lift_;
  Forecast forecast_;
  std::unique_ptr<steady::Newton> newton_;
};

}  // namespace galerna::solver
