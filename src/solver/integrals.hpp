/// \file
/// Integrals of functions of the state over the domain, for the report.
#pragma once

#include "case/settings.hpp"
#include "output/report.hpp"
#include "output/solution.hpp"

namespace galerna::solver {

/// Fills kinetic_energy and, with [output.entropy], entropy_error. \param domain the measure of the domain
void report_integrals(output::Report& report, const case_file::Settings& settings, const output::Solution& solution,
                      double domain);

}  // namespace galerna::solver
