/// \file
/// Sizes and places of elements, taken as straight-sided between their corners.
#pragma once

#include <array>
#include <string>

#include "mesh/mesh.hpp"

namespace galerna::mesh {

double distance(const Point& a, const Point& b);

/// Corners of the box around the nodes that elements use; both zero for a mesh without elements.
struct Box {
  Point lower{}, upper{};
};
Box bounding_box(const Mesh& mesh);

/// Length of the diagonal of that box: the size that tolerances are relative to.
double extent(const Mesh& mesh);

/// Mean of the element's corners.
Point centroid(const Mesh& mesh, Index element);

/// Mean of the side's corners.
Point side_centre(const Mesh& mesh, const Side& side);

/// Area (2D) or volume (3D) of the element. Sides of four corners in space are the bilinear surfaces between them.
double measure(const Mesh& mesh, Index element);

/// Diameter of the inscribed circle or sphere of a simplex. Other shapes: 2·d·measure / (measure of all sides), which
/// is that of the inscribed circle or sphere where the element has one that touches all sides (squares, cubes), and the
/// harmonic mean of the edge lengths of a rectangle.
double inscribed_diameter(const Mesh& mesh, Index element);

/// Shape of the element against the best of its kind, ≥ 1. Simplices: circumradius / (d · inradius), 1 for regular ones
/// (the usual radius ratio). Other shapes: longest edge / inscribed_diameter, 1 for squares and cubes.
double aspect(const Mesh& mesh, Index element);

/// Smallest and largest angle between two sides of an element in space that meet at an edge, degrees; of sides of four
/// corners by their mean normal. A regular tetrahedron has 70.5 everywhere, a cube 90.
std::array<double, 2> dihedral_angles(const Mesh& mesh, Index element);

/// How the element is oriented by its corners, straight-sided. Degenerate: no area or volume at a corner. Tangled:
/// positive at some corners and negative at others (not convex, or twisted).
enum class Orientation { positive, negative, degenerate, tangled };
Orientation orientation(const Mesh& mesh, Index element);

/// "(x, y)" or "(x, y, z)" for messages.
std::string to_text(const Point& point, int dimension);

/// "triangle 13" for messages, with Mesh::number().
std::string name_of(const Mesh& mesh, Index element);

/// "triangle 13 at (x, y)"
std::string place_of(const Mesh& mesh, Index element);

}  // namespace galerna::mesh
