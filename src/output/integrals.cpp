#include "output/integrals.hpp"

#include <cmath>
#include <memory>

#include "base/error.hpp"
#include "output/sampling.hpp"
#include "output/source_order.hpp"

namespace galerna::output {
namespace {

using mesh::ElementBlock;
using mesh::Index;

/// Compensated summation: A. Neumaier, "Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen", ZAMM
/// 54 (1974).
class Sum {
 public:
  void add(double value) {
    const double next = sum_ + value;
    correction_ += std::abs(sum_) >= std::abs(value) ? (sum_ - next) + value : (value - next) + sum_;
    sum_ = next;
  }
  double value() const { return sum_ + correction_; }

 private:
  double sum_ = 0, correction_ = 0;
};

/// Integrates over the elements of one block.
class BlockIntegrator {
 public:
  BlockIntegrator(const Solution& solution, int index)
      : solution_(solution),
        block_(solution.mesh->blocks[static_cast<std::size_t>(index)]),
        rule_(basis::quadrature(block_.shape, degree(solution, block_))),
        sampler_(solution, index, rule_.points) {
    for (int d = 0; d < dimension(block_.shape); ++d)
      derivatives_.push_back(basis::lagrange_derivatives(block_.shape, block_.order, rule_.points, d));
  }

  void add_element(Index position, std::vector<Sum>& sums) {
    sampler_.variables(position, values_);
    const std::size_t variables = sums.size();
    std::vector<double> element(variables, 0.0);
    for (int q = 0; q < rule_.size(); ++q) {
      const double weight = rule_.weights[static_cast<std::size_t>(q)] * determinant(position, q);
      for (std::size_t v = 0; v < variables; ++v)
        element[v] += weight * values_[static_cast<std::size_t>(q) * variables + v];
    }
    for (std::size_t v = 0; v < variables; ++v) sums[v].add(element[v]);
  }

 private:
  static int degree(const Solution& solution, const ElementBlock& block) {
    const bool affine = block.order == 1 && (block.shape == Shape::triangle || block.shape == Shape::tetrahedron);
    return affine ? solution.degree : 2 * solution.degree + block.order * dimension(block.shape);
  }

  /// |det J| at quadrature point q.
  double determinant(Index position, int q) const {
    const Index* nodes = block_.nodes.data() + position * block_.nodes_per_element();
    Eigen::Matrix3d jacobian = Eigen::Matrix3d::Identity();
    for (int d = 0; d < dimension(block_.shape); ++d)
      for (int i = 0; i < dimension(block_.shape); ++i) {
        double sum = 0;
        for (int node = 0; node < block_.nodes_per_element(); ++node)
          sum += derivatives_[static_cast<std::size_t>(d)](q, node) *
                 solution_.mesh->nodes[static_cast<std::size_t>(nodes[node])][static_cast<std::size_t>(i)];
        jacobian(i, d) = sum;
      }
    return std::abs(jacobian.determinant());
  }

  const Solution& solution_;
  const ElementBlock& block_;
  basis::Quadrature rule_;
  BlockSampler sampler_;
  std::vector<basis::Matrix> derivatives_;  // [direction][point][node]
  std::vector<double> values_;
};

/// Integrates the pressure over side `side` of the elements of one block.
class SideIntegrator {
 public:
  SideIntegrator(const Solution& solution, int block, int side)
      : mesh_(*solution.mesh),
        block_(mesh_.blocks[static_cast<std::size_t>(block)]),
        variables_(solution.variables.size()),
        rule_(basis::gauss_legendre(solution.degree + 2)),
        points_(basis::side_points(block_.shape, side, rule_.points)),
        sampler_(solution, block, points_) {
    const auto corners = side_corners(block_.shape, side);
    const auto from = reference_corner(block_.shape, corners[0]), to = reference_corner(block_.shape, corners[1]);
    tangent_ = basis::Matrix::Zero(rule_.size(), block_.nodes_per_element());
    for (int d = 0; d < 2; ++d)
      tangent_ += 0.5 * (to[static_cast<std::size_t>(d)] - from[static_cast<std::size_t>(d)]) *
                  basis::lagrange_derivatives(block_.shape, block_.order, points_, d);
    // The reference normal points outward if it points away from the centre; an element of negative orientation turns
    // it round.
    const basis::Point centre = reference_centre(block_.shape);
    const double outward = (to[1] - from[1]) * (from[0] - centre[0]) - (to[0] - from[0]) * (from[1] - centre[1]);
    sign_ = outward > 0 ? 1 : -1;
  }

