/// \file
/// True shapes of boundaries that are round: circles in the plane, spheres and cylinders in space.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "mesh/mesh.hpp"

namespace galerna::mesh {

/// All points at a distance, the radius, from a point or from an axis.
class RoundSurface {
 public:
  /// In the plane: all points at the distance `radius` > 0 from the axis along z. \throws std::invalid_argument
  static RoundSurface circle(const Point& centre, double radius);
  /// \throws std::invalid_argument unless radius > 0
  static RoundSurface sphere(const Point& centre, double radius);
  /// Round the line through `point` along `direction` (of any length but 0), without end. \throws
  /// std::invalid_argument unless radius > 0 and direction ≠ 0
  static RoundSurface cylinder(const Point& point, const Point& direction, double radius);

  /// The point of the surface that is nearest to x; nothing where all of them are as near, at the centre or on the
  /// axis.
  std::optional<Point> nearest(const Point& x) const;

  const std::string& kind() const { return kind_; }  ///< "circle", "sphere" or "cylinder"
  std::string name() const;                          ///< for messages: with radius and place

 private:
  RoundSurface(std::string kind, const Point& centre, const Point& axis, double radius);

  std::string kind_;
  Point centre_, axis_;  ///< the axis is a unit vector, 0 of spheres
  double radius_;
};

/// Boundary name -> what nodes on the boundary are moved onto.
using Snap = std::map<std::string, RoundSurface>;

}  // namespace galerna::mesh
