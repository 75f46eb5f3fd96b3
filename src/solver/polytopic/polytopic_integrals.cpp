#include "solver/polytopic/polytopic_integrals.hpp"

#include <algorithm>
#include <optional>

#include "analysis/gradients.hpp"
#include "analysis/sampling.hpp"
#include "base/index.hpp"
#include "base/vectors.hpp"
#include "basis/basis.hpp"
#include "mesh/boundaries.hpp"
#include "mesh/geometry.hpp"

namespace galerna::solver {
namespace {

using Integral = case_file::OutputSettings::Integral;

/// One integrand at points of simplices: the same reference points of each.
class Integrand {
 public:
  Integrand(const Integral& integral, const analysis::Solution& solution, basis::Quadrature rule)
      : rule_(std::move(rule)),
        formula_(integral.formula.at_point()),
        time_(solution.time),
        values_(solution, 0, rule_.points) {
    if (integral.formula.uses_values(1, 4)) gradients_.emplace(solution, 0, rule_.points);
    for (const double weight : rule_.weights) size_ += weight;
  }

  /// Over the part of measure `measure` of the element. \param normal along boundaries
  double operator()(mesh::Index element, double measure, const mesh::Point& normal = {}) const {
    std::vector<double> u;
    std::vector<mesh::Point> places;
    values_.variables(element, u);
    values_.places(element, places);
    double sum = 0;
    for (std::size_t q = 0; q < places.size(); ++q) {
      std::array<double, 7> values = {u[q], 0, 0, 0, normal[0], normal[1], normal[2]};
      if (gradients_) gradients_->evaluate(element, static_cast<int>(q), values.data() + 1);
      sum += rule_.weights[q] * formula_(places[q][0], places[q][1], places[q][2], time_, values.data());
    }
    return sum * measure / size_;
  }

 private:
  basis::Quadrature rule_;
  double size_ = 0;  ///< of the reference shape
  case_file::Formula::AtPoint formula_;
  double time_;
  analysis::BlockSampler values_;
  std::optional<analysis::BlockGradients> gradients_;
};

bool is_in(const mesh::Mesh& mesh, mesh::Index element, int region) {
  const std::vector<int> regions = mesh.regions(mesh.blocks[0].region[at(element)]);
  return std::find(regions.begin(), regions.end(), region) != regions.end();
}

double over_elements(const Integral& integral, const analysis::Solution& solution) {
  const mesh::Mesh& mesh = *solution.mesh;
  const Shape shape = mesh.blocks[0].shape;
  const Integrand integrand(integral, solution,
                            basis::quadrature(shape, basis::function_degree(shape, solution.degree, 1)));
  const int region = integral.region ? mesh::find_region(mesh, *integral.region) : -1;
  double sum = 0;
  for (mesh::Index element = 0; element < mesh.element_count(); ++element)
    if (!integral.region || is_in(mesh, element, region)) sum += integrand(element, mesh::measure(mesh, element));
  return sum;
}

/// Measure and outward normal of a straight side.
struct SideGeometry {
  double measure;
  mesh::Point normal;
};

SideGeometry geometry_of(const mesh::Mesh& mesh, const mesh::Side& side) {
  const std::vector<mesh::Index> nodes = mesh.corners(side.element);
  std::vector<mesh::Point> x;
  for (const int corner : side_corners(mesh.shape(side.element), side.side))
    x.push_back(mesh.nodes[at(nodes[at(corner)])]);
  const mesh::Point along = minus(x[1], x[0]);
  mesh::Point normal = x.size() == 2 ? mesh::Point{along[1], -along[0], 0} : cross(along, minus(x[2], x[0]));
  const double length = norm(normal);
  // Away from the element.
  const double sign = dot(normal, minus(mesh::centroid(mesh, side.element), x[0])) > 0 ? -1 : 1;
  for (double& component : normal) component *= sign / length;
  return {x.size() == 2 ? length : length / 2, normal};
}

double over_sides(const Integral& integral, const analysis::Solution& solution) {
  const mesh::Mesh& mesh = *solution.mesh;
  const Shape shape = mesh.blocks[0].shape;
  const mesh::Boundary& boundary = mesh::find_boundary(mesh, *integral.boundary);
  double sum = 0;
  for (int number = 0; number < side_count(shape); ++number) {
    basis::Quadrature rule =
        mesh.dimension == 2 ? basis::gauss_legendre(solution.degree + 4)
                            : basis::quadrature(side_shape(shape, number),
                                                basis::function_degree(side_shape(shape, number), solution.degree, 1));
    rule.points = basis::side_points(shape, number, rule.points);
    const Integrand integrand(integral, solution, std::move(rule));
    for (const mesh::Side& side : boundary.sides) {
      if (side.side != number) continue;
      const SideGeometry geometry = geometry_of(mesh, side);
      sum += integrand(side.element, geometry.measure, geometry.normal);
    }
  }
  return sum;
}

}  // namespace

std::vector<double> simplex_integrals(const std::vector<Integral>& integrals, const analysis::Solution& solution) {
  std::vector<double> values;
  for (const Integral& integral : integrals)
    values.push_back(integral.boundary ? over_sides(integral, solution) : over_elements(integral, solution));
  return values;
}

}  // namespace galerna::solver
