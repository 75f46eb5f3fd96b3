/// \file
/// The largest step under which the means of elements stay positive (docs/theory.md, Positivity).
#pragma once

#include <vector>

#include "base/shape.hpp"
#include "mesh/mesh.hpp"

namespace galerna::solver {

/// Sides of an element whose points may be given this share of its mean: the mean is `share` times the sum over the
/// sides of the averages by their rules, and a positive combination of the values where the limiter looks.
struct SideShare {
  std::vector<int> sides;
  double share;
};

/// With the default rules of degree 1 … 6. Each holds by itself; multiplied by numbers ≥ 0 whose sum is 1
/// they hold together.
std::vector<SideShare> side_shares(Shape shape, int degree);

/// The number w for which cfl = (2p + 1) w/6 is the largest with which an Euler step keeps all means positive.
/// \param mesh with the default rules, but of straight triangles. Where elements are curved by polynomials of a degree
/// above p + 1, whose rules have more points, it is close to that number.
double positivity_weight(const mesh::Mesh& mesh, int degree);

}  // namespace galerna::solver
