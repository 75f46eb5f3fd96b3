#include "analysis/integrals.hpp"

#include <cmath>

#include "analysis/sampling.hpp"
#include "base/exact_sum.hpp"

namespace galerna::analysis {
namespace {

using mesh::ElementBlock;
using mesh::Index;

/// Integrates the variables over the elements of one block.
class BlockIntegrator {
 public:
  BlockIntegrator(const Solution& solution, int index)
      : solution_(solution),
        block_(solution.mesh->blocks[static_cast<std::size_t>(index)]),
        rule_(basis::quadrature(block_.shape, basis::integral_degree(block_.shape, solution.degree, block_.order))),
        sampler_(solution, index, rule_.points) {
    for (int d = 0; d < dimension(block_.shape); ++d)
      derivatives_.push_back(basis::lagrange_derivatives(block_.shape, block_.order, rule_.points, d));
  }

  void add_element(Index position, std::vector<ExactSum>& sums) {
    sampler_.variables(position, values_);
    std::vector<double> element(sums.size(), 0.0);
    for (int q = 0; q < rule_.size(); ++q) {
      const double weight = rule_.weights[static_cast<std::size_t>(q)] * determinant(position, q);
      const double* integrands = values_.data() + static_cast<std::size_t>(q) * sums.size();
      for (std::size_t i = 0; i < sums.size(); ++i) element[i] += weight * integrands[i];
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
  basis::Quadrature rule_;
  BlockSampler sampler_;
  std::vector<basis::Matrix> derivatives_;  // [direction][point][node]
  std::vector<double> values_;              // [point][variable]
};

}  // namespace

std::vector<double> integrals(const Solution& solution) {
  std::vector<ExactSum> sums(solution.variables.size());
  for (std::size_t b = 0; b < solution.mesh->blocks.size(); ++b) {
    BlockIntegrator integrator(solution, static_cast<int>(b));
    for (Index position = 0; position < solution.mesh->blocks[b].size(); ++position)
      integrator.add_element(position, sums);
  }
  return values_of(sums);
}

}  // namespace galerna::analysis
