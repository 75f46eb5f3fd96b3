#include "dg/geometry/metric.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <stdexcept>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "basis/turned_points.hpp"
#include "dg/geometry/curl_form.hpp"
#include "dg/geometry/lane_points.hpp"
#include "dg/geometry/pyramid_metric.hpp"
#include "mesh/geometry.hpp"
#include "mesh/side_order.hpp"

namespace galerna::dg {
namespace {

using basis::Matrix;

/// A side of the reference shape: tangents along its own edges, and the factor by which their product is the outward
/// normal times the side's measure, which is what weights that add up to 1 go with.
struct ReferenceSide {
  std::vector<std::array<double, 3>> tangents;  ///< from its first corner to the next ones
  double factor;
};

ReferenceSide reference_side(Shape shape, int side) {
  const auto ends = side_corners(shape, side);
  const std::array<double, 3> first = reference_corner(shape, ends[0]);
  std::vector<std::array<double, 3>> tangents;
  for (int i = 1; i < dimension(shape); ++i) {
    const std::array<double, 3> corner = reference_corner(shape, ends[static_cast<std::size_t>(i)]);
    tangents.push_back({corner[0] - first[0], corner[1] - first[1], corner[2] - first[2]});
  }
  const std::array<double, 3> outward = reference_normal(shape, side),
                              product =
                                  tangents.size() == 1 ? normal_of(tangents[0]) : normal_of(tangents[0], tangents[1]);
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

/// What is the same for all elements of a block.
class Tables {
 public:
  Tables(const mesh::Mesh& mesh, const mesh::ElementBlock& block, const Operators& of_block) : operators(of_block) {
    const Shape shape = block.shape;
    const int order = block.order, dimension = mesh.dimension;
    const auto slopes = [&](const std::vector<basis::Point>& points) {
      std::vector<Matrix> result;
      for (int d = 0; d < dimension; ++d) result.push_back(basis::lagrange_derivatives(shape, order, points, d));
      return result;
    };
    values = basis::lagrange_values(shape, order, operators.volume.points);
    derivatives = slopes(operators.volume.points);
    // |J| is of degree d (N − 1) in simplices, d N − 1 in each coordinate of quadrilaterals.
    means_rule = basis::quadrature(shape, operators.degree + dimension * order - 1);
    means_basis = basis::basis_values(shape, operators.degree, means_rule.points);
    means_derivatives = slopes(means_rule.points);
    // Products of two derivatives are of degree 2 (N − 1) on tetrahedra, in hexahedra and prisms of degree 2N in the
    // third coordinate and one less in the others; rules of degree 2p, of p + 1 points, want at most p, and p + 2. So
    // it is in pyramids, in x/(1 − z), y/(1 − z) and z.
    if (dimension == 3 && 2 * (order - 1) > operators.degree)
      closed = closed_metric(shape, order, has_whole_curls(shape, shapes_of(mesh)));
    for (int side = 0; side < operators.sides(); ++side) add_side(shape, order, side, slopes);
  }

  const Operators& operators;
  Matrix values;                    ///< [point][node]
  std::vector<Matrix> derivatives;  ///< [d]: [point][node]
  basis::Quadrature means_rule;
  Matrix means_basis;
  std::vector<Matrix> means_derivatives;
  std::shared_ptr<const ClosedMetric> closed;
  struct OfSide {
    double factor;                              ///< ReferenceSide::factor
    Matrix values;                              ///< [point][node]
    std::vector<Matrix> tangents, derivatives;  ///< [tangent or d]: [point][node]
  };
  std::vector<OfSide> sides;

 private:
  std::shared_ptr<const ClosedMetric> closed_metric(Shape shape, int order, bool whole) const {
    if (shape == Shape::pyramid) return std::make_shared<PyramidMetric>(order, operators);
    return std::make_shared<CurlForm>(shape, order, operators, whole);
  }

  template <class Slopes>
  void add_side(Shape shape, int order, int side, const Slopes& slopes) {
    const auto at = basis::side_points(shape, side, operators.side_rules[static_cast<std::size_t>(side)].points);
    const ReferenceSide reference = reference_side(shape, side);
    OfSide of{reference.factor, basis::lagrange_values(shape, order, at), {}, slopes(at)};
    for (const auto& tangent : reference.tangents) {
      Matrix along = tangent[0] * of.derivatives[0];
      for (std::size_t d = 1; d < of.derivatives.size(); ++d) along += tangent[d] * of.derivatives[d];
      of.tangents.push_back(std::move(along));
    }
    sides.push_back(std::move(of));
  }
};

/// [point as the face counts it] as the element does, of (side's shape, orientation).
using OwnPoints = std::map<std::pair<Shape, int>, std::vector<int>>;

/// Puts a few elements into their places in the arrays of Metric.
class ElementGroup {
 public:
  ElementGroup(const mesh::Mesh& mesh, const mesh::ElementBlock& block, const Tables& tables,
               const OwnPoints& own_points, const MetricParts& parts, Metric& metric)
      : mesh_(mesh),
        block_(block),
        tables_(tables),
        own_points_(own_points),
        parts_(parts),
        metric_(metric),
        dimension_(static_cast<std::size_t>(metric.dimension)),
        closed_(tables.closed ? tables.closed->clone() : nullptr),
        x_(static_cast<std::size_t>(block.nodes_per_element()), dimension_) {}

  /// \param positions of the elements in the block, at most as many as a pack has lanes \param first number in the
  /// mesh of the block's first element \param place of the first of them in the arrays
  void put(std::span<const mesh::Index> positions, mesh::Index first, std::size_t place) {
    count_ = positions.size();
    place_ = place;
    for (std::size_t lane = 0; lane < together; ++lane) take_nodes(positions[std::min(lane, count_ - 1)], lane);
    find_signs(positions, first);
    put_means();
    if (parts_.volume) put_volume();
    if (parts_.positions) {
      multiply(tables_.values, x_, points_);
      put_numbers(points_, metric_.positions);
    }
    if (closed_) look_closely();
    Pack surface = 0;
    for (std::size_t side = 0; side < tables_.sides.size(); ++side) surface += put_side(side);
    points_.resize(1, 1);
    points_.set(0, 0, 2.0 * metric_.dimension * (means_.get(0, 0) / tables_.operators.volume_basis(0, 0)) / surface);
    put_numbers(points_, metric_.diameters);
  }

 private:
  void take_nodes(mesh::Index position, std::size_t lane) {
    for (std::size_t n = 0; n < x_.size(); ++n) {
      const mesh::Index node = block_.nodes[static_cast<std::size_t>(position) * x_.size() + n];
      for (std::size_t k = 0; k < dimension_; ++k) x_.lane(n, k, lane) = mesh_.nodes[static_cast<std::size_t>(node)][k];
    }
  }

  /// What belongs to each element: [point][component] of an array [element][point][component].
  void put_numbers(const LanePoints& points, std::vector<double>& array) const {
    const std::size_t numbers = points.size() * points.components();
    for (std::size_t lane = 0; lane < count_; ++lane) {
      double* to = array.data() + (place_ + lane) * numbers;
      for (std::size_t q = 0; q < points.size(); ++q)
        for (std::size_t k = 0; k < points.components(); ++k) *to++ = points.lane(q, k, lane);
    }
  }

  /// ∂x/∂ξ_d at the points of the tables [d].
  void differentiate(const std::vector<Matrix>& tables, std::vector<LanePoints>& along) const {
    along.resize(tables.size());
    for (std::size_t d = 0; d < tables.size(); ++d) multiply(tables[d], x_, along[d]);
  }

  void find_signs(std::span<const mesh::Index> positions, mesh::Index first) {
    differentiate(tables_.derivatives, along_);
    points_.resize(along_[0].size(), 1);
    Pack sum = 0;
    for (std::size_t q = 0; q < points_.size(); ++q) {
      points_.set(q, 0, PointJacobian(along_, q).determinant());
      sum += points_.get(q, 0);
    }
    sign_ = select(sum < Pack(0), Pack(-1), Pack(1));
    for (std::size_t lane = 0; lane < count_; ++lane)
      for (std::size_t q = 0; q < points_.size(); ++q)
        if (!(sign_[static_cast<int>(lane)] * points_.lane(q, 0, lane) > 0))
          throw InputError({mesh_.file}, fmt::format("{} has a Jacobian of both signs",
                                                     mesh::place_of(mesh_, first + positions[lane])));
  }

  void put_volume() {
    LanePoints jacobian(along_[0].size(), 1), inverse(along_[0].size(), 1);
    points_.resize(along_[0].size(), dimension_ * dimension_);
    for (std::size_t q = 0; q < points_.size(); ++q) {
      const PointJacobian at(along_, q);
      const Pack j = sign_ * at.determinant();
      jacobian.set(q, 0, j);
      inverse.set(q, 0, Pack(1) / j);
      for (std::size_t d = 0; d < dimension_; ++d) {
        const PackVector cofactors = at.cofactors(d);
        for (std::size_t k = 0; k < dimension_; ++k) points_.set(q, d * dimension_ + k, sign_ * cofactors[k]);
      }
    }
    put_numbers(jacobian, metric_.jacobian);
    put_numbers(inverse, metric_.inverse);
    put_numbers(points_, metric_.contravariant);
  }

  void put_means() {
    const Matrix& basis = tables_.means_basis;
    const auto modes = static_cast<std::size_t>(basis.cols());
    means_.resize(modes, 1);
    for (std::size_t j = 0; j < modes; ++j) means_.set(j, 0, Pack(0));
    differentiate(tables_.means_derivatives, others_along_);
    for (std::size_t q = 0; q < others_along_[0].size(); ++q) {
      const Pack weight = tables_.means_rule.weights[q] * (sign_ * PointJacobian(others_along_, q).determinant());
      for (std::size_t j = 0; j < modes; ++j) means_.set(j, 0, means_.get(j, 0) + weight * basis.data()[q * modes + j]);
    }
    put_numbers(means_, metric_.means);
  }

  /// What the closed metric has in place of the map's own.
  void look_closely() {
    const std::size_t numbers = along_[0].size() * dimension_ * dimension_;
    closed_normals_.resize(tables_.sides.size());
    for (std::size_t side = 0; side < closed_normals_.size(); ++side)
      closed_normals_[side].resize(static_cast<std::size_t>(tables_.sides[side].values.rows()), 3);
    for (std::size_t lane = 0; lane < count_; ++lane) {
      closed_->look_at(x_.of_lane(lane));
      if (parts_.volume)
        closed_->put_volume(std::span(metric_.contravariant).subspan((place_ + lane) * numbers, numbers),
                            sign_[static_cast<int>(lane)]);
      for (std::size_t side = 0; side < closed_normals_.size(); ++side)
        for (std::size_t q = 0; q < closed_normals_[side].size(); ++q) {
          const auto normal = closed_->normal(static_cast<int>(side), static_cast<Eigen::Index>(q));
          for (std::size_t k = 0; k < 3; ++k) closed_normals_[side].lane(q, k, lane) = normal[k];
        }
    }
  }

  /// Normals at the points of a side times its measure, outward where J > 0.
  void find_normals(std::size_t number) {
    const Tables::OfSide& side = tables_.sides[number];
    normals_.resize(static_cast<std::size_t>(side.values.rows()), dimension_);
    if (closed_) {
      normals_ = closed_normals_[number];
      return;
    }
    differentiate(side.tangents, others_along_);
    for (std::size_t q = 0; q < normals_.size(); ++q) {
      const PackVector first = others_along_[0].vector(q),
                       normal = dimension_ == 2 ? normal_of(first) : normal_of(first, others_along_[1].vector(q));
      for (std::size_t k = 0; k < dimension_; ++k) normals_.set(q, k, side.factor * normal[k]);
    }
  }

  /// The points of a side as its face counts them, of one of the elements.
  const std::vector<int>& own_points(std::size_t side, std::size_t lane) const {
    const std::size_t element = place_ + std::min(lane, count_ - 1);
    return own_points_.at(
        {tables_.operators.side_rules[side].shape, metric_.orientations[element * tables_.sides.size() + side]});
  }

  /// Into an array [element][point of all sides][component].
  void put_at_side(std::size_t side, const LanePoints& points, std::vector<double>& array) const {
    const std::size_t components = points.components();
    for (std::size_t lane = 0; lane < count_; ++lane) {
      const std::vector<int>& own = own_points(side, lane);
      double* to =
          array.data() + components * ((place_ + lane) * static_cast<std::size_t>(metric_.first_side_point.back()) +
                                       static_cast<std::size_t>(metric_.first_side_point[side]));
      for (std::size_t q = 0; q < points.size(); ++q)
        for (std::size_t k = 0; k < components; ++k)
          *to++ = points.lane(parts_.own_order ? q : static_cast<std::size_t>(own[q]), k, lane);
    }
  }

  /// Returns the side's measures.
  Pack put_side(std::size_t side) {
    find_normals(side);
    const std::vector<double>& weights = tables_.operators.side_rules[side].weights;
    std::array<double, together> measures{};
    for (std::size_t lane = 0; lane < count_; ++lane)
      for (const int point : own_points(side, lane)) {
        const auto q = static_cast<std::size_t>(point);
        double square = 0;
        for (std::size_t k = 0; k < dimension_; ++k) square += normals_.lane(q, k, lane) * normals_.lane(q, k, lane);
        measures[lane] += weights[q] * std::sqrt(square);
      }
    if (parts_.normals) {
      for (std::size_t q = 0; q < normals_.size(); ++q)
        for (std::size_t k = 0; k < dimension_; ++k) normals_.set(q, k, sign_ * normals_.get(q, k));
      put_at_side(side, normals_, metric_.normals);
    }
    if (parts_.positions) {
      multiply(tables_.sides[side].values, x_, points_);
      put_at_side(side, points_, metric_.side_positions);
    }
    if (parts_.side_gradients) put_side_gradients(side);
    return kernels::loaded<Pack, sizeof(double)>(measures.data());
  }

  void put_side_gradients(std::size_t side) {
    differentiate(tables_.sides[side].derivatives, others_along_);
    points_.resize(others_along_[0].size(), dimension_ * dimension_);
    for (std::size_t q = 0; q < points_.size(); ++q) {
      const PointJacobian jacobian(others_along_, q);
      const Pack j = jacobian.determinant();
      for (std::size_t d = 0; d < dimension_; ++d) {
        const PackVector cofactors = jacobian.cofactors(d);
        for (std::size_t k = 0; k < dimension_; ++k) points_.set(q, d * dimension_ + k, cofactors[k] / j);
      }
    }
    put_at_side(side, points_, metric_.side_gradients);
  }

  const mesh::Mesh& mesh_;
  const mesh::ElementBlock& block_;
  const Tables& tables_;
  const OwnPoints& own_points_;
  const MetricParts& parts_;
  Metric& metric_;
  std::size_t dimension_;
  std::unique_ptr<ClosedMetric> closed_;
  std::size_t count_ = 0, place_ = 0;  ///< of the elements that are looked at
  LanePoints x_;                       ///< their nodes
  std::vector<LanePoints> along_;      ///< ∂x/∂ξ_d at the volume's points
  Pack sign_ = 1;
  LanePoints means_;
  std::vector<LanePoints> closed_normals_;  ///< [side]
  // Of one step of this:
  LanePoints points_, normals_;
  std::vector<LanePoints> others_along_;
};

std::vector<std::uint8_t> orientations_of(const mesh::Mesh& mesh, Shape shape, mesh::Index first,
                                          const std::vector<mesh::Index>& positions) {
  const auto sides = static_cast<std::size_t>(side_count(shape));
  std::vector<std::uint8_t> result(positions.size() * sides);
  if (is_simplex(shape)) return result;
  in_parallel(static_cast<std::int64_t>(positions.size()), 4096, [&](std::int64_t begin, std::int64_t end) {
    for (auto e = static_cast<std::size_t>(begin); e < static_cast<std::size_t>(end); ++e)
      for (std::size_t side = 0; side < sides; ++side)
        result[e * sides + side] =
            static_cast<std::uint8_t>(mesh::side_orientation(mesh, {first + positions[e], static_cast<int>(side)}));
  });
  return result;
}

/// Of those orientations that there are: others a rule need not have.
OwnPoints make_own_points(const Operators& operators, const std::vector<std::uint8_t>& orientations) {
  std::vector<std::set<int>> kinds(static_cast<std::size_t>(operators.sides()));
  for (std::size_t k = 0; k < orientations.size(); ++k) kinds[k % kinds.size()].insert(orientations[k]);
  OwnPoints result;
  for (std::size_t side = 0; side < kinds.size(); ++side)
    for (const int orientation : kinds[side]) {
      const basis::Quadrature& rule = operators.side_rules[side];
      const std::vector<int> turned = basis::turned_points(rule, orientation);
      std::vector<int>& own = result[{rule.shape, orientation}];
      own.resize(turned.size());
      for (std::size_t q = 0; q < turned.size(); ++q) own[static_cast<std::size_t>(turned[q])] = static_cast<int>(q);
    }
  return result;
}

/// With arrays of their sizes.
Metric empty_metric(const mesh::ElementBlock& block, const Operators& operators, std::size_t elements,
                    const MetricParts& parts) {
  Metric m{};
  m.shape = block.shape;
  m.order = block.order;
  m.dimension = dimension(block.shape);
  m.elements = static_cast<mesh::Index>(elements);
  m.volume_points = operators.volume.size();
  m.sides = operators.sides();
  m.side_points = operators.side.size();
  for (int side = 0; side <= m.sides; ++side) m.first_side_point.push_back(operators.first_side_point(side));
  m.affine = is_simplex(block.shape) && block.order == 1;
  const auto resize = [&](std::vector<double>& array, bool wanted, int numbers) {
    if (wanted) array.resize(elements * static_cast<std::size_t>(numbers));
  };
  const int d = m.dimension, side_points = m.first_side_point.back();
  resize(m.contravariant, parts.volume, d * d * m.volume_points);
  resize(m.jacobian, parts.volume, m.volume_points);
  resize(m.inverse, parts.volume, m.volume_points);
  resize(m.positions, parts.positions, d * m.volume_points);
  resize(m.normals, parts.normals, d * side_points);
  resize(m.side_positions, parts.positions, d * side_points);
  resize(m.side_gradients, parts.side_gradients, d * d * side_points);
  resize(m.diameters, true, 1);
  resize(m.means, true, operators.modes);
  return m;
}

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

Metric make_metric(const mesh::Mesh& mesh, int number, const Operators& operators,
                   const std::vector<mesh::Index>& positions, const MetricParts& parts) {
  const mesh::ElementBlock& block = mesh.blocks.at(static_cast<std::size_t>(number));
  if (operators.shape != block.shape)
    throw std::invalid_argument("make_metric: operators of another shape than the block's");
  mesh::Index first = 0;
  for (int b = 0; b < number; ++b) first += mesh.blocks[static_cast<std::size_t>(b)].size();
  const Tables tables(mesh, block, operators);
  Metric metric = empty_metric(block, operators, positions.size(), parts);
  metric.orientations = orientations_of(mesh, block.shape, first, positions);
  const OwnPoints own_points = make_own_points(operators, metric.orientations);
  constexpr std::int64_t piece = 32 * together;
  in_parallel(metric.elements, piece, [&](std::int64_t begin, std::int64_t end) {
    ElementGroup group(mesh, block, tables, own_points, parts, metric);
    for (auto e = static_cast<std::size_t>(begin); e < static_cast<std::size_t>(end); e += together)
      group.put(std::span(positions).subspan(e, std::min(together, static_cast<std::size_t>(end) - e)), first, e);
  });
  return metric;
}

}  // namespace galerna::dg
