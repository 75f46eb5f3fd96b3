/// \file
/// Reads [time].
#pragma once

#include "case/section.hpp"
#include "case/settings.hpp"

namespace galerna::case_file {

/// Problems are reported to `reading`, which is the sections'. \param solver [solver] \param order discretization.order
/// \param bounded whether positivity bounds the step.
TimeSettings read_time(Section& section, Section& solver, Reading& reading, int order, bool bounded);

/// Reports what needs the same time everywhere, if the case has local time steps: formulas of t, output at times.
/// \param settings all sections read.
void check_local_steps(Reading& reading, const toml::table& root, const Settings& settings);

/// Reports a steady_forces without walls. \param settings all sections read.
void check_steady_forces(Reading& reading, const toml::table& root, const Settings& settings);

/// Reports what time means do not go with. \param settings all sections read.
void check_averages(Reading& reading, const toml::table& root, const Settings& settings);

}  // namespace galerna::case_file
