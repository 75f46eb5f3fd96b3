/// \file
/// Meshes of triangles and quadrilaterals, side by side and curved, for tests.
#pragma once

#include <cmath>
#include <functional>

#include "base/lattice.hpp"
#include "basis/basis.hpp"
#include "mesh/generate.hpp"
#include "mesh/images.hpp"
#include "mesh/prepare.hpp"
#include "mesh/refine.hpp"

namespace galerna::tests {

using Bend = std::function<mesh::Point(double, double)>;

inline mesh::Point wavy(double x, double y) {
  const double pi = M_PI;
  return {x + 0.05 * std::sin(2 * pi * x + 1) * std::cos(2 * pi * y),
          y + 0.06 * std::cos(2 * pi * x) * std::sin(2 * pi * y + 2), 0};
}

/// Every third quadrilateral, as good as at random, is divided into two triangles along one diagonal or the other.
inline mesh::Mesh divide_some(const mesh::Mesh& grid) {
  mesh::Mesh mixed = grid;
  mixed.blocks = {{Shape::quadrilateral, 1, {}, {}, {}}, {Shape::triangle, 1, {}, {}, {}}};
  mesh::Index source = 0;
  const auto add = [&](mesh::ElementBlock& block, std::initializer_list<mesh::Index> nodes) {
    block.nodes.insert(block.nodes.end(), nodes);
    block.region.push_back(-1);
    block.source.push_back(source++);
  };
  for (mesh::Index e = 0; e < grid.element_count(); ++e) {
    const auto c = grid.corners(e);
    const auto kind = (e * 7 + e / 5) % 4;
    if (kind < 2) {
      // Begun at any of its corners, so that all orientations of sides occur.
      const auto at = [&](mesh::Index i) { return c[static_cast<std::size_t>((i + e) % 4)]; };
      add(mixed.blocks[0], {at(0), at(1), at(2), at(3)});
    } else if (kind == 2) {
      add(mixed.blocks[1], {c[0], c[1], c[2]});
      add(mixed.blocks[1], {c[0], c[2], c[3]});
    } else {
      add(mixed.blocks[1], {c[0], c[1], c[3]});
      add(mixed.blocks[1], {c[1], c[2], c[3]});
    }
  }
  mixed.boundaries.clear();
  return mixed;
}

/// All elements raised to a geometry order, their nodes moved by `bend`. Nodes but the corners are not shared.
inline mesh::Mesh raise(const mesh::Mesh& straight, int order, const Bend& bend) {
  mesh::Mesh mesh = straight;
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
        double x = 0, y = 0;
        for (int i = 0; i < corners; ++i) {
          const mesh::Point& p = straight.nodes[static_cast<std::size_t>(corner[i])];
          x += weights(n, i) * p[0], y += weights(n, i) * p[1];
        }
        nodes.push_back(static_cast<mesh::Index>(mesh.nodes.size()));
        mesh.nodes.push_back(bend(x, y));
      }
    block.nodes = nodes;
    block.order = order;
  }
  for (std::size_t n = 0; n < straight.nodes.size(); ++n)
    mesh.nodes[n] = bend(straight.nodes[n][0], straight.nodes[n][1]);
  mesh.image = mesh::own_images(mesh.nodes.size());
  return mesh;
}

/// A curved irregular mixture on the unit square, about n × n; prepared, all of its boundary without a name.
inline mesh::Mesh curved_mixture(mesh::Index n, int order, double jitter = 0.15, const Bend& bend = wavy) {
  mesh::Mesh mesh = raise(
      divide_some(mesh::make_rectangle(n, n, {0, 0}, {1, 1}, mesh::CellStyle::quadrilaterals, jitter)), order, bend);
  mesh::prepare(mesh);
  return mesh;
}

/// The same, every straight element divided into four `levels` times before it is bent: the meshes of all levels lie on
/// the same map, so that orders of convergence are not those of random meshes.
inline mesh::Mesh refined_mixture(mesh::Index n, int levels, int order, double jitter = 0.15) {
  const mesh::Mesh grid = mesh::make_rectangle(n, n, {0, 0}, {1, 1}, mesh::CellStyle::quadrilaterals, jitter);
  mesh::Mesh mesh = raise(mesh::refine(divide_some(grid), levels), order, wavy);
  mesh::prepare(mesh);
  return mesh;
}

/// The same as curved_mixture, periodic in both directions: the bend must be.
inline mesh::Mesh periodic_mixture(mesh::Index n, int order) {
  mesh::Mesh straight = divide_some(mesh::make_rectangle(n, n, {0, 0}, {1, 1}, mesh::CellStyle::quadrilaterals, 0.15));
  mesh::Mesh mesh = raise(straight, order, wavy);
  for (mesh::Index j = 0; j <= n; ++j)
    for (const auto& [a, b] : {std::pair{j * (n + 1), j * (n + 1) + n}, std::pair{j, n * (n + 1) + j}})
      mesh::join_images(mesh.image, a, b);
  mesh::finish_images(mesh.image);
  mesh::prepare(mesh);
  return mesh;
}

}  // namespace galerna::tests
