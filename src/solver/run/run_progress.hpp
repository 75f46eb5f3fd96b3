/// \file
/// Where a run of a flow stands, for its progress line.
#pragma once

#include "solver/bench/forecast.hpp"
#include "solver/run/flow_state.hpp"
#include "solver/run/observer.hpp"
#include "solver/run/run_history.hpp"

namespace galerna::solver {

/// All but the change. \param loop seconds in the loop \param done share of the way to the end, which the forecast
/// takes
Progress run_progress(const FlowState& flow, const RunHistory& history, double loop, Forecast& forecast, double done);

}  // namespace galerna::solver
