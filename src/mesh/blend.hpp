/// \file
/// Displacements of edges and sides carried on into elements.
#pragma once

#include <vector>

#include "mesh/bernstein.hpp"
#include "mesh/mesh.hpp"
#include "mesh/shared_nodes.hpp"

namespace galerna::mesh {

/// Transfinite interpolation at the nodes of an element of one shape and order. What an edge or side does at its points
/// is carried on with the weight w of its corners in the map of the straight-sided element, from the point where their
/// weights over w are the same: linearly in quadrilaterals and hexahedra (W. J. Gordon, C. A. Hall, Int. J. Numer.
/// Meth. Eng. 7 (1973) 461), along rays from the opposite corner, edge or side in the other shapes. It vanishes on all
/// sides that do not touch the edge or side, and on a side depends on this side alone.
class Blend {
 public:
  Blend(Shape shape, int order);

  /// Between which corners the nodes lie: [node].
  const std::vector<CornerWeights>& corners() const { return corners_; }

  /// Sets all that is not given. \param values [node], 0 at corners \param given [node] whether it is known: edges and
  /// sides of solids as wholes, a side only with its edges; values that are not given must be 0
  void fill(std::vector<Point>& values, const std::vector<char>& given) const;

 private:
  std::vector<CornerWeights> corners_;
  Table edges_, sides_;        ///< [node][node on edges, inside of sides]
  std::vector<char> on_side_;  ///< [node] whether it lies inside a side of a solid
};

}  // namespace galerna::mesh
