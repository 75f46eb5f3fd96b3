/// \file
/// Reads [equations].
#pragma once

#include <filesystem>
#include <string>

#include "case/section.hpp"
#include "case/settings.hpp"

namespace galerna::case_file {

/// Problems are reported to `reading`. \param root of the case \param folder that files are relative to.
EquationSettings read_equations(Reading& reading, Section& section, const toml::table& root,
                                const std::filesystem::path& folder);

/// Does the key of [equations] have a meaning for equations of that type?
bool has_meaning(const std::string& key, const std::string& type);

/// In messages: "a user's equations"; or the type, behind `prefix`.
std::string in_words(const EquationSettings& equations, const std::string& prefix = "");

}  // namespace galerna::case_file
