/// \file
/// A fingerprint of a mesh.
#pragma once

#include <cstdint>

#include "mesh/mesh.hpp"

namespace galerna::mesh {

/// Hash of the nodes' coordinates and of the elements (shape, order, nodes) in the order of the file. Meshes of equal
/// hash give coefficients the same meaning once they are prepared. Names of boundaries and regions, and the order of a
/// simplex's nodes, do not count.
std::uint64_t hash(const Mesh& mesh);

}  // namespace galerna::mesh
