/// \file
/// Where the points of an element's side in space lie, with tangents and normals, in true high order.
#pragma once

#include <array>
#include <vector>

#include "basis/basis.hpp"
#include "mesh/mesh.hpp"

namespace galerna::analysis {

/// Sign by which the product of a side's tangents, from its first corner to its second and to its last, points out of
/// the reference shape.
int outward_sign(Shape shape, int side);

/// The map of one side of an element in space from its own reference shape.
class SideMap {
 public:
  SideMap(const mesh::Mesh& mesh, const mesh::Side& side);

  struct Place {
    mesh::Point place = {};
    std::array<mesh::Point, 2> tangents = {};  ///< by reference coordinate
    mesh::Point normal = {};                   ///< unit, out of the element
  };
  /// [point]
  std::vector<Place> at(const std::vector<basis::Point>& points) const;

 private:
  Shape shape_;
  int order_;
  double sign_;          // of the product of the tangents that points outward
  basis::Matrix nodes_;  // [node of the side][coordinate]
};

}  // namespace galerna::analysis
