/// \file
/// Planes in which nodes of flat boundaries stay.
#pragma once

#include <array>
#include <optional>
#include <span>

#include "base/vectors.hpp"
#include "mesh/mesh.hpp"

namespace galerna::curving {

/// The plane of a straight side, in the plane the line; nothing where its four corners lie in no plane.
std::optional<Plane> plane_of(const mesh::Mesh& mesh, std::span<const mesh::Index> corners);

/// Directions, orthonormal, in which a node must not move.
class Directions {
 public:
  /// Adds a unit direction unless those that there are have it already, but for a part of 10⁻⁵.
  void add(const Vector& direction);
  void forbid_all();
  int count() const { return count_; }
  /// What of a vector is left.
  Vector remove_from(Vector v) const;

 private:
  std::array<Vector, 3> list_{};
  int count_ = 0;
};

}  // namespace galerna::curving
