/// \file
/// The curve or surface that a side of an element is, of any geometry order.
#pragma once

#include <optional>

#include "mesh/bernstein.hpp"
#include "mesh/mesh.hpp"

namespace galerna::mesh {

/// Where a side is looked at from: an origin, one direction along it in the plane and two in space, and the height.
struct SideFrame {
  Point origin;
  std::array<Point, 2> along;
  Point normal;
  int directions;  ///< 1 or 2

  /// Along the directions; \param here a place relative to the origin
  std::array<double, 2> project(const Point& here) const;
};

/// A side as the polynomial of its nodes.
class SideSurface {
 public:
  SideSurface(const Mesh& mesh, const Side& side);

  /// At lattice coordinates of the side's shape (mesh/bernstein.hpp).
  Point at(const Unit& u) const;

  double size() const { return size_; }  ///< largest distance of a node from the first

  /// The height of its point above place (s, t) of the frame, by Newton's method; nothing where it has none, or too far
  /// beyond its ends.
  std::optional<double> height(const SideFrame& frame, const std::array<double, 2>& place) const;

 private:
  Point sum(const Table& functions) const;
  /// Of a straight side: of the plane, or of the line in the plane, that it lies in.
  std::optional<double> height_of_plane(const SideFrame& frame, const std::array<double, 2>& place,
                                        const Point& shift) const;

  Shape shape_;
  int order_;
  double size_ = 0;
  Point origin_{};
  std::vector<Point> coefficients_;  ///< Bernstein's, relative to the origin: far from (0, 0, 0) no digit is lost
};

}  // namespace galerna::mesh
