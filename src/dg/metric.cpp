#include "dg/metric.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numeric>
#include <stdexcept>

#include "base/error.hpp"
#include "basis/turned_points.hpp"
#include "dg/curl_form.hpp"
#include "dg/pyramid_metric.hpp"
#include "mesh/geometry.hpp"
#include "mesh/side_order.hpp"

namespace galerna::dg {
namespace {

using basis::Matrix;
using Vector = std::array<double, 3>;  // the first `dimension` components
using Nodes = Eigen::MatrixXd;         // [node][k]

/// The normal of a side with tangents of its own: (t_y, −t_x) of one in the plane, t_1 × t_2 of two in space.
Vector normal_of(const Vector& t) {
  return {t[1], -t[0], 0};
}
Vector normal_of(const Vector& s, const Vector& t) {
  return {s[1] * t[2] - s[2] * t[1], s[2] * t[0] - s[0] * t[2], s[0] * t[1] - s[1] * t[0]};
}
Vector normal_of(const std::vector<Vector>& tangents) {
  return tangents.size() == 1 ? normal_of(tangents[0]) : normal_of(tangents[0], tangents[1]);
}

/// ∂x/∂ξ_d at a point, and what follows from it.
class Jacobian {
 public:
  /// \param derivatives [d]: [point][k]
  Jacobian(const std::vector<Eigen::MatrixXd>& derivatives, Eigen::Index point) : dimension_(derivatives.size()) {
    for (std::size_t d = 0; d < dimension_; ++d)
      for (std::size_t k = 0; k < dimension_; ++k) along_[d][k] = derivatives[d](point, static_cast<Eigen::Index>(k));
  }

  /// J ∂ξ_d/∂x_k
  Vector cofactors(std::size_t d) const {
    if (dimension_ == 3) return normal_of(along_[(d + 1) % 3], along_[(d + 2) % 3]);
    const Vector normal = normal_of(along_[1 - d]);
    return d == 0 ? normal : Vector{-normal[0], -normal[1], 0};
  }

  double determinant() const {
    const Vector of_first = cofactors(0);
    double sum = 0;
    for (std::size_t k = 0; k < dimension_; ++k) sum += along_[0][k] * of_first[k];
    return sum;
  }

