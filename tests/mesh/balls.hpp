/// \file
/// Coarse meshes of the unit ball, for tests.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "dg/solids.hpp"
#include "mesh/geometry.hpp"
#include "mesh/side_key.hpp"

namespace galerna::tests {

/// Names the sides whose corners lie at distance 1 from the axis or, without one, from the origin.
inline void name_wall(mesh::Mesh& mesh, bool round_z = false) {
  mesh::Boundary wall{"wall", {}};
  mesh::for_each_side(mesh, [&](const mesh::Side& side, std::span<const mesh::Index> corners) {
    const bool on_wall = std::all_of(corners.begin(), corners.end(), [&](mesh::Index node) {
      const mesh::Point& x = mesh.nodes[static_cast<std::size_t>(node)];
      return std::abs(std::hypot(x[0], x[1], round_z ? 0 : x[2]) - 1) < 1e-12;
    });
    if (on_wall) wall.sides.push_back(side);
  });
  mesh.boundaries = {wall};
}

/// Corners of a cube around the origin, as a hexahedron has them.
inline std::vector<mesh::Point> cube(double half) {
  std::vector<mesh::Point> corners;
  for (int c = 0; c < 8; ++c) {
    const auto x = reference_corner(Shape::hexahedron, c);
    corners.push_back({half * x[0], half * x[1], half * x[2]});
  }
  return corners;
}

/// Numbers of new nodes at the corners of a cube around the origin.
inline std::vector<mesh::Index> add_cube(SolidBuilder& builder, double half) {
  std::vector<mesh::Index> nodes;
  for (const mesh::Point& x : cube(half)) nodes.push_back(builder.add_node(x));
  return nodes;
}

/// Those on a side of a cube, from an inner and from an outer one.
inline std::vector<mesh::Index> on_side(int side, const std::vector<mesh::Index>& inner,
                                        const std::vector<mesh::Index>& outer) {
  std::vector<mesh::Index> nodes;
  for (const auto* shell : {&inner, &outer})
    for (const int corner : side_corners(Shape::hexahedron, side))
      nodes.push_back((*shell)[static_cast<std::size_t>(corner)]);
  return nodes;
}

constexpr double inner_half = 0.35, outer_half = 0.57735026918962576;  // 1/√3: corners on the sphere

/// Eight tetrahedra, or eight prisms round them.
inline mesh::Mesh ball_of_octants(Shape shape) {
  SolidBuilder builder({{0, 0, 0}});
  std::array<std::array<mesh::Index, 6>, 2> shells{};
  for (std::size_t shell = shape == Shape::prism ? 0 : 1; shell < 2; ++shell)
    for (std::size_t i = 0; i < 6; ++i) {
      mesh::Point x{};
      x[i / 2] = (i % 2 ? -0.5 : 0.5) * static_cast<double>(shell + 1);
      shells[shell][i] = builder.add_node(x);
    }
  for (std::size_t octant = 0; octant < 8; ++octant) {
    const std::array<std::size_t, 3> at = {octant & 1, 2 + (octant >> 1 & 1), 4 + (octant >> 2)};
    const auto& core = shells[shape == Shape::prism ? 0 : 1];
    builder.add(Shape::tetrahedron, {0, core[at[0]], core[at[1]], core[at[2]]});
    if (shape != Shape::prism) continue;
    std::vector<mesh::Index> corners;
    for (const auto& shell : shells)
      for (const std::size_t i : at) corners.push_back(shell[i]);
    builder.add(Shape::prism, corners);
  }
  return builder.finish();
}

/// The ball of elements of one shape, as few as there can be: eight tetrahedra, six pyramids, seven hexahedra, or eight
/// prisms round eight tetrahedra.
inline mesh::Mesh ball_of(Shape shape) {
  mesh::Mesh mesh;
  if (shape == Shape::tetrahedron || shape == Shape::prism) {
    mesh = ball_of_octants(shape);
  } else {
    SolidBuilder builder({{0, 0, 0}});
    const auto inner = add_cube(builder, inner_half), outer = add_cube(builder, outer_half);
    if (shape == Shape::hexahedron) builder.add(shape, inner);
    for (int side = 0; side < 6; ++side) {
      std::vector<mesh::Index> corners = on_side(side, inner, outer);
      if (shape == Shape::pyramid) corners = {corners[4], corners[5], corners[6], corners[7], 0};
      builder.add(shape, corners);
    }
    mesh = builder.finish();
  }
  name_wall(mesh);
  return mesh;
}

/// The ball of elements of all shapes, all of which have sides on its surface: a cube of pyramids and tetrahedra, and
/// round it hexahedra, prisms, and hexahedra cut into pyramids and tetrahedra.
inline mesh::Mesh ball_of_all_solids() {
  mesh::Mesh grid;
  for (const double half : {inner_half, outer_half})
    for (const mesh::Point& x : cube(half)) grid.nodes.push_back(x);
  SolidBuilder builder(grid.nodes);
  const mesh::Index centre = builder.add_node({0, 0, 0});
  const std::vector<mesh::Index> inner = {0, 1, 2, 3, 4, 5, 6, 7}, outer = {8, 9, 10, 11, 12, 13, 14, 15};
  for (int side = 0; side < 6; ++side) {
    const std::vector<mesh::Index> c = on_side(side, inner, outer);
    if (side == 1) {
      builder.add(Shape::prism, {c[0], c[1], c[2], c[4], c[5], c[6]});
      builder.add(Shape::prism, {c[0], c[2], c[3], c[4], c[6], c[7]});
      builder.add(Shape::tetrahedron, {c[0], c[1], c[2], centre});
      builder.add(Shape::tetrahedron, {c[0], c[2], c[3], centre});
    } else {
      builder.add(Shape::pyramid, {c[0], c[1], c[2], c[3], centre});
      if (side == 2 || side == 3)
        add_pyramids(builder, grid, c, side == 2 ? 5 : -1);
      else
        builder.add(Shape::hexahedron, c);
    }
  }
  mesh::Mesh mesh = builder.finish();
  name_wall(mesh);
  return mesh;
}

}  // namespace galerna::tests
