/// \file
/// The sections [mesh.curve.BOUNDARY], [mesh.cad] and [mesh.elasticity] of a case file.
#pragma once

#include <filesystem>

#include "case/section.hpp"
#include "case/settings.hpp"

namespace galerna::case_file {

/// \param table [mesh], or null \param folder that files are relative to. Problems go into `reading`.
void read_shapes(Reading& reading, const toml::table* table, const std::filesystem::path& folder, MeshSettings& mesh);

}  // namespace galerna::case_file