 private:
  std::size_t dimension_;
  Vector along_[3]{};
};

/// A side of the reference shape: tangents along its own edges, and the factor by which their product is the outward
/// normal times the side's measure, which is what weights that add up to 1 go with.
struct ReferenceSide {
  std::vector<Vector> tangents;  ///< from its first corner to the next ones
  double factor;
};

ReferenceSide reference_side(Shape shape, int side) {
  const auto ends = side_corners(shape, side);
  const Vector first = reference_corner(shape, ends[0]);
  std::vector<Vector> tangents;
  for (int i = 1; i < dimension(shape); ++i) {
    const Vector corner = reference_corner(shape, ends[static_cast<std::size_t>(i)]);
    tangents.push_back({corner[0] - first[0], corner[1] - first[1], corner[2] - first[2]});
  }
  const Vector product = normal_of(tangents), outward = reference_normal(shape, side);
  double along = 0, square = 0;
  for (std::size_t k = 0; k < 3; ++k) along += product[k] * outward[k], square += product[k] * product[k];
  return {std::move(tangents), along / square};
}

/// (shape, geometry order) of each block.
std::vector<std::pair<Shape, int>> shapes_of(const mesh::Mesh& mesh) {
  std::vector<std::pair<Shape, int>> blocks;
  for (const mesh::ElementBlock& block : mesh.blocks) blocks.emplace_back(block.shape, block.order);
  return blocks;
}

/// potential_degree()'s `whole`: of products in space, and of what meets the triangles of curved prisms and pyramids.
bool has_whole_curls(Shape shape, const std::vector<std::pair<Shape, int>>& blocks) {
  return dimension(shape) == 3 &&
         (!is_simplex(shape) || std::any_of(blocks.begin(), blocks.end(), [](const auto& block) {
           return (block.first == Shape::prism || block.first == Shape::pyramid) && block.second > 1;
         }));
}

class MetricMaker {
 public:
  MetricMaker(const mesh::Mesh& mesh, int block, const Operators& operators)
      : mesh_(mesh),
        block_(mesh.blocks.at(static_cast<std::size_t>(block))),
        operators_(operators),
        dimension_(dimension(block_.shape)) {
    for (int b = 0; b < block; ++b) first_ += mesh.blocks[static_cast<std::size_t>(b)].size();
    if (operators.shape != block_.shape)
      throw std::invalid_argument("make_metric: operators of another shape than the block's");
    const auto derivatives = [&](const std::vector<basis::Point>& points) {
      std::vector<Matrix> result;
      for (int d = 0; d < dimension_; ++d)
        result.push_back(basis::lagrange_derivatives(block_.shape, block_.order, points, d));
      return result;
    };
    const auto& points = operators.volume.points;
    values_ = basis::lagrange_values(block_.shape, block_.order, points);
    derivatives_ = derivatives(points);
    // |J| is of degree d (N − 1) in simplices, d N − 1 in each coordinate of quadrilaterals.
    means_rule_ = basis::quadrature(block_.shape, operators.degree + dimension_ * block_.order - 1);
    means_basis_ = basis::basis_values(block_.shape, operators.degree, means_rule_.points);
    means_derivatives_ = derivatives(means_rule_.points);
    // Products of two derivatives are of degree 2 (N − 1) on tetrahedra, in hexahedra and prisms of degree 2N in the
    // third coordinate and one less in the others; rules of degree 2p, of p + 1 points, want at most p, and p + 2. So
    // it is in pyramids, in x/(1 − z), y/(1 − z) and z.
    if (dimension_ == 3 && 2 * (block_.order - 1) > operators.degree) closed_ = closed_metric();
    for (int side = 0; side < operators.sides(); ++side) {
      const auto at = basis::side_points(block_.shape, side, rule_of(side).points);
      side_values_.push_back(basis::lagrange_values(block_.shape, block_.order, at));
      side_derivatives_.push_back(derivatives(at));
      sides_.push_back(reference_side(block_.shape, side));
      side_tangents_.emplace_back();
      for (const Vector& tangent : sides_.back().tangents) {
        Matrix along = tangent[0] * side_derivatives_.back()[0];
        for (std::size_t d = 1; d < derivatives_.size(); ++d) along += tangent[d] * side_derivatives_.back()[d];
        side_tangents_.back().push_back(std::move(along));
      }
    }
  }

  Metric make(const std::vector<mesh::Index>& positions) {
    Metric& m = metric_;
    m.shape = block_.shape;
    m.order = block_.order;
    m.dimension = dimension_;
    m.elements = static_cast<mesh::Index>(positions.size());
    m.volume_points = operators_.volume.size();
    m.sides = operators_.sides();
    m.side_points = operators_.side.size();
    for (int side = 0; side <= m.sides; ++side) m.first_side_point.push_back(operators_.first_side_point(side));
    m.affine = is_simplex(block_.shape) && block_.order == 1;
    for (mesh::Index e : positions) {
      const Nodes x = nodes(e);
      const double sign = add_volume(first_ + e, x);
      double surface = 0;
      for (int side = 0; side < m.sides; ++side) surface += add_side({first_ + e, side}, x, sign);
      const double measure =
          m.means[m.means.size() - static_cast<std::size_t>(operators_.modes)] / operators_.volume_basis(0, 0);
      m.diameters.push_back(2 * dimension_ * measure / surface);
    }
    return std::move(metric_);
  }

 private:
  std::unique_ptr<ClosedMetric> closed_metric() const {
    if (block_.shape == Shape::pyramid) return std::make_unique<PyramidMetric>(block_.order, operators_);
    return std::make_unique<CurlForm>(block_.shape, block_.order, operators_,
                                      has_whole_curls(block_.shape, shapes_of(mesh_)));
  }

  Nodes nodes(mesh::Index position) const {
    const int count = block_.nodes_per_element();
    Nodes x(count, dimension_);
    for (int n = 0; n < count; ++n) {
      const mesh::Point& p =
          mesh_.nodes[static_cast<std::size_t>(block_.nodes[static_cast<std::size_t>(position * count + n)])];
      for (int k = 0; k < dimension_; ++k) x(n, k) = p[static_cast<std::size_t>(k)];
    }
    return x;
  }

