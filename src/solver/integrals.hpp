/// \file
/// Integrals of functions of the state, for the report and the monitor.
#pragma once

#include <vector>

#include "case/settings.hpp"
#include "output/report.hpp"
#include "output/solution.hpp"

namespace galerna::solver {

/// Values of [output.integral.NAME], in the order of OutputSettings::integrals.
std::vector<double> formula_integrals(const case_file::Settings& settings, const output::Solution& solution);

/// Fills integrals, kinetic_energy and, with [output.entropy], entropy_error. \param domain the measure of the domain
void report_integrals(output::Report& report, const case_file::Settings& settings, const output::Solution& solution,
                      double domain);

}  // namespace galerna::solver
