/// \file
/// Whether what [output] asks for is there.
#pragma once

#include <vector>

#include "base/error.hpp"
#include "case/settings.hpp"
#include "mesh/mesh.hpp"

namespace galerna::solver {

/// Fields that do not exist, regions and boundaries that the mesh does not have, isolines of a solution of degree 0.
std::vector<Problem> check_outputs(const case_file::Settings& settings, const mesh::Mesh& mesh);

}  // namespace galerna::solver
