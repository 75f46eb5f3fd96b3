#include "dg/metric.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "base/error.hpp"
#include "mesh/geometry.hpp"
#include "mesh/side_order.hpp"

namespace galerna::dg {
namespace {

using basis::Matrix;
using Nodes = Eigen::Matrix<double, Eigen::Dynamic, 2>;

class MetricMaker {
 public:
  MetricMaker(const mesh::Mesh& mesh, int block, const Operators& operators)
      : mesh_(mesh), block_(mesh.blocks.at(static_cast<std::size_t>(block))), operators_(operators) {
    for (int b = 0; b < block; ++b) first_ += mesh.blocks[static_cast<std::size_t>(b)].size();
    if (dimension(block_.shape) != 2 || operators.shape != block_.shape)
      throw std::invalid_argument("make_metric: operators of a shape in the plane, that of the block");
    const auto& points = operators.volume.points;
    values_ = basis::lagrange_values(block_.shape, block_.order, points);
    for (int d = 0; d < 2; ++d) derivatives_[d] = basis::lagrange_derivatives(block_.shape, block_.order, points, d);
    // |J| is of degree 2N − 2 in triangles, 2N − 1 in each coordinate of quadrilaterals.
    means_rule_ = basis::quadrature(block_.shape, operators.degree + 2 * block_.order - 1);
    means_basis_ = basis::basis_values(block_.shape, operators.degree, means_rule_.points);
    for (int d = 0; d < 2; ++d)
      means_derivatives_[d] = basis::lagrange_derivatives(block_.shape, block_.order, means_rule_.points, d);
    for (int side = 0; side < operators.sides(); ++side) {
      const auto at = basis::side_points(block_.shape, side, operators.side.points);
      const auto ends = side_corners(block_.shape, side);
      const auto from = reference_corner(block_.shape, ends[0]), to = reference_corner(block_.shape, ends[1]);
      side_values_.push_back(basis::lagrange_values(block_.shape, block_.order, at));
      for (int d = 0; d < 2; ++d)
        side_derivatives_[d].push_back(basis::lagrange_derivatives(block_.shape, block_.order, at, d));
      side_tangents_.push_back((to[0] - from[0]) * side_derivatives_[0].back() +
                               (to[1] - from[1]) * side_derivatives_[1].back());
      side_signs_.push_back(outward_sign(from, to));
    }
  }

  Metric make(const std::vector<mesh::Index>& positions) {
    Metric& m = metric_;
    m.shape = block_.shape;
    m.order = block_.order;
    m.dimension = 2;
    m.elements = static_cast<mesh::Index>(positions.size());
    m.volume_points = operators_.volume.size();
    m.sides = operators_.sides();
    m.side_points = operators_.side.size();
    m.affine = block_.shape == Shape::triangle && block_.order == 1;
    for (mesh::Index e : positions) {
      const Nodes x = nodes(e);
      const double sign = add_volume(first_ + e, x);
      double perimeter = 0;
      for (int side = 0; side < m.sides; ++side) perimeter += add_side({first_ + e, side}, x, sign);
      const double area =
          m.means[m.means.size() - static_cast<std::size_t>(operators_.modes)] / operators_.volume_basis(0, 0);
      m.diameters.push_back(4 * area / perimeter);
    }
    return std::move(metric_);
  }

 private:
  /// Whether (dy, −dx) of the way round the reference shape points away from its centre: 1 or −1.
  double outward_sign(const std::array<double, 3>& from, const std::array<double, 3>& to) const {
    std::array<double, 2> centre{};
    const int corners = corner_count(block_.shape);
    for (int c = 0; c < corners; ++c)
      for (std::size_t k = 0; k < 2; ++k) centre[k] += reference_corner(block_.shape, c)[k] / corners;
    return (to[1] - from[1]) * (from[0] - centre[0]) - (to[0] - from[0]) * (from[1] - centre[1]) > 0 ? 1 : -1;
  }

  Nodes nodes(mesh::Index position) const {
    const int count = block_.nodes_per_element();
    Nodes x(count, 2);
    for (int n = 0; n < count; ++n) {
      const mesh::Point& p =
          mesh_.nodes[static_cast<std::size_t>(block_.nodes[static_cast<std::size_t>(position * count + n)])];
      x(n, 0) = p[0], x(n, 1) = p[1];
    }
    return x;
  }

  /// Returns the sign of the determinant.
  double add_volume(mesh::Index element, const Nodes& x) {
    const Eigen::MatrixXd place = values_ * x, xi = derivatives_[0] * x, eta = derivatives_[1] * x;
    const Eigen::ArrayXd jacobian = xi.col(0).array() * eta.col(1).array() - xi.col(1).array() * eta.col(0).array();
    const double sign = jacobian.sum() < 0 ? -1 : 1;
    for (Eigen::Index q = 0; q < jacobian.size(); ++q) {
      const double j = sign * jacobian[q];
      if (!(j > 0))
        throw InputError({mesh_.file}, fmt::format("{} has a Jacobian of both signs", mesh::place_of(mesh_, element)));
      auto& c = metric_.contravariant;
      c.insert(c.end(), {sign * eta(q, 1), -sign * eta(q, 0), -sign * xi(q, 1), sign * xi(q, 0)});
      metric_.jacobian.push_back(j);
      metric_.inverse.push_back(1 / j);
      metric_.positions.insert(metric_.positions.end(), {place(q, 0), place(q, 1)});
    }
    add_means(x, sign);
    return sign;
  }

