/// \file
/// Reads [equations].
#pragma once

#include <filesystem>

#include "case/section.hpp"
#include "case/settings.hpp"

namespace galerna::case_file {

/// Problems are reported to `reading`. \param table of the section, or null; \param folder that files are relative to.
EquationSettings read_equations(Reading& reading, Section& section, const toml::table* table,
                                const std::filesystem::path& folder);

/// Does the key of [equations] have a meaning for viscous equations only?
bool is_viscous_key(const std::string& key);

}  // namespace galerna::case_file
