/// \file
/// A Hilbert curve through a box of points.
#pragma once

#include <cstdint>

#include "mesh/geometry.hpp"

namespace galerna::mesh {

/// Position of the point along a Hilbert curve that fills the cube (or square) around the box; points near one another
/// along the curve are near in space. 21 bits a dimension in 3D, 31 in 2D.
std::uint64_t hilbert_key(const Point& point, const Box& box, int dimension);

}  // namespace galerna::mesh
