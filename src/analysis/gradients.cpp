#include "analysis/gradients.hpp"

#include <algorithm>

namespace galerna::analysis {

using mesh::Index;

namespace {

using Vector = std::array<double, 3>;
using Inverse = std::array<Vector, 3>;  // [r][d]: ∂ξ_r/∂x_d, rows of the inverse of the Jacobian

Inverse inverse_of(const Vector& a, const Vector& b) {
  const double determinant = a[0] * b[1] - a[1] * b[0];
  return {{{b[1] / determinant, -b[0] / determinant}, {-a[1] / determinant, a[0] / determinant}}};
}

Inverse inverse_of(const Vector& a, const Vector& b, const Vector& c) {
  const auto cross = [](const Vector& u, const Vector& v) {
    return Vector{u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
  };
  Inverse rows = {cross(b, c), cross(c, a), cross(a, b)};
  const double determinant = a[0] * rows[0][0] + a[1] * rows[0][1] + a[2] * rows[0][2];
  for (Vector& row : rows)
    for (double& entry : row) entry /= determinant;
  return rows;
}

}  // namespace

BlockGradients::BlockGradients(const Solution& solution, int block, const std::vector<basis::Point>& points)
    : solution_(&solution),
      block_(solution.mesh->blocks.at(static_cast<std::size_t>(block))),
      number_(block),
      dimension_(static_cast<std::size_t>(dimension(block_.shape))) {
  piece_of(solution, block);
  for (int d = 0; d < dimension(block_.shape); ++d) {
    modes_.push_back(basis::basis_derivatives(block_.shape, solution.degree, points, d));
    nodes_.push_back(basis::lagrange_derivatives(block_.shape, block_.order, points, d));
  }
}

/// Derivative of the place by a reference coordinate.
std::array<double, 3> BlockGradients::tangent(std::size_t direction, Index position, int q) const {
  const Index* nodes = block_.nodes.data() + position * block_.nodes_per_element();
  std::array<double, 3> result = {};
  for (int node = 0; node < block_.nodes_per_element(); ++node)
    for (std::size_t d = 0; d < dimension_; ++d)
      result[d] += nodes_[direction](q, node) * solution_->mesh->nodes[static_cast<std::size_t>(nodes[node])][d];
  return result;
}

void BlockGradients::evaluate(Index position, int q, double* result) const {
  thread_local std::vector<double> room;
  evaluate(position, q, solution_->modes(number_, position, room), result);
}

void BlockGradients::evaluate(Index position, int q, const double* c, double* result) const {
  const std::size_t count = solution_->variables.size();
  const Inverse inverse = dimension_ == 3
                              ? inverse_of(tangent(0, position, q), tangent(1, position, q), tangent(2, position, q))
                              : inverse_of(tangent(0, position, q), tangent(1, position, q));
  std::fill_n(result, dimension_ * count, 0.0);
  const Eigen::Index modes = modes_[0].cols();
  for (std::size_t v = 0; v < count; ++v)
    for (std::size_t r = 0; r < dimension_; ++r) {
      double by_reference = 0;
      for (Eigen::Index j = 0; j < modes; ++j)
        by_reference += modes_[r](q, j) * c[static_cast<Eigen::Index>(v) * modes + j];
      for (std::size_t d = 0; d < dimension_; ++d) result[d * count + v] += by_reference * inverse[r][d];
    }
}

}  // namespace galerna::analysis
