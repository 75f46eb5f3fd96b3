#include "output/gradients.hpp"

#include <algorithm>

#include "output/sampling.hpp"

namespace galerna::output {

using mesh::Index;

BlockGradients::BlockGradients(const Solution& solution, int block, const std::vector<basis::Point>& points)
    : solution_(&solution),
      block_(solution.mesh->blocks.at(static_cast<std::size_t>(block))),
      offset_(coefficient_offsets(solution)[static_cast<std::size_t>(block)]) {
  for (std::size_t d = 0; d < 2; ++d) {
    modes_[d] = basis::basis_derivatives(block_.shape, solution.degree, points, static_cast<int>(d));
    nodes_[d] = basis::lagrange_derivatives(block_.shape, block_.order, points, static_cast<int>(d));
  }
}

/// Derivative of the place by a reference coordinate.
std::array<double, 2> BlockGradients::tangent(std::size_t direction, Index position, int q) const {
  const Index* nodes = block_.nodes.data() + position * block_.nodes_per_element();
  std::array<double, 2> result = {0, 0};
  for (int node = 0; node < block_.nodes_per_element(); ++node)
    for (std::size_t d = 0; d < 2; ++d)
      result[d] += nodes_[direction](q, node) * solution_->mesh->nodes[static_cast<std::size_t>(nodes[node])][d];
  return result;
}

void BlockGradients::evaluate(Index position, int q, double* result) const {
  const std::size_t count = solution_->variables.size();
  const auto a = tangent(0, position, q), b = tangent(1, position, q);
  const double determinant = a[0] * b[1] - a[1] * b[0];
  // ∂ξ_r/∂x_d: rows of the inverse of the Jacobian (a b).
  const double inverse[2][2] = {{b[1] / determinant, -b[0] / determinant}, {-a[1] / determinant, a[0] / determinant}};
  std::fill_n(result, 2 * count, 0.0);
  const Eigen::Index modes = modes_[0].cols();
  const double* c = solution_->coefficients.data() + offset_ + position * static_cast<Index>(count) * modes;
  for (std::size_t v = 0; v < count; ++v)
    for (std::size_t r = 0; r < 2; ++r) {
      double by_reference = 0;
      for (Eigen::Index j = 0; j < modes; ++j)
        by_reference += modes_[r](q, j) * c[static_cast<Eigen::Index>(v) * modes + j];
      for (std::size_t d = 0; d < 2; ++d) result[d * count + v] += by_reference * inverse[r][d];
    }
}

}  // namespace galerna::output
