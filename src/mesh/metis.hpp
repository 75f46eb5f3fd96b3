/// \file
/// METIS, where Galerna was built with it.
#pragma once

#include <optional>
#include <vector>

#include "mesh/mesh.hpp"

namespace galerna::mesh {

bool has_metis();

/// [element] its part, 0 … parts − 1: parts that share few sides, periodic ones too, and weigh the same within one per
/// cent or one element. The same each time. Nothing where METIS finds no such parts, for meshes of few elements a part,
/// for which it is not made, for those that are too large for its numbers, and in a build without it.
/// \param weights [block] of an element, > 0
std::optional<std::vector<int>> cut_by_metis(const Mesh& mesh, int parts, const std::vector<double>& weights);

}  // namespace galerna::mesh
