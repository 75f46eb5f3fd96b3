/// \file
/// The map from an element's reference shape into space, and back.
#pragma once

#include <optional>

#include "basis/basis.hpp"
#include "mesh/mesh.hpp"

namespace galerna::analysis {

/// One element's geometry.
class ElementMap {
 public:
  ElementMap(const mesh::Mesh& mesh, const mesh::ElementBlock& block, mesh::Index position);

  Shape shape() const { return block_->shape; }

  /// Reference coordinates of the point in space, by Newton's method from the element's centre and, in curved elements,
  /// from the nearest node; nothing if the point is not in the element. A point at most `tolerance` (in reference
  /// coordinates) outside counts as inside.
  std::optional<basis::Point> to_reference(const mesh::Point& place, double tolerance = 1e-9) const;

  /// Corners of a box that holds the element: around its nodes, or around the Bernstein control points of a curved one,
  /// whose sides may bulge between nodes.
  struct Box {
    mesh::Point low, high;
    bool contains(const mesh::Point& place) const;
  };
  Box box() const;

 private:
  struct Step {
    Eigen::Vector3d place;
    Eigen::Matrix3d jacobian;
  };
  Step evaluate(const basis::Point& reference) const;
  std::optional<basis::Point> newton(basis::Point start, const mesh::Point& place, double tolerance) const;
  basis::Point nearest_node(const mesh::Point& place) const;
  const mesh::Point& node(int local) const;

  const mesh::Mesh* mesh_;
  const mesh::ElementBlock* block_;
  const mesh::Index* nodes_;
};

/// Is the point in the reference shape, or at most `tolerance` outside?
bool in_reference(Shape shape, const basis::Point& point, double tolerance);

}  // namespace galerna::analysis
