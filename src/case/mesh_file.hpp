/// \file
/// A case's mesh: where it is, and whether it is there.
#pragma once

#include <filesystem>

#include "case/section.hpp"
#include "case/settings.hpp"

namespace galerna::case_file {

/// Reports under `file` that there is no such file, with what may help.
void check_mesh_file(Section& s, const std::filesystem::path& file);

/// `file`, relative to `folder`, and `refine` of [mesh].
void read_mesh_file(Section& s, const std::filesystem::path& folder, MeshSettings& mesh);

}  // namespace galerna::case_file
