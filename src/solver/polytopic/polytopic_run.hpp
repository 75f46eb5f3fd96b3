/// \file
/// A run of a case of advection, diffusion and reaction on polytopes.
#pragma once

#include "case/settings.hpp"
#include "files/report.hpp"
#include "solver/run/observer.hpp"

namespace galerna::solver {

/// Assembles, solves, measures errors and writes all outputs; with slabs one after the other.
/// \throws InputError, SystemError; Error where the equations cannot be solved
files::Report run_polytopic(const case_file::Settings& settings, const RunOptions& options, Observer& observer);

}  // namespace galerna::solver
