/// \file
/// States that a case gives by formulas, on the host.
#pragma once

#include <vector>

#include "case/settings.hpp"
#include "mesh/mesh.hpp"

namespace galerna::solver {

/// Whether a formula of the state has t.
bool depends_on_time(const case_file::StateSettings& state);

/// [initial], [exact] or the state of a boundary.
class GivenState {
 public:
  /// Both must outlive it.
  GivenState(const case_file::StateSettings& state, const case_file::EquationSettings& equations);

  /// Whether it is the same everywhere and at all times.
  bool constant() const;
  /// What its formulas give, in the order of names(). \param result [variable]
  void evaluate(const mesh::Point& x, double time, double* result) const;
  const std::vector<std::string>& names() const {
    return state_.primitive ? equations_.primitives : equations_.variables;
  }
  const case_file::Formula& formula(std::size_t variable) const { return state_.formulas[variable]; }

  /// Whether the conservative variables are known here: a user's equations alone know what their primitives are.
  bool has_conservative() const { return equations_.gas || !state_.primitive; }
  /// In place, from what evaluate() gives.
  void make_conservative(double* u) const;

 private:
  const case_file::StateSettings& state_;
  const case_file::EquationSettings& equations_;
  std::vector<case_file::Formula::AtPoint> values_;
};

}  // namespace galerna::solver
