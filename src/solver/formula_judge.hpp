/// \file
/// What formulas that belong together must give, point by point.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "case/registry.hpp"
#include "case/settings.hpp"
#include "mesh/mesh.hpp"
#include "solver/given_state.hpp"

namespace galerna::solver {

class FormulaJudge {
 public:
  /// \param time at which formulas are evaluated \param equations that outlive it
  FormulaJudge(const case_file::EquationSettings& equations, double time) : equations_(equations), time_(time) {}

  /// \param name as messages have it, boundary.left.pressure
  void add(const std::string& name, const case_file::Formula& formula, case_file::ValueRange range);
  /// The formulas of a state. \param section "boundary.left" \param positive whether density and pressure of a gas must
  /// be
  void add_state(const std::string& section, const case_file::StateSettings& state, bool positive);

  bool empty() const { return rules_.empty(); }
  /// Whether one point tells all.
  bool constant() const;
  /// What is wrong at a point. \param solution the variables there, or null where no formula uses them
  std::optional<Problem> judge(const mesh::Point& x, const double* solution) const;

 private:
  struct Rule {
    std::string name;
    case_file::Formula formula;
    case_file::Formula::AtPoint value;
    case_file::ValueRange range;
  };

  Problem problem(const Rule& rule, const std::string& what, const mesh::Point& x, const std::string& remedy) const;
  /// Energies that leave no pressure.
  std::optional<Problem> judge_pressure(const mesh::Point& x, const std::vector<double>& values) const;

  const case_file::EquationSettings& equations_;
  double time_;
  std::vector<Rule> rules_;
  bool has_energy_ = false;  ///< whether the rules begin with the conservative variables of a gas
};

}  // namespace galerna::solver
