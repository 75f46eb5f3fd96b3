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

/// Decides what method = "automatic" is. \param settings equations, discretization and time read
void choose_method(ShockSettings& shock, const Settings& settings);

/// One line for the log: the method, and why where it was chosen; empty where there is nothing to say.
std::string describe_method(const std::optional<ShockSettings>& shock);

}  // namespace galerna::case_file
