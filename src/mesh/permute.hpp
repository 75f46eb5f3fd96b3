/// \file
/// Changes of the order of nodes within elements and of elements within blocks.
#pragma once

#include <cstddef>
#include <vector>

#include "mesh/mesh.hpp"

namespace galerna::mesh {

/// Mirrors the elements whose mark is not 0, of any shape and geometry order, and carries the sides of the boundaries
/// along. \param marks [element]
void mirror_elements(Mesh& mesh, const std::vector<char>& marks);

/// Gathers straight tetrahedra of any geometry order in one block of order 1, in front, and carries the sides of the
/// boundaries along.
void separate_straight_tetrahedra(Mesh& mesh);

/// Sorts the corners of every simplex by (image, x, y, z), its other nodes with them, and carries the sides of the
/// boundaries along. \returns [source] 1 for simplices that this mirrors
std::vector<char> sort_simplices(Mesh& mesh);

/// Orders the elements of each block along a Hilbert curve of their centroids; equal places by source.
void renumber_elements(Mesh& mesh);

/// One more than the largest ElementBlock::source: a part of a mesh keeps the numbers of the whole.
std::size_t source_count(const Mesh& mesh);

}  // namespace galerna::mesh
