/// \file
/// Areas and volumes of curved elements, exact but for rounding.
#pragma once

#include <cmath>

#include "mesh/jacobian_form.hpp"
#include "mesh/mesh.hpp"

namespace galerna::mesh {

/// Sum of the true areas or volumes of all shapes but pyramids: the integral of J is the mean of its Bernstein
/// coefficients.
inline double true_area(const Mesh& mesh) {
  double sum = 0;
  for (const ElementBlock& block : mesh.blocks) {
    const JacobianForm form(block.shape, block.order);
    const auto n = static_cast<std::size_t>(block.nodes_per_element());
    for (std::size_t e = 0; e < block.source.size(); ++e) {
      std::vector<Point> places;
      for (std::size_t i = 0; i < n; ++i)
        places.push_back(mesh.nodes[static_cast<std::size_t>(block.nodes[e * n + i])]);
      const std::vector<double> coefficients = form.coefficients(places);
      double mean = 0;
      for (const double c : coefficients) mean += c / static_cast<double>(coefficients.size());
      sum += std::abs(mean) * reference_measure(block.shape);
    }
  }
  return sum;
}

}  // namespace galerna::mesh
