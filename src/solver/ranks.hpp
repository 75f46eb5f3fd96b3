/// \file
/// Runs on several ranks: which cases can be cut, and what comes of it.
#pragma once

#include <string>

#include "case/settings.hpp"
#include "mesh/mesh.hpp"

namespace galerna::solver {

/// \throws InputError naming all that does not go with several ranks, and what to do
void require_ranks_possible(const case_file::Settings& settings);

/// "cut among 4 ranks, of which each has at most 237 elements, 49 sides at cuts and 3 neighbours\n"
/// \throws InputError where the mesh has too few elements
std::string describe_cut(const mesh::Mesh& mesh, int ranks);

}  // namespace galerna::solver
