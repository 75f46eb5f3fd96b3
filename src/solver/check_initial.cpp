#include "solver/check_initial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "basis/basis.hpp"
#include "mesh/geometry.hpp"
#include "solver/outputs/fields.hpp"

namespace galerna::solver {
namespace {

class InitialState {
 public:
  explicit InitialState(const case_file::Settings& settings) : settings_(settings) {
    for (const case_file::Formula& formula : settings.initial.formulas) values_.push_back(formula.at_point());
  }

  /// The same everywhere.
  bool constant() const {
    const auto& formulas = settings_.initial.formulas;
    return std::all_of(formulas.begin(), formulas.end(), [](const auto& formula) { return formula.constant(); });
  }

  /// What is wrong with it at a place; "" if nothing is.
  std::string trouble(const mesh::Point& x) const {
    const case_file::EquationSettings& equations = settings_.equations;
    const auto& names = settings_.initial.primitive ? equations.primitives : equations.variables;
    std::vector<double> state;
    for (std::size_t v = 0; v < values_.size(); ++v) {
      state.push_back(values_[v](x[0], x[1], x[2], 0, nullptr));
      if (!std::isfinite(state.back())) return fmt::format("{} = {}", names[v], state.back());
    }
    if (!equations.gas) return "";
    const double pressure =
        settings_.initial.primitive ? state.back() : euler_pressure(state.data(), equations.dimension, equations.gamma);
    if (!(state[0] > 0)) return fmt::format("density = {:.6g}", state[0]);
    return pressure > 0 ? "" : fmt::format("pressure = {:.6g}", pressure);
  }

 private:
  const case_file::Settings& settings_;
  std::vector<case_file::Formula::AtPoint> values_;
};

}  // namespace

void require_physical_initial_state(const case_file::Settings& settings, const mesh::Mesh& mesh) {
  const InitialState initial(settings);
  const bool constant = initial.constant();
  for (const mesh::ElementBlock& block : mesh.blocks) {
    const basis::Quadrature rule = basis::quadrature(block.shape, 2 * settings.discretization.order);
    const basis::Matrix shapes = basis::lagrange_values(block.shape, block.order, rule.points);
    for (mesh::Index position = 0; position < block.size(); ++position) {
      const mesh::Index* nodes = block.nodes.data() + position * block.nodes_per_element();
      for (Eigen::Index q = 0; q < shapes.rows(); ++q) {
        mesh::Point place{};
        for (Eigen::Index node = 0; node < shapes.cols(); ++node)
          for (std::size_t d = 0; d < 3; ++d)
            place[d] += shapes(q, node) * mesh.nodes[static_cast<std::size_t>(nodes[node])][d];
        if (const std::string trouble = initial.trouble(place); !trouble.empty())
          throw InputError(settings.initial.place, fmt::format("the initial state is not physical: {} at {}", trouble,
                                                               mesh::to_text(place, mesh.dimension)));
        if (constant) return;
      }
    }
  }
}

}  // namespace galerna::solver
