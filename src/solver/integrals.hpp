/// \file
/// Integrals of functions of the state, for the report.
#pragma once

#include "files/report.hpp"
#include "solver/flow_state.hpp"

namespace galerna::solver {

/// Fills integrals, kinetic_energy and, with [output.entropy], entropy_error. \param solution the present one
void report_integrals(files::Report& report, const FlowState& flow, const analysis::Solution& solution);

}  // namespace galerna::solver
