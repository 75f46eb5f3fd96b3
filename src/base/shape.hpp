/// \file
/// The element shapes that Galerna knows, in any dimension, with their reference domains and sides.
///
/// Reference domains (those of Gmsh): line [-1, 1]; triangle (0,0) (1,0) (0,1); quadrilateral [-1, 1]^2; tetrahedron
/// (0,0,0) (1,0,0) (0,1,0) (0,0,1); hexahedron [-1, 1]^3; prism triangle x [-1, 1]; pyramid base [-1, 1]^2 at z = 0,
/// apex (0,0,1). Corners are numbered as in Gmsh.
///
/// Sides: side i of a triangle or tetrahedron is the one opposite corner i; sides of the other shapes are in Gmsh's
/// order.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace galerna {

enum class Shape : std::uint8_t { point, line, triangle, quadrilateral, tetrahedron, pyramid, prism, hexahedron };

inline constexpr std::array<Shape, 8> all_shapes = {Shape::point,         Shape::line,        Shape::triangle,
                                                    Shape::quadrilateral, Shape::tetrahedron, Shape::pyramid,
                                                    Shape::prism,         Shape::hexahedron};

std::string_view name(Shape shape);         ///< "triangle", …
std::string_view plural_name(Shape shape);  ///< "triangles", "hexahedra", …
int dimension(Shape shape);                 ///< 0 … 3
bool is_simplex(Shape shape);               ///< triangle or tetrahedron
int corner_count(Shape shape);              ///< number of vertices
int side_count(Shape shape);                ///< number of (dimension − 1)-dimensional sides
Shape side_shape(Shape shape, int side);    ///< shape of side `side`

/// The element's local corner numbers on side `side`, in the order of the side's own corners.
std::span<const int> side_corners(Shape shape, int side);

/// Number of nodes of the Lagrange element of geometry order `order` ≥ 1 (complete: with interior nodes).
int node_count(Shape shape, int order);

/// Measure (length, area, volume) of the reference domain.
double reference_measure(Shape shape);

/// Coordinates of corner `corner` of the reference domain.
std::array<double, 3> reference_corner(Shape shape, int corner);

/// Outward normal of side `side` of the reference domain, times the side's measure (shapes of two and three
/// dimensions).
std::array<double, 3> reference_normal(Shape shape, int side);

}  // namespace galerna
