/// \file
/// Whether a checkpoint holds all of the flow, and of what stands beside it (files::Checkpoint::state), before anybody
/// reads it.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "analysis/solution.hpp"
#include "files/checkpoint.hpp"
#include "mesh/mesh.hpp"

namespace galerna::solver {

/// Checks that lists have the lengths and counts the sizes with which they are read, so that no reader needs to.
/// \throws InputError with the name of what is damaged.
void require_whole_state(const files::Checkpoint& checkpoint, const std::filesystem::path& file);

/// The coefficients of a checkpoint, in the order of the mesh file.
files::Numbers in_source_order(std::shared_ptr<const analysis::Solution> solution);
/// state/NAME, which is there. \param checkpoint must outlive what is returned.
files::Numbers state_numbers(const files::Checkpoint& checkpoint, const std::string& name);

/// Checks that there are coefficients for all elements of the mesh. \throws InputError
void require_whole_flow(const files::Checkpoint& checkpoint, const mesh::Mesh& mesh, const std::filesystem::path& file);

}  // namespace galerna::solver
