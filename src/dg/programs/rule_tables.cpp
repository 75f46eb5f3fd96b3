#include "dg/programs/rule_tables.hpp"

#include "dg/blocks.hpp"

namespace galerna::dg {

using basis::Matrix;

RuleTables::RuleTables(device::Device& device, const std::string& purpose, Shape shape, int degree, int geometry_order,
                       basis::Quadrature rule, bool slopes) {
  while (rule.size() % kernels::formula_batch != 0) {
    rule.points.push_back(rule.points.back());
    rule.weights.push_back(0);
  }
  const Matrix basis = basis::basis_values(shape, degree, rule.points);
  std::vector<Matrix> shapes = {basis::lagrange_values(shape, geometry_order, rule.points)};
  std::vector<double> rows, derivatives;
  for (int d = 0; d < dimension(shape); ++d) {
    shapes.push_back(basis::lagrange_derivatives(shape, geometry_order, rule.points, d));
    if (!slopes) continue;
    const Matrix of_basis = basis::basis_derivatives(shape, degree, rule.points, d);
    derivatives.insert(derivatives.end(), of_basis.data(), of_basis.data() + of_basis.size());
  }
  for (int q = 0; q < rule.size(); ++q)
    for (const Matrix& m : shapes) rows.insert(rows.end(), m.row(q).begin(), m.row(q).end());
  points_ = rule.size();
  modes_ = static_cast<int>(basis.cols());
  nodes_ = static_cast<int>(shapes[0].cols());
  basis_ = upload(device, purpose, std::vector<double>(basis.data(), basis.data() + basis.size()));
  shapes_ = upload(device, purpose, rows);
  weights_ = upload(device, purpose, rule.weights);
  if (slopes) slopes_ = upload(device, purpose, derivatives);
}

void RuleTables::put(kernels::FormulaArguments& a) const {
  a.points = points_;
  a.modes = modes_;
  a.nodes_per_element = nodes_;
  a.basis = static_cast<const double*>(address(basis_));
  a.shapes = static_cast<const double*>(address(shapes_));
  a.weights = static_cast<const double*>(address(weights_));
}

const double* RuleTables::slopes() const {
  return static_cast<const double*>(address(slopes_));
}

std::vector<double> node_coordinates(const mesh::Mesh& mesh, const mesh::ElementBlock& block,
                                     const std::vector<mesh::Index>& positions) {
  const std::int64_t nodes = block.nodes_per_element();
  std::vector<double> coordinates;
  for (const mesh::Index position : positions)
    for (std::int64_t i = 0; i < nodes; ++i) {
      const mesh::Index node = block.nodes[static_cast<std::size_t>(position * nodes + i)];
      const mesh::Point& x = mesh.nodes[static_cast<std::size_t>(node)];
      coordinates.insert(coordinates.end(), x.begin(), x.begin() + mesh.dimension);
    }
  return coordinates;
}

}  // namespace galerna::dg
