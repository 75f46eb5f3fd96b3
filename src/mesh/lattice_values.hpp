/// \file
/// Maps of elements at points of lattices: what refinement and changes of the geometry order need of a nodal basis.
#pragma once

#include <utility>
#include <vector>

#include "base/lattice.hpp"
#include "base/shape.hpp"
#include "mesh/table.hpp"

namespace galerna::mesh {

/// Functions of the Lagrange element of geometry order `order` ≥ 1 at points of the lattice of order `steps` of the
/// same shape (base/lattice.hpp): [point][node]. Zeros are exact, so that values on a side follow from the nodes of
/// this side alone. Of pyramids, the rational functions of M. Bergot, G. Cohen, M. Duruflé, J. Sci. Comput. 42 (2010)
/// 345. \param shape of one to three dimensions
Table lattice_values(Shape shape, int order, const std::vector<LatticePoint>& points, int steps);

/// The row without its zeros: number of the column and value.
std::vector<std::pair<int, double>> entries_of(const Table& table, std::size_t row);

}  // namespace galerna::mesh
