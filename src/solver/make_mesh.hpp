/// \file
/// From a case to its mesh.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "case/settings.hpp"
#include "mesh/mesh.hpp"
#include "solver/curved_mesh.hpp"

namespace galerna::solver {

/// Reads, refines, makes periodic and prepares the case's mesh, and checks its boundaries against the case's.
/// \param stage is told when one begins \param curving becomes what elasticity did \throws InputError with every
/// problem found.
mesh::Mesh make_mesh(const case_file::Settings& settings, const std::function<void(MeshStage)>& stage = {},
                     CurvingText* curving = nullptr);

/// What is wrong between the case's boundaries and those of the mesh; sides without a name, too. \param periodic names
/// of boundaries that became periodic.
std::vector<Problem> check_boundaries(const case_file::Settings& settings, const mesh::Mesh& mesh,
                                      const std::vector<std::string>& periodic);

}  // namespace galerna::solver
