/// \file
/// Advances the flow of a run by Newton's method (steady/newton.hpp), and says how it goes.
#pragma once

#include <memory>

#include "files/report.hpp"
#include "solver/bench/forecast.hpp"
#include "solver/outputs/outputs.hpp"
#include "solver/run/flow_state.hpp"
#include "solver/run/observer.hpp"
#include "solver/run/run_history.hpp"
#include "solver/run/time_loop.hpp"
#include "solver/run/wall_clock.hpp"
#include "steady/newton.hpp"

namespace galerna::solver {

class NewtonLoop {
 public:
  /// All must outlive it.
  NewtonLoop(const FlowState& flow, RunHistory& history, WallClock& clock, Observer& observer)
      : settings_(flow.settings()), flow_(flow), history_(history), clock_(clock), observer_(observer) {}

  /// At the flow's present degree.
  void begin();
  /// Steps until `step_limit`, until the next degree is due or the flow is steady (Ending::steady), or until it fails.
  Ending advance(long step_limit);
  /// Writes the state where it stands, and tells why it failed.
  files::Failure give_up(Outputs& outputs) const;

 private:
  Ending step();
  void tell(const steady::NewtonStep& step);

  const case_file::Settings& settings_;
  const FlowState& flow_;
  RunHistory& history_;
  WallClock& clock_;
  Observer& observer_;
  Forecast forecast_;
  std::unique_ptr<steady::Newton> newton_;
};

}  // namespace galerna::solver
