#include "dg/formulas.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "dg/structure_kernels.hpp"

namespace galerna::dg {

using basis::Matrix;

namespace {

/// Elements whose formulas are evaluated together.
constexpr std::int64_t formula_elements = 4096;

/// Blocks whose corner coordinates are on the device at a time while formulas are evaluated.
std::int64_t formula_blocks(const Blocks& elements) {
  constexpr std::int64_t most = 16384;  // elements: whole thread blocks, and enough of them to fill a GPU
  return std::min(elements.count, most / elements.lanes);
}

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

/// [variable][mode] of element e from values [point][variable]: ∫ φ_j u_h dx = ∫ φ_j u dx.
Matrix projection(const Operators& operators, const Metric& metric, mesh::Index e, const Matrix& values) {
  const Matrix weighted = weights_of(operators, metric, e).asDiagonal() * operators.volume_basis;
  const Matrix mass = weighted.transpose() * operators.volume_basis, moments = weighted.transpose() * values;
  return mass.ldlt().solve(moments).transpose();
}

}  // namespace

/// The kernels of the case's formulas need corner coordinates, which else only sources do: they are on the device part
/// by part and only as long as formulas are evaluated.
void Formulas::launch(const std::string& entry, device::Memory& state, double time, const LookAtSums& look) const {
  const Blocks& blocks = sets_.front().blocks;
  const std::int64_t d = mesh_.dimension, n = (d + 1) * d, number = bytes_of(spec_.precision);
  const std::int64_t step = formula_blocks(blocks);
  const std::string purpose = "formulas";
  const auto vertices = device_.allocate(static_cast<std::size_t>(step * blocks.lanes * n * number), purpose);
  // FormulaArguments::partials
  std::vector<double> sums(look ? static_cast<std::size_t>(7 * spec_.variable_count() * step) : 0);
  const auto partials = look ? device_.allocate(sums.size() * sizeof(double), purpose) : nullptr;
  if (!device_.stores()) return;
  for (std::int64_t begin = 0; begin < blocks.count; begin += step) {
    Blocks part{0, std::min(step, blocks.count - begin), blocks.lanes};
    part.items = part.padded();
    std::vector<double> corners;
    for (std::int64_t lane = begin * part.lanes; lane < begin * part.lanes + part.items; ++lane) {
      for (mesh::Index node : mesh_.element_nodes(blocks.item(lane)))
        for (std::size_t k = 0; k < static_cast<std::size_t>(d); ++k)
          corners.push_back(mesh_.nodes[static_cast<std::size_t>(node)][k]);
    }
    write_blocked(device_, spec_.precision, part, corners, n, *vertices);
    const std::int64_t offset = begin * part.lanes * number;
    kernels::FormulaArguments a{static_cast<char*>(state.address()) + offset * states_.values(sets_.front()),
                                address(vertices),
                                static_cast<char*>(address(sets_.front().determinants)) + offset,
                                static_cast<double*>(address(partials)),
                                part.count,
                                time};
    launcher_.launch(entry, range_of(part, device_.kind()), a);
    if (!look) continue;
    device_.read(sums.data(), *partials,
                 static_cast<std::size_t>(7 * spec_.variable_count() * part.count) * sizeof(double));
    look(sums, part.count);
  }
  device_.synchronize();
}

void Formulas::project(device::Memory& state, double time) const {
  if (!are_simplices_alone(sets_)) return project_elements(state, time);
  launch("project", state, time);
}

std::vector<ErrorNorms> Formulas::errors(device::Memory& state, double time) const {
  if (!are_simplices_alone(sets_)) return element_errors(state, time);
  std::vector<ErrorSums> sums(static_cast<std::size_t>(spec_.variable_count()));
  launch("errors", state, time, [&](const std::vector<double>& values, std::int64_t blocks) {
    for (std::size_t v = 0; v < sums.size(); ++v) {
      const double* rows = values.data() + static_cast<std::int64_t>(v) * 7 * blocks;
      for (std::int64_t b = 0; b < blocks; ++b) {
        add(sums[v].absolute, kernels::load_sum(rows, blocks, b));
        add(sums[v].square, kernels::load_sum(rows + 3 * blocks, blocks, b));
        sums[v].largest = std::max(sums[v].largest, rows[6 * blocks + b]);
      }
    }
  });
  return norms_of(sums);
}

/// At the volume points of `elements` elements: [element][point][variable]; nothing where the device only counts.
std::vector<double> Formulas::states_at(const std::string& entry, const Operators& operators, mesh::Index elements,
                                        const Lazy<Metric>& metric, double time) const {
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
  launcher_.launch(entry, range_of(blocks, device_.kind()),
                   kernels::StatesArguments{at->address(), states->address(), time});
  return read_blocked(device_, spec_.precision, blocks, *states, variables);
}

/// ∫ φ_j u_h dx = ∫ φ_j u dx in each element.
void Formulas::project_elements(device::Memory& state, double time) const {
  std::vector<double> coefficients;
  const Eigen::Index variables = spec_.variable_count();
  for_each_part(mesh_, sets_, [&](const Operators& o, const Lazy<Metric>& metric, mesh::Index elements) {
    const std::vector<double> states = states_at("initial", o, elements, metric, time);
    const Eigen::Index points = o.volume.size();
    if (!device_.stores()) return;
    // With constant |J| the basis is orthogonal in the element, too, and c_j = ∫ u φ_j over the reference element. In
    // the plane, where factorizing costs little, the general way keeps the last bits of all results as they were.
    const bool affine = metric().affine && mesh_.dimension == 3;
    const Eigen::Map<const Eigen::VectorXd> weights(o.volume.weights.data(), points);
    const Matrix reference = weights.asDiagonal() * o.volume_basis;
    for (mesh::Index e = 0; e < elements; ++e) {
      const Eigen::Map<const Matrix> u(states.data() + e * points * variables, points, variables);
      const Matrix modes = affine ? Matrix(u.transpose() * reference) : projection(o, metric(), e, u);
      coefficients.insert(coefficients.end(), modes.data(), modes.data() + modes.size());
    }
  });
  if (device_.stores()) states_.write(state, coefficients);
}

std::vector<ErrorNorms> Formulas::element_errors(device::Memory& state, double time) const {
  const std::vector<double> coefficients = states_.read(state);
  const Eigen::Index variables = spec_.variable_count();
  std::vector<ErrorSums> sums(static_cast<std::size_t>(variables));
  const double* at = coefficients.data();
  for_each_part(mesh_, sets_, [&](const Operators& o, const Lazy<Metric>& metric, mesh::Index elements) {
    const std::vector<double> states = states_at("exact", o, elements, metric, time);
    const Eigen::Index points = o.volume.size();
    for (mesh::Index e = 0; e < elements; ++e, at += variables * o.modes) {
      const Eigen::Map<const Matrix> u(states.data() + e * points * variables, points, variables);
      const Eigen::Map<const Matrix> modes(at, variables, o.modes);
      const Matrix error = o.volume_basis * modes.transpose() - u;
      const Eigen::VectorXd weights = weights_of(o, metric(), e);
      for (Eigen::Index v = 0; v < variables; ++v) {
        ErrorSums& sum = sums[static_cast<std::size_t>(v)];
        sum.absolute.add(weights.dot(error.col(v).cwiseAbs()));
        sum.square.add(weights.dot(error.col(v).cwiseAbs2()));
        sum.largest = std::max(sum.largest, error.col(v).cwiseAbs().maxCoeff());
      }
    }
  });
  return norms_of(sums);
}

}  // namespace galerna::dg
