/// \file
/// Reads [equations].
#pragma once

#include <filesystem>

#include "case/section.hpp"
#include "case/settings.hpp"

namespace galerna::case_file {

/// Problems are reported to `reading`. \param root of the case \param folder that files are relative to.
EquationSettings read_equations(Reading& reading, Section& section, const toml::table& root,
                                const std::filesystem::path& folder);

/// Does the key of [equations] have a meaning for viscous equations only?
bool is_viscous_key(const std::string& key);

}  // namespace galerna::case_file
