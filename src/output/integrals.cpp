#include "output/integrals.hpp"

#include <cmath>
#include <memory>

#include "base/error.hpp"
#include "output/sampling.hpp"
#include "output/source_order.hpp"
#include "output/sum.hpp"
#include "output/walls.hpp"

namespace galerna::output {
namespace {

using mesh::ElementBlock;
using mesh::Index;

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

const mesh::Boundary& find_boundary(const mesh::Mesh& mesh, const std::string& name) {
  if (mesh.dimension != 2)
    throw InputError({mesh.file}, "forces on boundaries are computed on two-dimensional meshes only");
  std::vector<std::string> names;
  for (const mesh::Boundary& boundary : mesh.boundaries) {
    if (boundary.name == name) return boundary;
    names.push_back(boundary.name);
  }
  throw InputError({mesh.file},
                   "has no boundary \"" + name + "\" to take forces on; its boundaries are " + list_names(names));
}

std::array<double, 3> forces(const Solution& solution, const std::string& name, const Pressure& pressure) {
  return wall_force(solution, name, {pressure, {}}).pressure;
}

std::map<std::string, std::array<double, 3>> forces(const Solution& solution,
                                                    const std::vector<std::string>& boundaries,
                                                    const Pressure& pressure) {
  std::map<std::string, std::array<double, 3>> result;
  for (const std::string& name : boundaries) result[name] = forces(solution, name, pressure);
  return result;
}

}  // namespace galerna::output
