/// \file
/// Reads [shock].
#pragma once

#include <optional>
#include <string>

#include "case/section.hpp"
#include "case/settings.hpp"

namespace galerna::case_file {

/// \param section present \param settings equations and discretization read
ShockSettings read_shock(Section& section, const Settings& settings);

/// Newton's method needs a residual with a derivative, which switches have not: limiters, filters, positivity.
void fit_to_newton(Section& section, std::optional<ShockSettings>& shock);

/// Decides what method = "automatic" is. \param settings equations, discretization and time read
void choose_method(ShockSettings& shock, const Settings& settings);

/// One line for the log: the method, and why where it was chosen; empty where there is nothing to say.
std::string describe_method(const std::optional<ShockSettings>& shock);

}  // namespace galerna::case_file