  std::array<double, 3> force(Index position, const Pressure& pressure) {
    sampler_.variables(position, values_);
    const double sign = sign_ * orientation(mesh_, block_, position);
    const Index* nodes = block_.nodes.data() + position * block_.nodes_per_element();
    std::array<double, 3> result = {0, 0, 0};
    for (int q = 0; q < rule_.size(); ++q) {
      double dx = 0, dy = 0;
      for (int node = 0; node < block_.nodes_per_element(); ++node) {
        dx += tangent_(q, node) * mesh_.nodes[static_cast<std::size_t>(nodes[node])][0];
        dy += tangent_(q, node) * mesh_.nodes[static_cast<std::size_t>(nodes[node])][1];
      }
      const double p = pressure(values_.data() + static_cast<std::size_t>(q) * variables_) *
                       rule_.weights[static_cast<std::size_t>(q)] * sign;
      result[0] += p * dy;
      result[1] -= p * dx;
    }
    return result;
  }

 private:
  const mesh::Mesh& mesh_;
  const ElementBlock& block_;
  std::size_t variables_;
  basis::Quadrature rule_;
  std::vector<basis::Point> points_;
  BlockSampler sampler_;
  basis::Matrix tangent_;  // [point][node]: derivative of the place along the side
  double sign_ = 1;
  std::vector<double> values_;
};

const mesh::Boundary& find_boundary(const mesh::Mesh& mesh, const std::string& name) {
  std::vector<std::string> names;
  for (const mesh::Boundary& boundary : mesh.boundaries) {
    if (boundary.name == name) return boundary;
    names.push_back(boundary.name);
  }
  throw InputError({mesh.file},
                   "has no boundary \"" + name + "\" to take forces on; its boundaries are " + list_names(names));
}

}  // namespace

std::vector<double> integrals(const Solution& solution) {
  std::vector<std::unique_ptr<BlockIntegrator>> blocks;
  for (std::size_t block = 0; block < solution.mesh->blocks.size(); ++block)
    blocks.push_back(std::make_unique<BlockIntegrator>(solution, static_cast<int>(block)));
  std::vector<Sum> sums(solution.variables.size());
  for (const SourceElement& element : source_order(*solution.mesh))
    blocks[static_cast<std::size_t>(element.block)]->add_element(element.position, sums);
  std::vector<double> result;
  for (const Sum& sum : sums) result.push_back(sum.value());
  return result;
}

std::array<double, 3> forces(const Solution& solution, const std::string& name, const Pressure& pressure) {
  const mesh::Mesh& mesh = *solution.mesh;
  if (mesh.dimension != 2)
    throw InputError({mesh.file}, "forces on boundaries are computed on two-dimensional meshes only");
  const mesh::Boundary& boundary = find_boundary(mesh, name);
  std::map<std::pair<int, int>, std::unique_ptr<SideIntegrator>> integrators;  // by block and side
  std::array<Sum, 3> sums;
  for (const mesh::Side& side : boundary.sides) {
    const mesh::Mesh::Location where = mesh.locate(side.element);
    std::unique_ptr<SideIntegrator>& integrator = integrators[{where.block, side.side}];
    if (!integrator) integrator = std::make_unique<SideIntegrator>(solution, where.block, side.side);
    const std::array<double, 3> force = integrator->force(where.position, pressure);
    for (std::size_t d = 0; d < 3; ++d) sums[d].add(force[d]);
  }
  return {sums[0].value(), sums[1].value(), sums[2].value()};
}

std::map<std::string, std::array<double, 3>> forces(const Solution& solution,
                                                    const std::vector<std::string>& boundaries,
                                                    const Pressure& pressure) {
  std::map<std::string, std::array<double, 3>> result;
  for (const std::string& name : boundaries) result[name] = forces(solution, name, pressure);
  return result;
}

}  // namespace galerna::output
