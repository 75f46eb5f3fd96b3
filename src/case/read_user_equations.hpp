/// \file
/// Reads equations.type = "user": a system of equations in a C++ header that the case names.
#pragma once

#include <filesystem>
#include <string>

#include "case/section.hpp"
#include "case/settings.hpp"

namespace galerna::case_file {

/// Fills user, variables and primitives of `equations`. Problems are reported to `reading`.
/// \param table of `s`, or null; \param folder that the header is relative to.
void read_user_equations(Reading& reading, Section& s, const toml::table* table, const std::filesystem::path& folder,
                         EquationSettings& equations);

/// `ghost` of a boundary of type user.
std::string read_ghost(Reading& reading, Section& s, const EquationSettings& equations);

}  // namespace galerna::case_file
