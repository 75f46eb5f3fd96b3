/// \file
/// Meshes of curved solids, for tests.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "basis/basis.hpp"
#include "dg/solids.hpp"
#include "mesh/box.hpp"
#include "mesh/images.hpp"
#include "mesh/prepare.hpp"

namespace galerna::tests {

using SpaceBend = std::function<mesh::Point(const mesh::Point&)>;

/// Of period 1; no face stays flat.
inline mesh::Point wavy_in_space(const mesh::Point& x) {
  constexpr double pi = M_PI;
  return {x[0] + 0.03 * std::sin(2 * pi * x[1] + 1) * std::cos(2 * pi * x[2]),
          x[1] + 0.04 * std::cos(2 * pi * x[0]) * std::sin(2 * pi * x[2] + 2),
          x[2] + 0.03 * std::sin(2 * pi * (x[0] + x[1]))};
}

/// All elements of a straight mesh raised to a geometry order, their nodes moved by `bend`. Nodes but the corners are
/// not shared.
inline mesh::Mesh raise_solids(const mesh::Mesh& straight, int order, const SpaceBend& bend) {
  mesh::Mesh mesh = straight;
  for (mesh::Point& x : mesh.nodes) x = bend(x);
  for (mesh::ElementBlock& block : mesh.blocks) {
    const basis::Matrix weights = basis::lagrange_values(block.shape, 1, basis::lagrange_nodes(block.shape, order));
    const int corners = corner_count(block.shape);
    std::vector<mesh::Index> nodes;
    for (mesh::Index e = 0; e < block.size(); ++e)
      for (int n = 0; n < weights.rows(); ++n) {
        const mesh::Index* corner = block.nodes.data() + e * corners;
        if (n < corners) {
          nodes.push_back(corner[n]);
          continue;
        }
        mesh::Point x{};
        for (int i = 0; i < corners; ++i)
          for (std::size_t k = 0; k < 3; ++k)
            x[k] += weights(n, i) * straight.nodes[static_cast<std::size_t>(corner[i])][k];
        nodes.push_back(static_cast<mesh::Index>(mesh.nodes.size()));
        mesh.nodes.push_back(bend(x));
      }
    block.nodes = nodes;
    block.order = order;
  }
  mesh.image = mesh::own_images(mesh.nodes.size());
  return mesh;
}

/// Makes opposite sides of a box of nx × ny × nz cells the same, whose corners are the first nodes.
inline void join_sides(mesh::Mesh& mesh, const std::array<mesh::Index, 3>& cells) {
  const mesh::Index row = cells[0] + 1, layer = row * (cells[1] + 1);
  const auto join = [&](mesh::Index along, mesh::Index step, mesh::Index across, mesh::Index jump,
                        mesh::Index distance) {
    for (mesh::Index i = 0; i <= along; ++i)
      for (mesh::Index j = 0; j <= across; ++j)
        mesh::join_images(mesh.image, i * step + j * jump, i * step + j * jump + distance);
  };
  join(cells[1], row, cells[2], layer, cells[0]);
  join(cells[0], 1, cells[2], layer, cells[1] * row);
  join(cells[0], 1, cells[1], row, cells[2] * layer);
  mesh::finish_images(mesh.image);
}

/// The unit cube of n³ cubes cut into curved elements, its corners moved at random, too; prepared, periodic where asked
/// for.
inline mesh::Mesh curved_box(mesh::Index n, int order, bool periodic = false, double jitter = 0.06,
                             Shape shape = Shape::tetrahedron) {
  mesh::Mesh mesh = raise_solids(mesh::make_box({n, n, n}, {1, 1, 1}, jitter, shape), order, wavy_in_space);
  if (periodic) join_sides(mesh, {n, n, n});
  mesh::prepare(mesh);
  return mesh;
}

/// box_of_all_solids() with curved elements, its sides mirrored and periodic where asked for; prepared.
inline mesh::Mesh curved_box_of_all_solids(mesh::Index n, int order, bool periodic = false) {
  mesh::Mesh mesh = raise_solids(box_of_all_solids(n, periodic), order, wavy_in_space);
  if (periodic) join_sides(mesh, {n, n, 3});
  mesh::prepare(mesh);
  return mesh;
}

/// A box whose elements are curved where x > ½, straight where not.
inline mesh::Mesh half_curved_box() {
  const auto bend = [](const mesh::Point& x) {
    const double depth = std::max(0.0, x[0] - 0.5);
    return mesh::Point{x[0], x[1] + 0.3 * depth * depth * std::sin(3 * x[2] + 1),
                       x[2] + 0.3 * depth * depth * std::sin(2 * x[1])};
  };
  mesh::Mesh mesh = raise_solids(mesh::make_box({4, 2, 2}), 2, bend);
  mesh::ElementBlock straight = mesh.blocks[0], curved = mesh.blocks[0];
  straight.order = 1;
  straight.nodes = curved.nodes = {};
  const mesh::ElementBlock& all = mesh.blocks[0];
  for (mesh::Index e = 0; e < all.size(); ++e) {
    const auto* nodes = all.nodes.data() + e * 10;
    const auto centre =
        mesh.nodes[static_cast<std::size_t>(nodes[0])][0] + mesh.nodes[static_cast<std::size_t>(nodes[1])][0] +
        mesh.nodes[static_cast<std::size_t>(nodes[2])][0] + mesh.nodes[static_cast<std::size_t>(nodes[3])][0];
    auto& to = centre < 2 ? straight.nodes : curved.nodes;
    to.insert(to.end(), nodes, nodes + (centre < 2 ? 4 : 10));
  }
  for (mesh::ElementBlock* block : {&straight, &curved}) block->region.resize(static_cast<std::size_t>(block->size()));
  straight.source.clear();
  curved.source.clear();
  for (mesh::Index e = 0; e < straight.size(); ++e) straight.source.push_back(e);
  for (mesh::Index e = 0; e < curved.size(); ++e) curved.source.push_back(straight.size() + e);
  mesh.blocks = {straight, curved};
  mesh::prepare(mesh);
  return mesh;
}

}  // namespace galerna::tests
