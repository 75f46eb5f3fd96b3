#include "mesh/side_order.hpp"

namespace galerna::mesh {

int side_orientation(const Mesh& mesh, const Side& side) {
  const Shape shape = mesh.shape(side.element);
  if (is_simplex(shape)) return 0;
  const auto nodes = mesh.element_nodes(side.element);
  const auto corners = side_corners(shape, side.side);
  const std::size_t count = corners.size();
  const auto comes_before = [&](std::size_t a, std::size_t b) {
    return precedes(mesh, nodes[static_cast<std::size_t>(corners[a])], nodes[static_cast<std::size_t>(corners[b])]);
  };
  std::size_t first = 0;
  for (std::size_t i = 1; i < count; ++i)
    if (comes_before(i, first)) first = i;
  if (count == 2) return static_cast<int>(first);
  const bool backward = comes_before((first + count - 1) % count, (first + 1) % count);
  return static_cast<int>(2 * first + (backward ? 1 : 0));
}

}  // namespace galerna::mesh
