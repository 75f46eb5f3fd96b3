/// \file
/// Reads cases of advection, diffusion and reaction (case/polytopic_settings.hpp).
#pragma once

#include "case/section.hpp"
#include "case/settings.hpp"

namespace galerna::case_file {

/// Whether the case is one of these.
bool is_polytopic(const toml::table& root);

/// All of the case but its definitions and title. Problems gather in `reading`.
void read_polytopic(Reading& reading, const toml::table& root, Settings& settings);

}  // namespace galerna::case_file
