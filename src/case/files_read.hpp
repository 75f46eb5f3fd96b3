/// \file
/// The files that a case names and that are read: nothing may be written over them.
#pragma once

#include <filesystem>
#include <vector>

#include "case/settings.hpp"

namespace galerna::case_file {

/// Mesh, CAD file and files of points.
std::vector<std::filesystem::path> files_read(const MeshSettings& mesh);

/// These, the case itself, a user's header and a file of polytopes.
std::vector<std::filesystem::path> files_read(const Settings& settings);

}  // namespace galerna::case_file
