/// \file
/// Lines of elements along which a mesh is stretched.
#pragma once

#include <vector>

#include "mesh/mesh.hpp"
#include "steady/jacobian.hpp"

namespace galerna::steady {

/// [line] elements, each in one line; most are alone where nothing is stretched.
using Lines = std::vector<std::vector<std::int32_t>>;

/// Lines across the thin direction of elements that are `aspect` times longer than thick, measured from centres to
/// sides at right angles: the nearest pairs first, at most two neighbours each, no rings.
Lines lines_of(const mesh::Mesh& mesh, double aspect = 4);
/// [element] those before and after it in its line.
Couplings couplings_of(const Lines& lines, mesh::Index elements);

}  // namespace galerna::steady
