/// \file
/// A fingerprint of a mesh.
#pragma once

#include <cstdint>

#include "mesh/mesh.hpp"

namespace galerna::mesh {

/// Hash of the nodes' coordinates and of the elements (shape, order, nodes as a set) in the order of the file. It does
/// not change with prepare(), and not with names of boundaries and regions; it changes with refinement.
std::uint64_t hash(const Mesh& mesh);

}  // namespace galerna::mesh
