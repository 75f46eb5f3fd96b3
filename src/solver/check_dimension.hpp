/// \file
/// Holds the dimension of a case against that of its mesh, and what is asked for against what there is in space.
#pragma once

#include <vector>

#include "case/settings.hpp"
#include "mesh/mesh.hpp"

namespace galerna::solver {

/// Every problem found. \param mesh prepared.
std::vector<Problem> check_dimension(const case_file::Settings& settings, const mesh::Mesh& mesh);

}  // namespace galerna::solver
