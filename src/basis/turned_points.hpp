/// \file
/// Where the points of a side lie on a face that both of its elements count in one order (mesh/side_order.hpp).
#pragma once

#include <vector>

#include "basis/basis.hpp"

namespace galerna::basis {

/// In how many ways an element may meet a face: 2 of lines, 6 of triangles, 8 of quadrilaterals.
int orientation_count(Shape side);

/// [point as the element counts it] the same point as the face counts it. \param rule on the side
/// \param orientation mesh::side_orientation()
/// \throws std::invalid_argument for a rule that is not the same in all orientations
std::vector<int> turned_points(const Quadrature& rule, int orientation);

}  // namespace galerna::basis
