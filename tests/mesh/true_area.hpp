/// \file
/// Areas and volumes of curved elements, exact but for rounding.
#pragma once

#include <cmath>

#include "mesh/jacobian_form.hpp"
#include "mesh/mesh.hpp"

namespace galerna::mesh {

/// ∫ (1 − z)² B(z) dz over [0, 1], B the Bernstein function of degree m at place k.
inline double bernstein_integral(int m, int k) {
  return (m - k + 1.0) * (m - k + 2.0) / ((m + 1.0) * (m + 2.0) * (m + 3.0));
}

/// Sum of the true areas or volumes of all elements: the integral of J is the mean of its Bernstein coefficients, in
/// pyramids weighted with the area (1 − z)² of sections.
/// Sum of the true areas or volumes of all elements: the integral of J is the mean of its Bernstein coefficients, where
/// sections of pyramids do not count less towards the apex.
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
      if (block.shape != Shape::pyramid) {
        for (const double c : coefficients) mean += c / static_cast<double>(coefficients.size());
      } else {
        const int m = 3 * block.order - 1;
        const std::vector<LatticePoint> along = node_lattice(Shape::line, m);
        for (std::size_t i = 0; i < coefficients.size(); ++i)
          mean += coefficients[i] * 3 * bernstein_integral(m, along[i % along.size()][0]) / ((m + 1) * (m + 1));
      }
      sum += std::abs(mean) * reference_measure(block.shape);
    }
  }
  return sum;
}

}  // namespace galerna::mesh
