/// \file
/// Periodic boundaries.
#pragma once

#include <vector>

#include "mesh/prepare.hpp"

namespace galerna::mesh {

/// Joins the nodes of the pairs' boundaries in Mesh::image. \param tolerance a length
/// \throws InputError for unknown boundaries and for boundaries that do not match, with the place of the pair.
void join_periodic(Mesh& mesh, const std::vector<PeriodicPair>& pairs, double tolerance);

}  // namespace galerna::mesh
