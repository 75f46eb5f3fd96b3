#include "mesh/pyramid_values.hpp"

#include <algorithm>
#include <cmath>

namespace galerna::mesh {

Unit collapsed(int order, const LatticePoint& node) {
  const auto [x, y, z] = reference_point(Shape::pyramid, order, node);
  return z < 1 ? Unit{x / (1 - z), y / (1 - z), z} : Unit{0, 0, 1};
}

Table pyramid_values(int order, const std::vector<Unit>& points) {
  // a^i b^j (1 − z)^max(i, j) z^k with max(i, j) + k ≤ order: as many as nodes. They are well apart for the orders that
  // meshes have.
  const auto functions = [&](const std::vector<Unit>& at) {
    Table result(at.size(), static_cast<std::size_t>(node_count(Shape::pyramid, order)));
    for (std::size_t q = 0; q < at.size(); ++q) {
      std::size_t n = 0;
      for (int i = 0; i <= order; ++i)
        for (int j = 0; j <= order; ++j)
          for (int k = 0; k + std::max(i, j) <= order; ++k)
            result(q, n++) = std::pow(at[q][0], i) * std::pow(at[q][1], j) * std::pow(1 - at[q][2], std::max(i, j)) *
                             std::pow(at[q][2], k);
    }
    return result;
  };
  std::vector<Unit> nodes;
  for (const LatticePoint& node : node_lattice(Shape::pyramid, order)) nodes.push_back(collapsed(order, node));
  return product(functions(points), inverse(functions(nodes)));
}

}  // namespace galerna::mesh
