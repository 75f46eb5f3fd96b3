/// \file
/// Reads [equations].
#pragma once

#include "case/section.hpp"
#include "case/settings.hpp"

namespace galerna::case_file {

/// Problems are reported to the section's reading.
EquationSettings read_equations(Section& section);

/// Does the key of [equations] have a meaning for viscous equations only?
bool is_viscous_key(const std::string& key);

}  // namespace galerna::case_file
