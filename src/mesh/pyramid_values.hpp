/// \file
/// The rational functions of pyramids, in the coordinates of the cube that collapses into them.
#pragma once

#include <vector>

#include "base/lattice.hpp"
#include "mesh/table.hpp"

namespace galerna::mesh {

/// (a, b, z) of a node of the pyramid of order N; (0, 0, 1) of the apex, where a and b have no meaning.
Unit collapsed(int order, const LatticePoint& node);

/// Functions of the pyramid's Lagrange element of order N at points (a, b, z) in [−1, 1]² × [0, 1]: [point][node].
Table pyramid_values(int order, const std::vector<Unit>& points);

}  // namespace galerna::mesh
