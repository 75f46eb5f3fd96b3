/// \file
/// Shapes as products of simplices, whose Bernstein functions are products of those of the simplices.
#pragma once

#include <array>
#include <vector>

#include "base/lattice.hpp"
#include "base/shape.hpp"

namespace galerna::mesh {

/// Axes `first` … `first + size − 1` that span a simplex; a shape is the product of such simplices.
struct Factor {
  std::size_t first, size;
};

/// Of all shapes but points and pyramids.
std::vector<Factor> factors(Shape shape);

/// n!, of n ≥ 0.
double factorial(int n);

/// Exponents of a factor's function at a lattice point: the first belongs to the factor's origin.
std::array<int, 4> factor_exponents(const Factor& f, int degree, const LatticePoint& at);

}  // namespace galerna::mesh
