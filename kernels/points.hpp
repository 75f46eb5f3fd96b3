/// \file
/// Physical coordinates of points of elements.
#pragma once

#include "kernels/layout.hpp"

namespace galerna::kernels {

/// Point q of a rule in the item's element: x = Σ ℓ_i x_i over its nodes; unused coordinates are 0.
/// \tparam Points has the number of `nodes` and the Lagrange polynomials `lagrange(q, i)` = ℓ_i(ξ_q)
/// \param nodes [block][node][dimension][lane] their coordinates
template <class Config, class Points>
Array<typename Config::Value, 3> physical_point(const void* nodes, const Item& item, int q) {
  using V = typename Config::Value;
  constexpr int dimension = Config::Equations::dimension, values = Points::nodes * dimension;
  Array<V, 3> x;
  for (int d = 0; d < 3; ++d) x[d] = V(0);
  for (int d = 0; d < dimension; ++d)
    for (int i = 0; i < Points::nodes; ++i)
      x[d] += V(Points::lagrange(q, i)) * load<Config>(nodes, item, values, i * dimension + d);
  return x;
}

}  // namespace galerna::kernels
