#include "mesh/refine_tables.hpp"

#include <algorithm>
#include <array>

#include "base/lattice.hpp"

namespace galerna::mesh {
namespace {

/// Whether corner `c` (of the lattice of order 1) has weight at node `n` (of the lattice of order 2).
bool supports(Shape shape, const LatticePoint& c, const LatticePoint& n) {
  const auto on_axis = [&](std::size_t k) { return n[k] == 1 || n[k] == 2 * c[k]; };
  if (!is_simplex(shape) && shape != Shape::prism) return on_axis(0) && on_axis(1) && on_axis(2);
  const bool prism = shape == Shape::prism;
  const int own_weight = c[0] == 1             ? n[0]
                         : c[1] == 1           ? n[1]
                         : !prism && c[2] == 1 ? n[2]
                                               : 2 - n[0] - n[1] - (prism ? 0 : n[2]);
  return own_weight > 0 && (!prism || on_axis(2));
}

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

}  // namespace

Subdivision make_subdivision(Shape shape, int diagonal) {
  Subdivision result;
  const std::vector<LatticePoint> nodes = node_lattice(shape, 2), corners = node_lattice(shape, 1);
  for (const LatticePoint& node : nodes) {
    std::vector<int> parents;
    for (std::size_t c = 0; c < corners.size(); ++c)
      if (supports(shape, corners[c], node)) parents.push_back(static_cast<int>(c));
    result.parents.push_back(parents);
  }
  for (const LatticePoint& offset : corners) {
    std::vector<int> child;
    for (const LatticePoint& c : corners)
      child.push_back(find(nodes, {offset[0] + c[0], offset[1] + c[1], offset[2] + c[2]}));
    result.children.push_back(child);
  }
  if (shape == Shape::triangle || shape == Shape::prism) add_inner_triangles(shape, nodes, result.children);
  if (shape == Shape::tetrahedron) add_octahedron(diagonal, nodes, result.children);

  for (int side = 0; side < side_count(shape); ++side) {
    const std::vector<int> on_side = side_nodes(shape, 2, side);
    result.side_nodes.push_back(on_side);
    std::vector<std::pair<int, int>> parts;
    for (std::size_t child = 0; child < result.children.size(); ++child)
      for (int s = 0; s < side_count(shape); ++s) {
        const auto local = side_corners(shape, s);
        const bool inside = std::all_of(local.begin(), local.end(), [&](int c) {
          return std::find(on_side.begin(), on_side.end(), result.children[child][static_cast<std::size_t>(c)]) !=
                 on_side.end();
        });
        if (inside) parts.emplace_back(static_cast<int>(child), s);
      }
    result.sides.push_back(parts);
  }
  return result;
}

}  // namespace galerna::mesh
