/// \file
/// What a run says about a mesh that it computes on nevertheless.
#pragma once

#include <vector>

#include "files/report.hpp"
#include "mesh/mesh.hpp"
#include "solver/curved_mesh.hpp"

namespace galerna::solver {

/// Boundary nodes that nearly coincide (mesh/near_nodes.hpp), and named sides inside the domain; empty where there is
/// nothing to say.
std::vector<files::Report::Warning> mesh_warnings(const mesh::Mesh& mesh);

/// Of wall nodes that elasticity held back.
std::vector<files::Report::Warning> curving_warnings(const CurvingText& curving);

}  // namespace galerna::solver
