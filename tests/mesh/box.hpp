/// \file
/// Meshes of boxes, and other places for the nodes of a mesh.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <initializer_list>
#include <stdexcept>

#include "mesh/images.hpp"
#include "mesh/mesh.hpp"
#include "mesh/random.hpp"

namespace galerna::mesh {

/// Adds an element without a region.
inline void add_element(ElementBlock& block, std::initializer_list<Index> nodes) {
  block.nodes.insert(block.nodes.end(), nodes);
  block.region.push_back(-1);
  block.source.push_back(static_cast<Index>(block.source.size()));
}

/// The corners of a cell of a box: cell[i][j][k].
struct Cell {
  Index first;
  std::array<Index, 3> stride;
  Index operator()(int i, int j, int k) const { return first + i * stride[0] + j * stride[1] + k * stride[2]; }
};

/// Which side of the element that is added next lies on a face of the cell: left, right, front, back, bottom, top.
using AddSide = std::function<void(int face, int side)>;

/// One tetrahedron for each way along the edges from corner a to the opposite one: its first three corners lie in the
/// lower plane of the last axis, its last three in the upper plane of the first one.
inline void add_tetrahedra(ElementBlock& block, const Cell& cell, const AddSide& add_side) {
  std::array<std::size_t, 3> axes = {0, 1, 2};
  do {
    const Index a = cell(0, 0, 0), b = a + cell.stride[axes[0]], c = b + cell.stride[axes[1]],
                d = c + cell.stride[axes[2]];
    add_side(static_cast<int>(2 * axes[2]), 3);
    add_side(static_cast<int>(2 * axes[0] + 1), 0);
    add_element(block, {a, b, c, d});
  } while (std::next_permutation(axes.begin(), axes.end()));
}

inline void add_hexahedron(ElementBlock& block, const Cell& c, const AddSide& add_side) {
  const std::array<int, 6> sides = {2, 3, 1, 4, 0, 5};
  for (int face = 0; face < 6; ++face) add_side(face, sides[static_cast<std::size_t>(face)]);
  add_element(block, {c(0, 0, 0), c(1, 0, 0), c(1, 1, 0), c(0, 1, 0), c(0, 0, 1), c(1, 0, 1), c(1, 1, 1), c(0, 1, 1)});
}

inline void add_prisms(ElementBlock& block, const Cell& c, const AddSide& add_side) {
  for (int right = 1; right >= 0; --right) {
    add_side(right ? 1 : 0, right ? 4 : 3);
    add_side(right ? 2 : 3, right ? 2 : 4);
    add_side(4, 0);
    add_side(5, 1);
    const int i = right, j = 1 - right;  // the corner beside the diagonal
    const std::array<Index, 2> at = {c(i, j, 0), c(i, j, 1)};
    if (right)
      add_element(block, {c(0, 0, 0), at[0], c(1, 1, 0), c(0, 0, 1), at[1], c(1, 1, 1)});
    else
      add_element(block, {c(0, 0, 0), c(1, 1, 0), at[0], c(0, 0, 1), c(1, 1, 1), at[1]});
  }
}

/// \param centre node in the middle of the cell
inline void add_pyramids(ElementBlock& block, const Cell& c, Index centre, const AddSide& add_side) {
  for (int axis = 0; axis < 3; ++axis)
    for (int upper = 0; upper < 2; ++upper) {
      const auto corner = [&](int s, int t) {
        std::array<int, 3> at{};
        at[static_cast<std::size_t>(axis)] = upper;
        at[static_cast<std::size_t>((axis + 1) % 3)] = s;
        at[static_cast<std::size_t>((axis + 2) % 3)] = t;
        return c(at[0], at[1], at[2]);
      };
      add_side(2 * axis + upper, 4);
      const Index first = corner(upper ? 0 : 1, upper ? 1 : 0), third = corner(upper ? 1 : 0, upper ? 0 : 1);
      add_element(block, {corner(0, 0), first, corner(1, 1), third, centre});
    }
}

/// A grid of cells[0] × cells[1] × cells[2] cubes over the box from the origin to `upper`, with the boundaries "left",
/// "right" (x), "front", "back" (y), "bottom", "top" (z). Each is one hexahedron, two prisms that stand on the bottom,
/// six pyramids around its centre, or six tetrahedra along one of its diagonals (Kuhn's triangulation). \param jitter
/// moves interior nodes at random by up to this share of a cell's widths, 0 … 0.1; the same mesh each time \throws
/// std::invalid_argument for no cells, an empty box, a jitter out of range, shapes that are not solids
inline Mesh make_box(std::array<Index, 3> cells, Point upper = {1, 1, 1}, double jitter = 0,
                     Shape shape = Shape::tetrahedron) {
  for (std::size_t k = 0; k < 3; ++k)
    if (cells[k] < 1 || !(upper[k] > 0) || !(jitter >= 0 && jitter <= 0.1) || dimension(shape) != 3)
      throw std::invalid_argument("make_box: no such box");
  Mesh mesh;
  mesh.file = "box";
  mesh.dimension = 3;
  Random random;
  std::array<Index, 3> at{};
  for (at[2] = 0; at[2] <= cells[2]; ++at[2])
    for (at[1] = 0; at[1] <= cells[1]; ++at[1])
      for (at[0] = 0; at[0] <= cells[0]; ++at[0]) {
        Point x{};
        bool inside = true;
        for (std::size_t k = 0; k < 3; ++k) inside = inside && at[k] > 0 && at[k] < cells[k];
        for (std::size_t k = 0; k < 3; ++k) {
          const double width = upper[k] / static_cast<double>(cells[k]), move = jitter * width * random.symmetric();
          x[k] = (at[k] == cells[k] ? upper[k] : static_cast<double>(at[k]) * width) + (inside ? move : 0);
        }
        mesh.nodes.push_back(x);
      }

  const std::array<Index, 3> stride = {1, cells[0] + 1, (cells[0] + 1) * (cells[1] + 1)};
  ElementBlock block{shape, 1, {}, {}, {}};
  mesh.boundaries = {{"left", {}}, {"right", {}}, {"front", {}}, {"back", {}}, {"bottom", {}}, {"top", {}}};
  const AddSide add_side = [&](int face, int side) {
    const auto axis = static_cast<std::size_t>(face / 2);
    if (at[axis] == (face % 2 ? cells[axis] - 1 : 0))
      mesh.boundaries[static_cast<std::size_t>(face)].sides.push_back({block.size(), side});
  };
  for (at[2] = 0; at[2] < cells[2]; ++at[2])
    for (at[1] = 0; at[1] < cells[1]; ++at[1])
      for (at[0] = 0; at[0] < cells[0]; ++at[0]) {
        const Cell cell{at[0] + at[1] * stride[1] + at[2] * stride[2], stride};
        if (shape == Shape::tetrahedron) add_tetrahedra(block, cell, add_side);
        if (shape == Shape::hexahedron) add_hexahedron(block, cell, add_side);
        if (shape == Shape::prism) add_prisms(block, cell, add_side);
        if (shape != Shape::pyramid) continue;
        Point centre{};
        for (int corner = 0; corner < 8; ++corner)
          for (std::size_t k = 0; k < 3; ++k)
            centre[k] += mesh.nodes[static_cast<std::size_t>(cell(corner & 1, corner / 2 & 1, corner / 4))][k] / 8;
        mesh.nodes.push_back(centre);
        add_pyramids(block, cell, static_cast<Index>(mesh.nodes.size()) - 1, add_side);
      }
  mesh.image = own_images(mesh.nodes.size());
  mesh.blocks.push_back(std::move(block));
  return mesh;
}

/// Moves every node; the connectivity stays. For example a rectangle bent into an annulus.
inline void transform(Mesh& mesh, const std::function<Point(const Point&)>& map) {
  for (Point& x : mesh.nodes) x = map(x);
}

}  // namespace galerna::mesh
