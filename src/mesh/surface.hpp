/// \file
/// True shapes of boundaries: curves in the plane and surfaces in space that a mesh only approximates.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "mesh/mesh.hpp"

namespace galerna::mesh {

class Surface {
 public:
  virtual ~Surface() = default;

  /// The point of the surface that is nearest to x; nothing where all of them are as near, as at the centre of a
  /// sphere. In the plane it has the z of x.
  virtual std::optional<Point> nearest(const Point& x) const = 0;

  /// The same for a point inside of a side or edge of the boundary, whose corners lie on the surface: a surface of
  /// several faces may look only at those at the corners. \param corners where they are
  virtual std::optional<Point> nearest(const Point& x, std::span<const Point> corners) const {
    static_cast<void>(corners);
    return nearest(x);
  }

  /// The unit normal, of either sign, at the point nearest to x; nothing where there is none.
  virtual std::optional<Point> normal(const Point& x) const = 0;

  /// The order − 1 points of an edge of the boundary between its ends, which lie on the surface: evenly spaced along
  /// the straight edge, each moved to the nearest point, unless the surface knows better.
  virtual std::vector<Point> between(const Point& a, const Point& b, int order) const;

  /// What the surface is, for messages.
  virtual std::string name() const = 0;
};

/// Boundary name -> its true shape.
using Surfaces = std::map<std::string, std::shared_ptr<const Surface>>;

/// How far the corners of a boundary may lie off its true shape, in the longest of their sides (in space: edges) there.
inline constexpr double allowed_off_shape = 0.01;

/// For messages. \param name of the shape \param length of the longest side \param key where the case has the shape
std::string describe_off_shape(const Mesh& mesh, const Point& corner, const std::string& boundary, double distance,
                               const std::string& name, double length, const std::string& key);

/// \param goal what should become of the boundary, for the message: "to put onto a sphere"
/// \throws InputError where the mesh has no boundary of that name
void require_boundary(const Mesh& mesh, const std::string& name, const std::string& goal);

}  // namespace galerna::mesh
