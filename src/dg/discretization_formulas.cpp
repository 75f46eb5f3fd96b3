// The case's formulas on elements of any shape: states at points come from the device, integrals are taken here.
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "dg/discretization.hpp"

namespace galerna::dg {

using basis::Matrix;

namespace {

/// Elements whose formulas are evaluated together.
constexpr std::int64_t formula_elements = 4096;

/// The rule by which formulas are integrated, in the place of the volume rule.
Operators formula_operators(Shape shape, int degree, int geometry_order) {
  return make_operators(shape, degree, std::max(2 * degree + 4, degree + geometry_order + 1));
}

/// Calls visit(operators with the formulas' rule, metric, number of elements) for all elements, part by part.
template <class Visit>
void for_each_part(const mesh::Mesh& mesh, const std::vector<ElementSet>& sets, const Visit& visit) {
  for (std::size_t b = 0; b < sets.size(); ++b) {
    const Operators operators =
        formula_operators(sets[b].operators.shape, sets[b].operators.degree, mesh.blocks[b].order);
    for (mesh::Index first = 0; first < sets[b].blocks.items; first += formula_elements) {
      std::vector<mesh::Index> elements(
          static_cast<std::size_t>(std::min(formula_elements, sets[b].blocks.items - first)));
      std::iota(elements.begin(), elements.end(), first);
      visit(operators, Lazy<Metric>([&] { return make_metric(mesh, static_cast<int>(b), operators, elements); }),
            static_cast<mesh::Index>(elements.size()));
    }
  }
}

/// [point] weight · |J| of element e.
Eigen::VectorXd weights_of(const Operators& operators, const Metric& metric, mesh::Index e) {
  const Eigen::Index points = metric.volume_points;
  return Eigen::Map<const Eigen::VectorXd>(operators.volume.weights.data(), points)
      .cwiseProduct(Eigen::Map<const Eigen::VectorXd>(metric.jacobian.data() + e * points, points));
}

}  // namespace

/// At the volume points of `elements` elements: [element][point][variable]; nothing where the device only counts.
std::vector<double> Discretization::formula_states(const std::string& entry, const Operators& operators,
                                                   mesh::Index elements, const Lazy<Metric>& metric, double time) {
  const Blocks blocks = make_blocks(elements * operators.volume.size(), device_, spec_.precision);
  const auto at = upload_blocked(device_, "formulas", spec_.precision, blocks, 3, [&] {
    const std::vector<double>& positions = metric().positions;
    const auto d = static_cast<std::size_t>(mesh_.dimension);
    std::vector<double> points(3 * (positions.size() / d));
    for (std::size_t k = 0; k < positions.size(); ++k) points[k / d * 3 + k % d] = positions[k];
    return points;
  });
  const std::int64_t variables = spec_.variable_count();
  const auto states =
      device_.allocate(static_cast<std::size_t>(blocks.padded() * variables * bytes_of(spec_.precision)), "formulas");
  if (!device_.stores()) return {};
  launch(entry, range_of(blocks), kernels::StatesArguments{at->address(), states->address(), time});
  return read_blocked(device_, spec_.precision, blocks, *states, variables);
}

/// ∫ φ_j u_h dx = ∫ φ_j u dx in each element.
void Discretization::project_general(device::Memory& state, double time) {
  std::vector<double> coefficients;
  const Eigen::Index variables = spec_.variable_count();
  for_each_part(mesh_, sets_, [&](const Operators& o, const Lazy<Metric>& metric, mesh::Index elements) {
    const std::vector<double> states = formula_states("initial", o, elements, metric, time);
    const Eigen::Index points = o.volume.size();
    if (!device_.stores()) return;
    for (mesh::Index e = 0; e < elements; ++e) {
      const Eigen::Map<const Matrix> u(states.data() + e * points * variables, points, variables);
      const Matrix weighted = weights_of(o, metric(), e).asDiagonal() * o.volume_basis;
      const Matrix mass = weighted.transpose() * o.volume_basis, moments = weighted.transpose() * u;
      const Matrix modes = mass.ldlt().solve(moments).transpose();
      coefficients.insert(coefficients.end(), modes.data(), modes.data() + modes.size());
    }
  });
  if (device_.stores()) write_state(state, coefficients);
}

std::vector<ErrorNorms> Discretization::general_errors(device::Memory& state, double time) {
  const std::vector<double> coefficients = read_state(state);
  const Eigen::Index variables = spec_.variable_count();
  std::vector<ErrorNorms> norms(static_cast<std::size_t>(variables));
  const double* at = coefficients.data();
  for_each_part(mesh_, sets_, [&](const Operators& o, const Lazy<Metric>& metric, mesh::Index elements) {
    const std::vector<double> states = formula_states("exact", o, elements, metric, time);
    const Eigen::Index points = o.volume.size();
    for (mesh::Index e = 0; e < elements; ++e, at += variables * o.modes) {
      const Eigen::Map<const Matrix> u(states.data() + e * points * variables, points, variables);
      const Eigen::Map<const Matrix> modes(at, variables, o.modes);
      const Matrix error = o.volume_basis * modes.transpose() - u;
      const Eigen::VectorXd weights = weights_of(o, metric(), e);
      for (Eigen::Index v = 0; v < variables; ++v) {
        ErrorNorms& norm = norms[static_cast<std::size_t>(v)];
        norm.l1 += weights.dot(error.col(v).cwiseAbs());
        norm.l2 += weights.dot(error.col(v).cwiseAbs2());
        norm.linf = std::max(norm.linf, error.col(v).cwiseAbs().maxCoeff());
      }
    }
  });
  for (ErrorNorms& norm : norms) norm.l2 = std::sqrt(norm.l2);
  return norms;
}

}  // namespace galerna::dg
