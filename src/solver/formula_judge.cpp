#include "solver/formula_judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "mesh/geometry.hpp"
#include "solver/outputs/fields.hpp"

namespace galerna::solver {

using case_file::Formula;
using case_file::ValueRange;

namespace {

/// As the case file has it: numbers stand without quotes.
std::string shown(const Formula& formula) {
  const std::string& text = formula.text();
  const bool is_number = formula.constant() && text.find_first_not_of("0123456789.+-e") == std::string::npos;
  return is_number ? text : "\"" + text + "\"";
}

}  // namespace

void FormulaJudge::add(const std::string& name, const Formula& formula, ValueRange range) {
  rules_.push_back({name, formula, formula.at_point(), range});
}

void FormulaJudge::add_state(const std::string& section, const case_file::StateSettings& state, bool positive) {
  const bool gas = equations_.gas && positive;
  const auto& names = state.primitive ? equations_.primitives : equations_.variables;
  has_energy_ = gas && !state.primitive;
  for (std::size_t v = 0; v < state.formulas.size(); ++v) {
    const bool of_gas = v == 0 || (state.primitive && v + 1 == state.formulas.size());
    add(section + "." + names[v], state.formulas[v], gas && of_gas ? ValueRange::positive : ValueRange::finite);
  }
}

bool FormulaJudge::constant() const {
  return std::all_of(rules_.begin(), rules_.end(), [](const Rule& rule) { return rule.formula.constant(); });
}

std::optional<Problem> FormulaJudge::judge(const mesh::Point& x, const double* solution) const {
  std::vector<double> values;
  double length = 0;
  const Rule* direction = nullptr;
  for (const Rule& rule : rules_) {
    const double value = rule.value(x[0], x[1], x[2], time_, solution);
    values.push_back(value);
    if (!std::isfinite(value))
      return problem(rule, std::isnan(value) ? "is not a number" : "is infinite", x,
                     "give a formula that is finite there");
    if (rule.range == ValueRange::positive && !(value > 0))
      return problem(rule, rule.formula.constant() ? "is not positive" : fmt::format("is {:.6g}", value), x,
                     "it must be positive");
    if (rule.range != ValueRange::direction) continue;
    length += std::abs(value);
    if (!direction) direction = &rule;
  }
  if (direction && length == 0)
    return problem(*direction, "is 0 as the other components are", x, "give a direction of any length but 0");
  return judge_pressure(x, values);
}

std::optional<Problem> FormulaJudge::judge_pressure(const mesh::Point& x, const std::vector<double>& values) const {
  if (!has_energy_) return {};
  const double pressure = euler_pressure(values.data(), equations_.dimension, equations_.gamma);
  if (pressure > 0) return {};
  return problem(rules_[static_cast<std::size_t>(equations_.dimension) + 1],
                 fmt::format("leaves the pressure {:.6g}", pressure), x, "the pressure must be positive");
}

Problem FormulaJudge::problem(const Rule& rule, const std::string& what, const mesh::Point& x,
                              const std::string& remedy) const {
  return {rule.formula.place(),
          fmt::format("{} = {} {} at {}{}: {}", rule.name, shown(rule.formula), what,
                      mesh::to_text(x, equations_.dimension),
                      rule.formula.depends_on_time() ? fmt::format(", t = {:.6g}", time_) : "", remedy)};
}

}  // namespace galerna::solver
