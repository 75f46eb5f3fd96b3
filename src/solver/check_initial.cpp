#include "solver/check_initial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/index.hpp"
#include "basis/basis.hpp"
#include "dg/operators.hpp"
#include "dg/run/formulas.hpp"
#include "mesh/geometry.hpp"
#include "solver/degree_sequence.hpp"
#include "solver/first_problem.hpp"
#include "solver/formula_judge.hpp"
#include "solver/outputs/fields.hpp"
#include "solver/run/failure.hpp"

namespace galerna::solver {
namespace {

using basis::Matrix;

std::string not_physical(const std::string& what) {
  return "the initial state is not physical: " + what;
}

/// [node][k]
Eigen::MatrixXd nodes_of(const mesh::Mesh& mesh, mesh::Index element) {
  const auto nodes = mesh.element_nodes(element);
  Eigen::MatrixXd x(static_cast<Eigen::Index>(nodes.size()), 3);
  for (Eigen::Index n = 0; n < x.rows(); ++n)
    for (Eigen::Index d = 0; d < 3; ++d) x(n, d) = mesh.nodes[at(nodes[at(n)])][at(d)];
  return x;
}

/// Projects states onto the polynomials on elements of a block: what dg::Formulas does on the device.
class Projection {
 public:
  Projection(const mesh::ElementBlock& block, const basis::Quadrature& rule, int degree)
      : basis_(basis::basis_values(block.shape, degree, rule.points)),
        weights_(Eigen::Map<const Eigen::VectorXd>(rule.weights.data(), rule.size())),
        straight_(is_simplex(block.shape) && block.order == 1) {
    for (int d = 0; d < dimension(block.shape) && !straight_; ++d)
      slopes_.push_back(basis::lagrange_derivatives(block.shape, block.order, rule.points, d));
  }

  /// w |J| at the points, but for a factor. \param x as of nodes_of()
  Eigen::VectorXd measures(const Eigen::MatrixXd& x) const {
    if (straight_) return weights_;
    std::vector<Eigen::MatrixXd> tangents;  // [d]: [point][k]
    for (const Matrix& slope : slopes_) tangents.emplace_back(slope * x);
    Eigen::VectorXd result = weights_;
    for (Eigen::Index q = 0; q < result.size(); ++q) {
      const Eigen::Vector3d a = tangents[0].row(q), b = tangents[1].row(q);
      result[q] *= std::abs(tangents.size() == 3 ? a.cross(b).dot(Eigen::Vector3d(tangents[2].row(q)))
                                                 : a[0] * b[1] - a[1] * b[0]);
    }
    return result;
  }

  /// [mode][variable] \param states [point][variable]
  Eigen::MatrixXd project(const Matrix& states, const Eigen::VectorXd& measures) const {
    const Eigen::VectorXd jacobians = measures.cwiseQuotient(weights_);
    const Eigen::MatrixXd moments = basis_.transpose() * measures.asDiagonal() * states;
    const double largest = jacobians.maxCoeff();
    if (largest - jacobians.minCoeff() <= 1e-12 * largest) return moments / largest;
    const Eigen::MatrixXd mass = basis_.transpose() * measures.asDiagonal() * basis_;
    return mass.llt().solve(moments);
  }

 private:
  Matrix basis_;  ///< [point][mode]
  Eigen::VectorXd weights_;
  bool straight_;
  std::vector<Matrix> slopes_;  ///< [d]: [point][node]
};

class InitialCheck {
 public:
  InitialCheck(const case_file::Settings& settings, const mesh::Mesh& mesh)
      : settings_(at_degree(settings, degrees_of(settings).front())),
        mesh_(mesh),
        state_(settings_.initial, settings_.equations),
        judge_(settings_.equations, 0) {
    judge_.add_state("initial", settings_.initial, true);
  }

  std::optional<Problem> find_unphysical_formula() const {
    return in_blocks([&](const mesh::ElementBlock& block, mesh::Index first) {
      const Matrix shapes = basis::lagrange_values(block.shape, block.order, rule_of(block).points);
      return first_problem(count_of(block), [&](std::int64_t position) { return look(shapes, first + position); });
    });
  }

