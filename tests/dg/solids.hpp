/// \file
/// Meshes of straight solids of all shapes, for tests.
#pragma once

#include <map>
#include <vector>

#include "mesh/box.hpp"
#include "mesh/images.hpp"
#include "mesh/periodic.hpp"
#include "mesh/prepare.hpp"

namespace galerna::tests {

/// Puts together elements given by their corners, in blocks by shape.
class SolidBuilder {
 public:
  explicit SolidBuilder(std::vector<mesh::Point> nodes) { mesh_.nodes = std::move(nodes); }

  mesh::Index add_node(const mesh::Point& x) {
    mesh_.nodes.push_back(x);
    return static_cast<mesh::Index>(mesh_.nodes.size()) - 1;
  }
  void add(Shape shape, const std::vector<mesh::Index>& corners) {
    auto& nodes = nodes_[shape];
    nodes.insert(nodes.end(), corners.begin(), corners.end());
  }

  mesh::Mesh finish() {
    mesh_.file = "solids";
    mesh_.dimension = 3;
    mesh_.image = mesh::own_images(mesh_.nodes.size());
    mesh::Index source = 0;
    for (auto& [shape, nodes] : nodes_) {
      mesh_.blocks.push_back({shape, 1, nodes, {}, {}});
      mesh::ElementBlock& block = mesh_.blocks.back();
      for (mesh::Index e = 0; e < block.size(); ++e) {
        block.region.push_back(-1);
        block.source.push_back(source++);
      }
    }
    return std::move(mesh_);
  }

 private:
  mesh::Mesh mesh_;
  std::map<Shape, std::vector<mesh::Index>> nodes_;
};

/// Pyramids around the centre of a cube over all its sides but `cut`, the lowest or the highest, over which there are
/// two tetrahedra, side by side along the diagonal from corner 0 to 2 or from 4 to 6; −1 for pyramids over all.
/// \param c corners of the cube
inline void add_pyramids(SolidBuilder& builder, const mesh::Mesh& grid, const std::vector<mesh::Index>& c, int cut) {
  mesh::Point centre{};
  for (mesh::Index corner : c)
    for (std::size_t k = 0; k < 3; ++k) centre[k] += grid.nodes[static_cast<std::size_t>(corner)][k] / 8;
  const mesh::Index top = builder.add_node(centre);
  for (int side = 0; side < 6; ++side) {
    if (side == cut) continue;
    std::vector<mesh::Index> corners;
    for (int corner : side_corners(Shape::hexahedron, side)) corners.push_back(c[static_cast<std::size_t>(corner)]);
    corners.push_back(top);
    builder.add(Shape::pyramid, corners);
  }
  if (cut < 0) return;
  const std::size_t first = cut == 0 ? 0 : 4;
  builder.add(Shape::tetrahedron, {c[first], c[first + 1], c[first + 2], top});
  builder.add(Shape::tetrahedron, {c[first], c[first + 2], c[first + 3], top});
}

/// Two layers of n × n cubes, corners moved at random: below hexahedra and, in every other cube, pyramids around its
/// centre; above hexahedra over hexahedra and two prisms over pyramids, of which the upper ones are cut into
/// tetrahedra. With `mirrored` a third layer is like the first, upside down: opposite sides of the box are then alike.
/// Not prepared.
inline mesh::Mesh box_of_all_solids(mesh::Index n, bool mirrored = false) {
  const mesh::Mesh grid = mesh::make_box({n, n, mirrored ? 3 : 2}, {1, 1, 1}, 0.08, Shape::hexahedron);
  SolidBuilder builder(grid.nodes);
  const auto& nodes = grid.blocks[0].nodes;
  for (mesh::Index e = 0; e < grid.blocks[0].size(); ++e) {
    const std::vector<mesh::Index> c(nodes.begin() + 8 * e, nodes.begin() + 8 * (e + 1));
    const mesh::Index layer = e / (n * n);
    const bool whole = (e % n + e / n % n) % 2 == 0;
    if (whole) {
      builder.add(Shape::hexahedron, c);
    } else if (layer != 1) {
      add_pyramids(builder, grid, c, layer == 0 ? 5 : 0);
    } else {
      builder.add(Shape::prism, {c[0], c[1], c[2], c[4], c[5], c[6]});
      builder.add(Shape::prism, {c[0], c[2], c[3], c[4], c[6], c[7]});
    }
  }
  return builder.finish();
}

/// A box of nearly equal cubes cut into elements of one shape, prepared. \param jitter of their corners: straight
/// elements whose metric terms are not constant
inline mesh::Mesh box_of(Shape shape, const std::array<mesh::Index, 3>& cells, const mesh::Point& size, double jitter,
                         bool periodic) {
  mesh::Mesh mesh = mesh::make_box(cells, size, jitter, shape);
  mesh::PrepareOptions options;
  if (periodic)
    options.periodic = {{"left", "right", {size[0], 0, 0}, {}},
                        {"front", "back", {0, size[1], 0}, {}},
                        {"bottom", "top", {0, 0, size[2]}, {}}};
  mesh::prepare(mesh, options);
  return mesh;
}
/// The unit cube of n³ of them.
inline mesh::Mesh box_of(Shape shape, mesh::Index n, double jitter, bool periodic) {
  return box_of(shape, {n, n, n}, {1, 1, 1}, jitter, periodic);
}

}  // namespace galerna::tests
