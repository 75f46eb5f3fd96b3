/// \file
/// Whether a case's mesh is there.
#pragma once

#include <filesystem>

#include "case/section.hpp"

namespace galerna::case_file {

/// Reports under `file` that there is no such file, with what may help.
void check_mesh_file(Section& s, const std::filesystem::path& file);

}  // namespace galerna::case_file
