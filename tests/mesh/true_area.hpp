/// \file
/// Areas of curved elements, exact but for rounding.
#pragma once

#include <cmath>

#include "mesh/bernstein.hpp"
#include "mesh/mesh.hpp"

namespace galerna::mesh {

/// Sum of the true areas of triangles and quadrilaterals: the integral of J is the mean of its Bernstein coefficients.
inline double true_area(const Mesh& mesh) {
  double sum = 0;
  for (const ElementBlock& block : mesh.blocks) {
    const Table from_nodes = bernstein_from_nodes(block.shape, block.order);
    const std::vector<JacobianTerm> terms = jacobian_terms(block.shape, block.order);
    const auto n = static_cast<std::size_t>(block.nodes_per_element());
    const int degree = jacobian_degree(block.shape, block.order);
    const double coefficients = node_count(block.shape, degree);
    for (std::size_t e = 0; e < block.source.size(); ++e) {
      Table places(n, 2);
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t k = 0; k < 2; ++k)
          places(i, k) = mesh.nodes[static_cast<std::size_t>(block.nodes[e * n + i])][k];
      const Table control = product(from_nodes, places);
      const auto along = [&](const std::array<int, 2>& ends, std::size_t k) {
        return control(static_cast<std::size_t>(ends[1]), k) - control(static_cast<std::size_t>(ends[0]), k);
      };
      double mean = 0;
      for (const JacobianTerm& t : terms)
        mean += t.weight * (along(t.first, 0) * along(t.second, 1) - along(t.first, 1) * along(t.second, 0));
      sum += std::abs(mean) / coefficients * (block.shape == Shape::triangle ? 0.5 : 1);
    }
  }
  return sum;
}

}  // namespace galerna::mesh
