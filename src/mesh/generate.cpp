#include "mesh/generate.hpp"

#include <algorithm>
#include <stdexcept>

#include "mesh/images.hpp"
#include "mesh/random.hpp"

namespace galerna::mesh {
namespace {

/// Adds an element without a region.
void add_element(ElementBlock& block, std::initializer_list<Index> nodes) {
  block.nodes.insert(block.nodes.end(), nodes);
  block.region.push_back(-1);
  block.source.push_back(static_cast<Index>(block.source.size()));
}

}  // namespace

Mesh make_rectangle(Index nx, Index ny, std::array<double, 2> lower, std::array<double, 2> upper, CellStyle style,
                    double jitter) {
  if (nx < 1 || ny < 1 || !(upper[0] > lower[0]) || !(upper[1] > lower[1]) || !(jitter >= 0 && jitter <= 0.2))
    throw std::invalid_argument("make_rectangle: no such rectangle");
  Mesh mesh;
  mesh.file = "rectangle";
  mesh.dimension = 2;
  Random random;
  const double dx = (upper[0] - lower[0]) / static_cast<double>(nx),
               dy = (upper[1] - lower[1]) / static_cast<double>(ny);
  for (Index j = 0; j <= ny; ++j)
    for (Index i = 0; i <= nx; ++i) {
      Point x{i == nx ? upper[0] : lower[0] + static_cast<double>(i) * dx,
              j == ny ? upper[1] : lower[1] + static_cast<double>(j) * dy, 0};
      const double move_x = jitter * dx * random.symmetric(), move_y = jitter * dy * random.symmetric();
      if (i > 0 && i < nx && j > 0 && j < ny) x = {x[0] + move_x, x[1] + move_y, 0};
      mesh.nodes.push_back(x);
    }
  mesh.image = own_images(mesh.nodes.size());

  const bool quadrilaterals = style == CellStyle::quadrilaterals;
  ElementBlock block{quadrilaterals ? Shape::quadrilateral : Shape::triangle, 1, {}, {}, {}};
  mesh.boundaries = {{"left", {}}, {"right", {}}, {"bottom", {}}, {"top", {}}};
  // The cell's corners a b (below), d c (above); its parts hold the bottom, right, top and left side as told.
  const auto add_sides = [&](Index i, Index j, const std::array<Side, 4>& bottom_right_top_left) {
    if (i == 0) mesh.boundaries[0].sides.push_back(bottom_right_top_left[3]);
    if (i == nx - 1) mesh.boundaries[1].sides.push_back(bottom_right_top_left[1]);
    if (j == 0) mesh.boundaries[2].sides.push_back(bottom_right_top_left[0]);
    if (j == ny - 1) mesh.boundaries[3].sides.push_back(bottom_right_top_left[2]);
  };
  for (Index j = 0; j < ny; ++j)
    for (Index i = 0; i < nx; ++i) {
      const Index a = j * (nx + 1) + i, b = a + 1, d = a + nx + 1, c = d + 1, e = block.size();
      if (quadrilaterals) {
        add_element(block, {a, b, c, d});
        add_sides(i, j, {Side{e, 0}, Side{e, 1}, Side{e, 2}, Side{e, 3}});
      } else if (style == CellStyle::triangles || random.next() % 2 == 0) {
        add_element(block, {a, b, c});
        add_element(block, {a, c, d});
        add_sides(i, j, {Side{e, 2}, Side{e, 0}, Side{e + 1, 0}, Side{e + 1, 1}});
      } else {
        add_element(block, {a, b, d});
        add_element(block, {b, c, d});
        add_sides(i, j, {Side{e, 2}, Side{e + 1, 2}, Side{e + 1, 0}, Side{e, 1}});
      }
    }
  mesh.blocks.push_back(std::move(block));
  return mesh;
}

}  // namespace galerna::mesh
