/// \file
/// Solves the equations of a case on polytopes as the case asks for: directly, or by multigrid.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "algebra/direct.hpp"
#include "polytopic/multigrid.hpp"
#include "solver/polytopic/polytopic_problem.hpp"
#include "solver/run/observer.hpp"

namespace galerna::solver {

class PolytopicSolver {
 public:
  /// The arguments must outlive it.
  PolytopicSolver(device::Device& device, const case_file::Settings& settings, const PolytopicMesh& mesh,
                  const polytopic::Spec& spec, const std::vector<int>& degrees, Observer& observer);

  /// For the matrix that the discretization has now. \throws Error where it is not positive definite but should be
  void set_up(polytopic::Discretization& discretization, double begin, double end);

  /// \param load changed by what quadrature leaves where the solution is known but for a constant
  /// \param solution where iterations start, and the result
  /// \throws InputError for fluxes and sources that do not balance, Error where the tolerance is not reached
  void solve(polytopic::Discretization& discretization, std::vector<double>& load, std::vector<double>& solution);

  /// [iteration] relative norms of the residual of the last solution, also of one that did not come to its end; that
  /// of the start first. Of a direct solution there is the last one only.
  const std::vector<double>& residuals() const { return residuals_; }
  /// Before there is another one.
  void forget_residuals() { residuals_.clear(); }
  std::int64_t iterations() const { return static_cast<std::int64_t>(residuals_.size()) - 1; }  ///< of that solution

 private:
  bool is_definite() const;
  void solve_directly(std::vector<double>& load, std::vector<double>& solution);
  void iterate(const std::vector<double>& load, std::vector<double>& solution);
  /// Whether a residual that rounding leaves is good enough; says so where it is above the tolerance.
  bool accept_rounding() const;
  /// \param error that was asked for
  [[noreturn]] void throw_not_converged(const algebra::KrylovReport& report, double error) const;
  [[noreturn]] void throw_indefinite(const std::string& why) const;

  Observer& observer_;
  const case_file::Settings& settings_;
  const case_file::PolytopicSettings& polytopic_;
  const PolytopicMesh& mesh_;
  const polytopic::Spec& spec_;
  const std::vector<int>& degrees_;
  bool constants_free_;
  std::optional<algebra::DirectSolver> factors_;
  std::optional<polytopic::MultigridSolver> multigrid_;
  std::vector<double> residuals_;
};

}  // namespace galerna::solver
