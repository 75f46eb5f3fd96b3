#include "output/integrals.hpp"

#include <algorithm>
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

/// Integrates functions of the state over the elements of one block.
class BlockIntegrator {
 public:
  BlockIntegrator(const Solution& solution, int index, const FieldSet& functions, int rule_degree)
      : solution_(solution),
        block_(solution.mesh->blocks[static_cast<std::size_t>(index)]),
        functions_(functions),
        rule_(basis::quadrature(block_.shape, rule_degree)),
        sampler_(solution, index, rule_.points),
        integrands_(functions.names.size()) {
    for (int d = 0; d < dimension(block_.shape); ++d)
      derivatives_.push_back(basis::lagrange_derivatives(block_.shape, block_.order, rule_.points, d));
  }

  void add_element(Index position, std::vector<Sum>& sums) {
    sampler_.variables(position, values_);
    const std::size_t variables = solution_.variables.size();
    std::vector<double> element(sums.size(), 0.0);
    for (int q = 0; q < rule_.size(); ++q) {
      const double weight = rule_.weights[static_cast<std::size_t>(q)] * determinant(position, q);
      functions_.evaluate(values_.data() + static_cast<std::size_t>(q) * variables, integrands_.data());
      for (std::size_t i = 0; i < sums.size(); ++i) element[i] += weight * integrands_[i];
    }
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i].add(element[i]);
  }

 private:
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
  const FieldSet& functions_;
  basis::Quadrature rule_;
  BlockSampler sampler_;
  std::vector<basis::Matrix> derivatives_;  // [direction][point][node]
  std::vector<double> values_, integrands_;
};

/// Degree of the rule that is exact for the variables themselves.
int variables_degree(const Solution& solution, const ElementBlock& block) {
  const bool affine = block.order == 1 && (block.shape == Shape::triangle || block.shape == Shape::tetrahedron);
  return affine ? solution.degree : 2 * solution.degree + block.order * dimension(block.shape);
}

/// \param rule_degree of a block
std::vector<double> integrate(const Solution& solution, const FieldSet& functions,
                              const std::function<int(const ElementBlock&)>& rule_degree) {
  std::vector<std::unique_ptr<BlockIntegrator>> blocks;
  for (std::size_t block = 0; block < solution.mesh->blocks.size(); ++block)
    blocks.push_back(std::make_unique<BlockIntegrator>(solution, static_cast<int>(block), functions,
                                                       rule_degree(solution.mesh->blocks[block])));
  std::vector<Sum> sums(functions.names.size());
  for (const SourceElement& element : source_order(*solution.mesh))
    blocks[static_cast<std::size_t>(element.block)]->add_element(element.position, sums);
  std::vector<double> result;
  for (const Sum& sum : sums) result.push_back(sum.value());
  return result;
}

}  // namespace

std::vector<double> integrals(const Solution& solution) {
  const auto count = static_cast<std::ptrdiff_t>(solution.variables.size());
  const FieldSet variables{solution.variables,
                           [count](const double* u, double* values) { std::copy_n(u, count, values); }};
  return integrate(solution, variables, [&](const ElementBlock& block) { return variables_degree(solution, block); });
}

std::vector<double> integrals(const Solution& solution, const FieldSet& functions) {
  return integrate(solution, functions, [&](const ElementBlock& block) {
    return std::max(variables_degree(solution, block), 2 * solution.degree) + 4;
  });
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
