/// \file
/// Integrals over the domain for the report, taken on the device.
#pragma once

#include <vector>

#include "case/settings.hpp"
#include "files/report.hpp"
#include "solver/run/flow_state.hpp"

namespace galerna::solver {

/// dg::Spec::report_integrands: the variables; of gases the kinetic energy and, with [output.entropy], |s − 1| and
/// (s − 1)², s = p/ρ^γ over that of the reference state.
std::vector<case_file::Formula> report_integrands(const case_file::Settings& settings);

/// Fills integrals, kinetic_energy and, with [output.entropy], entropy_error. \param values of report_integrands() now
void report_integrals(files::Report& report, const FlowState& flow, const std::vector<double>& values);

}  // namespace galerna::solver