  static std::vector<Eigen::MatrixXd> at_points(const std::vector<Matrix>& derivatives, const Nodes& x) {
    std::vector<Eigen::MatrixXd> result;
    for (const Matrix& derivative : derivatives) result.emplace_back(derivative * x);
    return result;
  }

  /// Appends the components that there are, times a factor.
  void append(std::vector<double>& to, const Vector& vector, double factor) const {
    for (int k = 0; k < dimension_; ++k) to.push_back(factor * vector[static_cast<std::size_t>(k)]);
  }

  Vector vector_at(const Eigen::MatrixXd& values, Eigen::Index q) const {
    Vector result{};
    for (int k = 0; k < dimension_; ++k) result[static_cast<std::size_t>(k)] = values(q, k);
    return result;
  }

  /// Returns the sign of the determinant.
  double add_volume(mesh::Index element, const Nodes& x) {
    if (closed_) closed_->look_at(x);
    const Eigen::MatrixXd place = values_ * x;
    const auto derivatives = at_points(derivatives_, x);
    std::vector<Jacobian> jacobians;
    double sum = 0;
    for (Eigen::Index q = 0; q < place.rows(); ++q) {
      jacobians.emplace_back(derivatives, q);
      sum += jacobians.back().determinant();
    }
    const double sign = sum < 0 ? -1 : 1;
    for (Eigen::Index q = 0; q < place.rows(); ++q) {
      const Jacobian& jacobian = jacobians[static_cast<std::size_t>(q)];
      const double j = sign * jacobian.determinant();
      if (!(j > 0))
        throw InputError({mesh_.file}, fmt::format("{} has a Jacobian of both signs", mesh::place_of(mesh_, element)));
      for (std::size_t d = 0; d < derivatives.size(); ++d) append(metric_.contravariant, jacobian.cofactors(d), sign);
      metric_.jacobian.push_back(j);
      metric_.inverse.push_back(1 / j);
      for (int k = 0; k < dimension_; ++k) metric_.positions.push_back(place(q, k));
    }
    if (closed_) closed_->put_volume(metric_.contravariant, sign);
    add_means(x, sign);
    return sign;
  }

  void add_means(const Nodes& x, double sign) {
    const auto derivatives = at_points(means_derivatives_, x);
    Eigen::VectorXd means = Eigen::VectorXd::Zero(operators_.modes);
    for (int q = 0; q < means_rule_.size(); ++q) {
      const double j = sign * Jacobian(derivatives, q).determinant();
      means += means_rule_.weights[static_cast<std::size_t>(q)] * j * means_basis_.row(q).transpose();
    }
    metric_.means.insert(metric_.means.end(), means.begin(), means.end());
  }

  /// Returns the side's measure.
  double add_side(const mesh::Side& side, const Nodes& x, double sign) {
    const auto s = static_cast<std::size_t>(side.side);
    const Eigen::MatrixXd place = side_values_[s] * x;
    const auto along = at_points(side_tangents_[s], x), derivatives = at_points(side_derivatives_[s], x);
    const int orientation = mesh::side_orientation(mesh_, side);
    metric_.orientations.push_back(static_cast<std::uint8_t>(orientation));
    double measure = 0;
    for (const int q : own_points(side.side, orientation)) {
      const Vector normal = outward(along, side.side, q);
      append(metric_.normals, normal, sign);
      for (int k = 0; k < dimension_; ++k) metric_.side_positions.push_back(place(q, k));
      const Jacobian jacobian(derivatives, q);
      const double j = jacobian.determinant();
      for (std::size_t d = 0; d < derivatives.size(); ++d) {
        const Vector cofactors = jacobian.cofactors(d);
        for (int k = 0; k < dimension_; ++k)
          metric_.side_gradients.push_back(cofactors[static_cast<std::size_t>(k)] / j);
      }
      measure += rule_of(side.side).weights[static_cast<std::size_t>(q)] *
                 std::sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    }
    return measure;
  }

