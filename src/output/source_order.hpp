/// \file
/// The order of the elements in the mesh file, which renumbering does not change.
#pragma once

#include <vector>

#include "mesh/mesh.hpp"

namespace galerna::output {

struct SourceElement {
  int block;
  mesh::Index position;  ///< in the block
};

/// All elements, sorted by ElementBlock::source (equal ones by shape and geometry order).
std::vector<SourceElement> source_order(const mesh::Mesh& mesh);

}  // namespace galerna::output
