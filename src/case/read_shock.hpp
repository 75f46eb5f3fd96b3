/// \file
/// Reads [shock].
#pragma once

#include "case/section.hpp"
#include "case/settings.hpp"

namespace galerna::case_file {

/// \param section present \param settings equations and discretization read
ShockSettings read_shock(Section& section, const Settings& settings);

}  // namespace galerna::case_file