  std::optional<Problem> find_unphysical_projection() const {
    return in_blocks([&](const mesh::ElementBlock& block, mesh::Index first) {
      const basis::Quadrature rule = rule_of(block);
      const int degree = settings_.discretization.order;
      const Projection projection(block, rule, degree);
      const Matrix shapes = basis::lagrange_values(block.shape, block.order, rule.points);
      const Matrix seen =
          dg::make_operators(block.shape, degree, settings_.discretization.volume_quadrature).volume_basis;
      return first_problem(count_of(block), [&](std::int64_t position) -> std::optional<Problem> {
        const Eigen::MatrixXd x = nodes_of(mesh_, first + position);
        const Matrix states = states_at(shapes * x);
        const Eigen::VectorXd measures = projection.measures(x);
        if (is_limited()) return look_at_gas(measures.transpose() * states / measures.sum(), first + position);
        return look_at_gas(seen * projection.project(states, measures), first + position);
      });
    });
  }

 private:
  basis::Quadrature rule_of(const mesh::ElementBlock& block) const {
    return dg::formula_rule(block.shape, settings_.discretization.order, block.order);
  }

  /// Whether what is projected changes but for its means.
  bool is_limited() const {
    return settings_.shock &&
           (settings_.shock->positivity || settings_.shock->method == "limiter" || settings_.shock->method == "filter");
  }

  mesh::Index count_of(const mesh::ElementBlock& block) const {
    return state_.constant() ? std::min<mesh::Index>(block.size(), 1) : block.size();
  }

  template <class Find>
  std::optional<Problem> in_blocks(const Find& find) const {
    mesh::Index first = 0;
    for (const mesh::ElementBlock& block : mesh_.blocks) {
      if (std::optional<Problem> problem = find(block, first)) return problem;
      first += block.size();
    }
    return {};
  }

  /// The formulas at the points of an element.
  std::optional<Problem> look(const Matrix& shapes, mesh::Index element) const {
    const Eigen::MatrixXd points = shapes * nodes_of(mesh_, element);
    for (Eigen::Index q = 0; q < points.rows(); ++q)
      if (auto problem = judge_.judge({points(q, 0), points(q, 1), points(q, 2)}, nullptr)) return problem;
    return {};
  }

  /// Conservative states at points: [point][variable]
  Matrix states_at(const Eigen::MatrixXd& points) const {
    Matrix states(points.rows(), static_cast<Eigen::Index>(settings_.equations.variables.size()));
    for (Eigen::Index q = 0; q < points.rows(); ++q) {
      state_.evaluate({points(q, 0), points(q, 1), points(q, 2)}, 0, states.row(q).data());
      state_.make_conservative(states.row(q).data());
    }
    return states;
  }

  /// The states of a gas in an element. \param states [point][variable]
  std::optional<Problem> look_at_gas(const Matrix& states, mesh::Index element) const {
    const case_file::EquationSettings& equations = settings_.equations;
    BadElement bad;
    for (Eigen::Index q = 0; q < states.rows(); ++q) {
      const double* u = states.row(q).data();
      const std::pair<const char*, double> values[] = {
          {"density", u[0]}, {"pressure", euler_pressure(u, equations.dimension, equations.gamma)}};
      for (const auto& [name, value] : values)
        if (!(value > bad.smallest) && (bad.variable.empty() || !(value >= bad.smallest)))
          bad.variable = name, bad.smallest = value;
    }
    if (bad.variable.empty()) return {};
    bad.number = mesh_.number(element);
    bad.place = mesh::to_text(mesh::centroid(mesh_, element), mesh_.dimension);
    bad.boundaries = boundaries_beside(mesh_, element);
    return Problem{settings_.initial.place, describe(bad)};
  }

  case_file::Settings settings_;  ///< at the first degree
  const mesh::Mesh& mesh_;
  GivenState state_;
  FormulaJudge judge_;
};

}  // namespace

std::optional<Problem> find_unphysical_formula(const case_file::Settings& settings, const mesh::Mesh& mesh) {
  return InitialCheck(settings, mesh).find_unphysical_formula();
}

std::string explain_overshoot(const case_file::Settings& settings, int degree) {
  const std::string remedy =
      settings.shock ? "set shock.positivity = true" : "give the case a section [shock], which may be empty";
  return fmt::format("; its formulas are, but polynomials of degree {} overshoot at jumps: {}, or smooth the jump",
                     degree, remedy);
}

void require_physical_initial_state(const case_file::Settings& settings, const mesh::Mesh& mesh) {
  const InitialCheck check(settings, mesh);
  const std::optional<Problem> projected = settings.equations.gas ? check.find_unphysical_projection() : std::nullopt;
  if (settings.equations.gas && !projected) return;
  if (const auto formula = check.find_unphysical_formula())
    throw InputError(formula->place, not_physical(formula->text));
  if (projected)
    throw InputError(projected->place,
                     not_physical(projected->text + explain_overshoot(settings, degrees_of(settings).front())));
}

}  // namespace galerna::solver
