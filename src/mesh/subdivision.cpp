#include "mesh/subdivision.hpp"

#include <algorithm>
#include <array>

#include "base/lattice.hpp"

namespace galerna::mesh {
namespace {

int find(const std::vector<LatticePoint>& nodes, const LatticePoint& point) {
  return static_cast<int>(std::find(nodes.begin(), nodes.end(), point) - nodes.begin());
}

/// The children inside the triangle of midpoints, between the corners' children.
void add_inner_triangles(Shape shape, const std::vector<LatticePoint>& nodes, std::vector<std::vector<int>>& children) {
  static constexpr int middle[3][2] = {{1, 0}, {1, 1}, {0, 1}};
  for (int layer = 0; layer < (shape == Shape::prism ? 2 : 1); ++layer) {
    std::vector<int> child;
    for (int k = layer; k <= (shape == Shape::prism ? layer + 1 : layer); ++k)
      for (const auto& m : middle) child.push_back(find(nodes, {m[0], m[1], k}));
    children.push_back(child);
  }
}

/// Four tetrahedra around a diagonal of the octahedron of midpoints.
void add_octahedron(int diagonal, const std::vector<LatticePoint>& nodes, std::vector<std::vector<int>>& children) {
  // [diagonal] the four other midpoints, around the diagonal
  static constexpr int rings[3][4] = {{5, 6, 7, 9}, {4, 6, 8, 9}, {4, 5, 8, 7}};
  const auto [from, to] = tetrahedron_diagonals[diagonal];
  for (int i = 0; i < 4; ++i) {
    std::vector<int> child{from, to, rings[diagonal][i], rings[diagonal][(i + 1) % 4]};
    std::array<LatticePoint, 3> edge{};
    for (std::size_t e = 0; e < 3; ++e)
      for (std::size_t k = 0; k < 3; ++k)
        edge[e][k] = nodes[static_cast<std::size_t>(child[e + 1])][k] - nodes[static_cast<std::size_t>(from)][k];
    const int determinant = edge[0][0] * (edge[1][1] * edge[2][2] - edge[1][2] * edge[2][1]) -
                            edge[0][1] * (edge[1][0] * edge[2][2] - edge[1][2] * edge[2][0]) +
                            edge[0][2] * (edge[1][0] * edge[2][1] - edge[1][1] * edge[2][0]);
    if (determinant < 0) std::swap(child[2], child[3]);
    children.push_back(child);
  }
}

/// The pyramid upside down below the highest one, and the four tetrahedra between the pyramids along the base.
void add_between_pyramids(const std::vector<LatticePoint>& nodes, Subdivision& result) {
  const int centre = find(nodes, {1, 1, 0});
  static constexpr int layer[4][2] = {{0, 0}, {0, 1}, {1, 1}, {1, 0}}, base[4][2] = {{1, 0}, {0, 1}, {1, 2}, {2, 1}};
  std::vector<int> below;
  for (const auto& m : layer) below.push_back(find(nodes, {m[0], m[1], 1}));
  below.push_back(centre);
  result.children.push_back(below);
  result.shapes.push_back(Shape::pyramid);
  // [edge of the base: front, left, back, right] the corners of the layer above its ends
  static constexpr int ends[4][2] = {{0, 3}, {1, 0}, {2, 1}, {3, 2}};
  for (std::size_t e = 0; e < 4; ++e) {
    const auto above = [&](int i) { return below[static_cast<std::size_t>(ends[e][i])]; };
    result.children.push_back({find(nodes, {base[e][0], base[e][1], 0}), above(1), centre, above(0)});
    result.shapes.push_back(Shape::tetrahedron);
  }
}

/// Parts of the element's sides, from the corners of the children.
void find_sides(Shape shape, Subdivision& result) {
  for (int side = 0; side < side_count(shape); ++side) {
    const std::vector<int> on_side = side_nodes(shape, 2, side);
    result.side_nodes.push_back(on_side);
    std::vector<std::pair<int, int>> parts;
    for (std::size_t child = 0; child < result.children.size(); ++child)
      for (int s = 0; s < side_count(result.shapes[child]); ++s) {
        const auto local = side_corners(result.shapes[child], s);
        const bool inside = std::all_of(local.begin(), local.end(), [&](int c) {
          return std::find(on_side.begin(), on_side.end(), result.children[child][static_cast<std::size_t>(c)]) !=
                 on_side.end();
        });
        if (inside) parts.emplace_back(static_cast<int>(child), s);
      }
    result.sides.push_back(parts);
  }
}

}  // namespace

Subdivision make_subdivision(Shape shape, int diagonal) {
  Subdivision result;
  const std::vector<LatticePoint> nodes = node_lattice(shape, 2), corners = node_lattice(shape, 1);
  for (const LatticePoint& offset : corners) {
    std::vector<int> child;
    for (const LatticePoint& c : corners)
      child.push_back(find(nodes, {offset[0] + c[0], offset[1] + c[1], offset[2] + c[2]}));
    result.children.push_back(child);
  }
  if (shape == Shape::triangle || shape == Shape::prism) add_inner_triangles(shape, nodes, result.children);
  if (shape == Shape::tetrahedron) add_octahedron(diagonal, nodes, result.children);
  result.shapes.assign(result.children.size(), shape);
  if (shape == Shape::pyramid) add_between_pyramids(nodes, result);
  find_sides(shape, result);
  return result;
}

}  // namespace galerna::mesh