  const basis::Quadrature& rule_of(int side) const { return operators_.side_rules[static_cast<std::size_t>(side)]; }

  /// [point as the face counts it] as the element does.
  const std::vector<int>& own_points(int side, int orientation) {
    const basis::Quadrature& rule = rule_of(side);
    std::vector<int>& own = own_points_[{rule.shape, orientation}];
    if (own.empty()) {
      const std::vector<int> turned = basis::turned_points(rule, orientation);
      own.resize(turned.size());
      for (std::size_t q = 0; q < turned.size(); ++q) own[static_cast<std::size_t>(turned[q])] = static_cast<int>(q);
    }
    return own;
  }

  /// Normal at a point of a side times its measure, outward where J > 0.
  Vector outward(const std::vector<Eigen::MatrixXd>& along, int side, Eigen::Index q) const {
    if (closed_) return closed_->normal(side, q);
    const Vector normal = along.size() == 1 ? normal_of(vector_at(along[0], q))
                                            : normal_of(vector_at(along[0], q), vector_at(along[1], q));
    const double factor = sides_[static_cast<std::size_t>(side)].factor;
    return {factor * normal[0], factor * normal[1], factor * normal[2]};
  }

  const mesh::Mesh& mesh_;
  const mesh::ElementBlock& block_;
  const Operators& operators_;
  int dimension_;
  std::unique_ptr<ClosedMetric> closed_;
  mesh::Index first_ = 0;
  Matrix values_;                    // [point][node]
  std::vector<Matrix> derivatives_;  // [d]: [point][node]
  basis::Quadrature means_rule_;
  Matrix means_basis_;
  std::vector<Matrix> means_derivatives_;
  std::vector<ReferenceSide> sides_;
  std::vector<Matrix> side_values_;                                    // [side]: [point][node]
  std::vector<std::vector<Matrix>> side_tangents_, side_derivatives_;  // [side][tangent or d]: [point][node]
  std::map<std::pair<Shape, int>, std::vector<int>> own_points_;       // of (side's shape, orientation)
  Metric metric_{};
};

}  // namespace

QuadratureDegrees curved_quadrature(Shape shape, int degree, int geometry_order) {
  // In hexahedra, prisms and on the base of pyramids curls are of degree max(p + 1, N) in some coordinates, which p + 1
  // points of a line allow for where N ≤ p + 1.
  const bool solid = dimension(shape) == 3, product = solid && !is_simplex(shape) && geometry_order > degree + 1;
  const int closed = degree + geometry_order - (product ? 0 : solid ? 2 : 1);
  return {std::max(2 * degree, closed), std::max(default_face_quadrature(shape, degree), closed)};
}

std::vector<Operators> make_block_operators(const std::vector<std::pair<Shape, int>>& blocks, int degree,
                                            int volume_quadrature, int face_quadrature) {
  int side = face_quadrature;
  const auto degrees = [&](Shape shape, int order) {
    // One degree more of the curls, and of what is integrated with them.
    const bool more = is_simplex(shape) && has_whole_curls(shape, blocks) && order > degree + 1;
    return curved_quadrature(shape, degree, order + (more ? 1 : 0));
  };
  for (const auto& [shape, order] : blocks) side = std::max(side, degrees(shape, order).side);
  std::vector<Operators> operators;
  for (const auto& [shape, order] : blocks)
    operators.push_back(make_operators(shape, degree, std::max(volume_quadrature, degrees(shape, order).volume), side));
  return operators;
}

std::vector<Operators> make_block_operators(const mesh::Mesh& mesh, int degree, int volume_quadrature,
                                            int face_quadrature) {
  return make_block_operators(shapes_of(mesh), degree, volume_quadrature, face_quadrature);
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

basis::Matrix side_basis(const Operators& operators, int side, int orientation) {
  const auto s = static_cast<std::size_t>(side);
  const basis::Matrix& own = operators.side_basis[s];
  const std::vector<int> turned = basis::turned_points(operators.side_rules[s], orientation);
  basis::Matrix result = own;
  for (std::size_t q = 0; q < turned.size(); ++q) result.row(turned[q]) = own.row(static_cast<Eigen::Index>(q));
  return result;
}

}  // namespace galerna::dg
