/// \file
/// True shapes of boundaries that are round: circles in the plane, spheres and cylinders in space.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "mesh/surface.hpp"

namespace galerna::mesh {

/// All points at a distance, the radius, from a point or from an axis.
class RoundSurface final : public Surface {
 public:
  /// In the plane: all points at the distance `radius` > 0 from the axis along z. \throws std::invalid_argument
  static RoundSurface circle(const Point& centre, double radius);
  /// \throws std::invalid_argument unless radius > 0
  static RoundSurface sphere(const Point& centre, double radius);
  /// Round the line through `point` along `direction` (of any length but 0), without end. \throws
  /// std::invalid_argument unless radius > 0 and direction ≠ 0
  static RoundSurface cylinder(const Point& point, const Point& direction, double radius);

  /// Nothing at the centre or on the axis.
  using Surface::nearest;
  std::optional<Point> nearest(const Point& x) const override;
  std::optional<Point> normal(const Point& x) const override;
  std::string name() const override;  ///< with radius and place

  const std::string& kind() const { return kind_; }  ///< "circle", "sphere" or "cylinder"
  double radius() const { return radius_; }

 private:
  RoundSurface(std::string kind, const Point& centre, const Point& axis, double radius);
  Point radial(const Point& x) const;  ///< from the centre or the axis to x

  std::string kind_;
  Point centre_, axis_;  ///< the axis is a unit vector, 0 of spheres
  double radius_;
};

/// Boundary name -> what nodes on the boundary are moved onto.
using Snap = std::map<std::string, RoundSurface>;

}  // namespace galerna::mesh
