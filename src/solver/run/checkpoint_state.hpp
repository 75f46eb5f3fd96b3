/// \file
/// Whether a checkpoint holds all of the flow, and of what stands beside it (files::Checkpoint::state), before anybody
/// reads it.
#pragma once

#include <filesystem>

#include "files/checkpoint.hpp"
#include "mesh/mesh.hpp"

namespace galerna::solver {

/// Checks that lists have the lengths and counts the sizes with which they are read, so that no reader needs to.
/// \throws InputError with the name of what is damaged.
void require_whole_state(const files::Checkpoint& checkpoint, const std::filesystem::path& file);

/// Checks that there are coefficients for all elements of the mesh. \throws InputError
void require_whole_flow(const files::Checkpoint& checkpoint, const mesh::Mesh& mesh, const std::filesystem::path& file);

}  // namespace galerna::solver
