/// \file
/// Integrals of functions of the state, for the report and the monitor.
#pragma once

#include <vector>

#include "analysis/solution.hpp"
#include "case/settings.hpp"
#include "files/report.hpp"

namespace galerna::solver {

/// Values of [output.integral.NAME], in the order of OutputSettings::integrals.
std::vector<double> formula_integrals(const case_file::Settings& settings, const analysis::Solution& solution);

/// Fills integrals, kinetic_energy and, with [output.entropy], entropy_error. \param domain the measure of the domain
void report_integrals(files::Report& report, const case_file::Settings& settings, const analysis::Solution& solution,
                      double domain);

}  // namespace galerna::solver