  void add_means(const Nodes& x, double sign) {
    const Eigen::MatrixXd xi = means_derivatives_[0] * x, eta = means_derivatives_[1] * x;
    Eigen::VectorXd means = Eigen::VectorXd::Zero(operators_.modes);
    for (int q = 0; q < means_rule_.size(); ++q) {
      const double j = sign * (xi(q, 0) * eta(q, 1) - xi(q, 1) * eta(q, 0));
      means += means_rule_.weights[static_cast<std::size_t>(q)] * j * means_basis_.row(q).transpose();
    }
    metric_.means.insert(metric_.means.end(), means.begin(), means.end());
  }

  /// Returns the side's length.
  double add_side(const mesh::Side& side, const Nodes& x, double sign) {
    const auto s = static_cast<std::size_t>(side.side);
    const Eigen::MatrixXd place = side_values_[s] * x, along = sign * side_signs_[s] * side_tangents_[s] * x,
                          xi = side_derivatives_[0][s] * x, eta = side_derivatives_[1][s] * x;
    const bool reversed = mesh::is_reversed(mesh_, side);
    metric_.reversed.push_back(reversed);
    const Eigen::Index count = place.rows();
    double length = 0;
    for (Eigen::Index i = 0; i < count; ++i) {
      const Eigen::Index q = reversed ? count - 1 - i : i;
      metric_.normals.insert(metric_.normals.end(), {along(q, 1), -along(q, 0)});
      metric_.side_positions.insert(metric_.side_positions.end(), {place(q, 0), place(q, 1)});
      const double j = xi(q, 0) * eta(q, 1) - xi(q, 1) * eta(q, 0);
      metric_.side_gradients.insert(metric_.side_gradients.end(),
                                    {eta(q, 1) / j, -eta(q, 0) / j, -xi(q, 1) / j, xi(q, 0) / j});
      length += operators_.side.weights[static_cast<std::size_t>(q)] * along.row(q).norm();
    }
    return length;
  }

  const mesh::Mesh& mesh_;
  const mesh::ElementBlock& block_;
  const Operators& operators_;
  mesh::Index first_ = 0;
  Matrix values_, derivatives_[2];  // [point][node]
  basis::Quadrature means_rule_;
  Matrix means_basis_, means_derivatives_[2];
  std::vector<Matrix> side_values_, side_tangents_, side_derivatives_[2];  // [side]: [point][node]
  std::vector<double> side_signs_;
  Metric metric_{};
};

}  // namespace

QuadratureDegrees curved_quadrature(int degree, int geometry_order) {
  const int closed = degree + geometry_order - 1;
  return {std::max(2 * degree, closed), std::max(2 * degree + 1, closed)};
}

std::vector<Operators> make_block_operators(const std::vector<std::pair<Shape, int>>& blocks, int degree,
                                            int volume_quadrature, int face_quadrature) {
  int side = face_quadrature;
  for (const auto& [shape, order] : blocks) side = std::max(side, curved_quadrature(degree, order).side);
  std::vector<Operators> operators;
  for (const auto& [shape, order] : blocks)
    operators.push_back(
        make_operators(shape, degree, std::max(volume_quadrature, curved_quadrature(degree, order).volume), side));
  return operators;
}

std::vector<Operators> make_block_operators(const mesh::Mesh& mesh, int degree, int volume_quadrature,
                                            int face_quadrature) {
  std::vector<std::pair<Shape, int>> blocks;
  for (const mesh::ElementBlock& block : mesh.blocks) blocks.emplace_back(block.shape, block.order);
  return make_block_operators(blocks, degree, volume_quadrature, face_quadrature);
}

Metric make_metric(const mesh::Mesh& mesh, int block, const Operators& operators) {
  std::vector<mesh::Index> all(static_cast<std::size_t>(mesh.blocks.at(static_cast<std::size_t>(block)).size()));
  std::iota(all.begin(), all.end(), 0);
  return make_metric(mesh, block, operators, all);
}

Metric make_metric(const mesh::Mesh& mesh, int block, const Operators& operators,
                   const std::vector<mesh::Index>& positions) {
  return MetricMaker(mesh, block, operators).make(positions);
}

basis::Matrix side_basis(const Operators& operators, int side, bool reversed) {
  const basis::Matrix& own = operators.side_basis[static_cast<std::size_t>(side)];
  return reversed ? basis::Matrix(own.colwise().reverse()) : own;
}

}  // namespace galerna::dg
