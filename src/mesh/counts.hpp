/// \file
/// Numbers and sizes of a refined mesh before it is made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

#include "mesh/mesh.hpp"

namespace galerna::mesh {

/// Elements of each shape.
using ElementCounts = std::map<Shape, std::int64_t>;

ElementCounts count_elements(const Mesh& mesh);
/// After uniform refinements. \throws std::overflow_error where there would be more than 2^62 of a shape
ElementCounts refined(ElementCounts counts, int levels);
std::int64_t sum(const ElementCounts& counts);

/// Bytes of a prepared straight mesh, and at most while it is refined and prepared; right to 15 %.
struct MeshBytes {
  std::size_t held, peak;
};
MeshBytes bytes_of(const ElementCounts& counts);

}  // namespace galerna::mesh
