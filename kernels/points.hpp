/// \file
/// Physical coordinates of points of affine elements.
#pragma once

#include "kernels/layout.hpp"

namespace galerna::kernels {

/// Point q of the rule `Points` (barycentric(q, i)) in the item's element: x = Σ λ_i x_i; unused coordinates are 0.
/// \param vertices [block][dimension + 1][dimension][lane] corner coordinates
template <class Case, class Points>
Array<typename Case::Value, 3> physical_point(const void* vertices, const Item& item, int q) {
  using V = typename Case::Value;
  constexpr int dimension = Case::Equations::dimension, values = (dimension + 1) * dimension;
  Array<V, 3> x;
  for (int d = 0; d < 3; ++d) x[d] = V(0);
  for (int d = 0; d < dimension; ++d)
    for (int i = 0; i <= dimension; ++i)
      x[d] += V(Points::barycentric(q, i)) * load<Case>(vertices, item, values, i * dimension + d);
  return x;
}

}  // namespace galerna::kernels
