#include "mesh/refine_tables.hpp"

#include <algorithm>

#include "base/lattice.hpp"
#include "mesh/lattice_values.hpp"

namespace galerna::mesh {
namespace {

int find(const std::vector<LatticePoint>& nodes, const LatticePoint& point) {
  return static_cast<int>(std::find(nodes.begin(), nodes.end(), point) - nodes.begin());
}

/// The nodes of a child of order N in the lattice of order 2N of its parent, which is the affine image of its own.
/// \param corners places of the child's corners
std::vector<LatticePoint> child_nodes(Shape shape, int order, const std::vector<LatticePoint>& corners) {
  const std::vector<LatticePoint> own = node_lattice(shape, 1);
  const auto place_of = [&](const LatticePoint& corner) {
    return corners[static_cast<std::size_t>(find(own, corner))];
  };
  const LatticePoint origin = place_of({});
  std::vector<LatticePoint> nodes(static_cast<std::size_t>(node_count(shape, order)), origin);
  const std::vector<LatticePoint> lattice = node_lattice(shape, order);
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(dimension(shape)); ++axis) {
    LatticePoint end{};
    end[axis] = 1;
    const LatticePoint along = place_of(end);
    for (std::size_t n = 0; n < nodes.size(); ++n)
      for (std::size_t k = 0; k < 3; ++k) nodes[n][k] += lattice[n][axis] * ((along[k] - origin[k]) / order);
  }
  return nodes;
}

}  // namespace

Division make_division(Shape shape, int order, int diagonal) {
  Division result;
  result.parts = make_subdivision(shape, diagonal);
  const std::vector<LatticePoint> nodes = node_lattice(shape, 2 * order), halves = node_lattice(shape, 2);
  const auto at_half = [&](int half) {
    const auto [i, j, k] = halves[static_cast<std::size_t>(half)];
    return LatticePoint{order * i, order * j, order * k};
  };
  for (std::size_t half = 0; half < halves.size(); ++half)
    result.halves.push_back(find(nodes, at_half(static_cast<int>(half))));
  for (std::size_t c = 0; c < result.parts.children.size(); ++c) {
    std::vector<LatticePoint> corners;
    for (const int half : result.parts.children[c]) corners.push_back(at_half(half));
    std::vector<int> child;
    for (const LatticePoint& node : child_nodes(result.parts.shapes[c], order, corners))
      child.push_back(find(nodes, node));
    result.children.push_back(std::move(child));
  }
  result.corners = corner_weights(shape, nodes, 2 * order);
  const Table values = lattice_values(shape, order, nodes, 2 * order);
  for (std::size_t n = 0; n < nodes.size(); ++n) result.values.push_back(entries_of(values, n));
  return result;
}

}  // namespace galerna::mesh
