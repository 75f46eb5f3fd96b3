/// \file
/// From a case to its mesh.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "case/settings.hpp"
#include "mesh/mesh.hpp"

namespace galerna::solver {

enum class MeshStage { read, refine, prepare };

/// Reads, refines, makes periodic and prepares the case's mesh, and checks its boundaries against the case's.
/// \param stage is told when one begins. \throws InputError with every problem found.
mesh::Mesh make_mesh(const case_file::Settings& settings, const std::function<void(MeshStage)>& stage = {});

/// What is wrong between the case's boundaries and those of the mesh; sides without a name, too. \param periodic names
/// of boundaries that became periodic.
std::vector<Problem> check_boundaries(const case_file::Settings& settings, const mesh::Mesh& mesh,
                                      const std::vector<std::string>& periodic);

}  // namespace galerna::solver
