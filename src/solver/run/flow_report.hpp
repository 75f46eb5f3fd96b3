/// \file
/// What a run reports of its flow when it is over.
#pragma once

#include "files/report.hpp"
#include "solver/run/run_history.hpp"

namespace galerna::solver {

/// Order, structures, steps, residuals and limiter: all that a run has counted.
void report_progress(files::Report& report, const FlowState& flow, const RunHistory& history);

/// Balances, means, integrals and forces, which are computed of the last state, after report_progress(). \param
/// with_errors against the exact state, if the case has one
void report_flow(files::Report& report, const FlowState& flow, const RunHistory& history, bool with_errors);

/// Which kernels the time goes to, from one more step that leaves no trace; the longest first.
std::vector<files::Report::Performance::Kernel> profile_kernels(time::Stepper& stepper);

}  // namespace galerna::solver
