#include "solver/given_state.hpp"

#include <algorithm>

namespace galerna::solver {

bool depends_on_time(const case_file::StateSettings& state) {
  return std::any_of(state.formulas.begin(), state.formulas.end(),
                     [](const case_file::Formula& formula) { return formula.depends_on_time(); });
}

GivenState::GivenState(const case_file::StateSettings& state, const case_file::EquationSettings& equations)
    : state_(state), equations_(equations) {
  for (const case_file::Formula& formula : state.formulas) values_.push_back(formula.at_point());
}

bool GivenState::constant() const {
  return std::all_of(state_.formulas.begin(), state_.formulas.end(),
                     [](const case_file::Formula& formula) { return formula.constant(); });
}

void GivenState::evaluate(const mesh::Point& x, double time, double* result) const {
  for (const auto& value : values_) *result++ = value(x[0], x[1], x[2], time, nullptr);
}

void GivenState::make_conservative(double* u) const {
  if (!state_.primitive) return;
  double kinetic = 0;
  const std::size_t last = values_.size() - 1;
  for (std::size_t k = 1; k < last; ++k) {
    kinetic += 0.5 * u[0] * u[k] * u[k];
    u[k] *= u[0];
  }
  u[last] = u[last] / (equations_.gamma - 1) + kinetic;
}

}  // namespace galerna::solver
