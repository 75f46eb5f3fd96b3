#include "solver/polytopic/polytopic_solver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "polytopic/constants.hpp"
#include "solver/polytopic/polytopic_memory.hpp"

namespace galerna::solver {
namespace {

/// What rounding leaves may be so many times the tolerance: bases of high degrees have large matrices.
constexpr double rounding_share = 100;

/// The tolerance is one of residuals, which are no errors: smooth solutions of high degree are better than it. What
/// iterations leave of the error may be so much of it, relative to the solution.
constexpr double error_share = 0.01;

double norm(const std::vector<double>& values) {
  return std::sqrt(std::inner_product(values.begin(), values.end(), values.begin(), 0.0));
}

/// Numbers far from 1 have squares that are 0 or infinite: such loads are solved in other units. \return the exponent
/// of these, of 2; 0 where the largest number is not far from 1
int far_from_one(const std::vector<double>& load) {
  double largest = 0;
  for (const double value : load) largest = std::max(largest, std::abs(value));
  return largest == 0 || (largest > 1e-100 && largest < 1e100) ? 0 : std::ilogb(largest);
}

void scale(std::vector<double>& values, int exponent) {
  for (double& value : values) value = std::ldexp(value, exponent);
}

}  // namespace

PolytopicSolver::PolytopicSolver(device::Device& device, const case_file::Settings& settings, const PolytopicMesh& mesh,
                                 const polytopic::Spec& spec, const std::vector<int>& degrees, Observer& observer)
    : observer_(observer),
      settings_(settings),
      polytopic_(*settings.polytopic),
      mesh_(mesh),
      spec_(spec),
      degrees_(degrees),
      constants_free_(polytopic::constants_are_free(spec)) {
  if (polytopic_.solver == "multigrid")
    multigrid_.emplace(device, mesh.mesh, mesh.agglomeration, mesh.polytopes, spec, degrees);
}

void PolytopicSolver::set_up(polytopic::Discretization& discretization, double begin, double end) {
  if (multigrid_) return multigrid_->set_up(discretization, begin, end);
  factors_.reset();
  algebra::BlockMatrix<double> matrix = discretization.matrix();
  if (constants_free_) polytopic::fix_constant(matrix);
  using Kind = algebra::DirectSolver::Kind;
  factors_.emplace(std::move(matrix), is_definite() ? Kind::symmetric : Kind::any);
  if (const algebra::Definiteness& found = factors_->definiteness(); !found.positive)
    throw_indefinite(
        fmt::format("pivot {:.3g} at polytope {} of {}", found.pivot, found.block_row, mesh_.polytopes.polytopes));
}

void PolytopicSolver::throw_indefinite(const std::string& why) const {
  const bool certified = spec_.penalty.name == "certified";
  throw Error(ExitCode::simulation_failed,
              fmt::format("the matrix is not positive definite ({}): {}", why,
                          certified ? "there is no diffusion or reaction in a part of the domain, c is negative, or "
                                      "coefficients differ by more than rounding errors bear (about 10 to the 12)"
                                    : fmt::format("the penalty \"{}\" with factor {:g} is too small for these shapes; "
                                                  "penalty = \"certified\" never is",
                                                  spec_.penalty.name, spec_.factor)));
}

/// Symmetric problems have positive definite matrices where the penalty is large enough.
bool PolytopicSolver::is_definite() const {
  return polytopic_.velocity.empty() && !polytopic_.slabs && !polytopic_.diffusion.empty();
}

bool PolytopicSolver::accept_rounding() const {
  const double residual = residuals_.back();
  if (!(residual <= rounding_share * polytopic_.tolerance)) return false;
  observer_.message(fmt::format("rounding leaves a residual of {:.2g}, above solver.tolerance = {:g}", residual,
                                polytopic_.tolerance));
  return true;
}

void PolytopicSolver::solve_directly(std::vector<double>& load, std::vector<double>& solution) {
  solution = factors_->solve(load);
  std::vector<double> residual(load.size());
  algebra::multiply<double>(factors_->matrix(), solution, residual);
  for (std::size_t k = 0; k < residual.size(); ++k) residual[k] -= load[k];
  const double size = norm(load);
  residuals_ = {size > 0 ? norm(residual) / size : norm(residual)};
  if (!(residuals_.back() <= polytopic_.tolerance) && !accept_rounding())
    throw Error(ExitCode::simulation_failed,
                fmt::format("the equations are not solved to {:g}: the direct solution, refined, leaves a residual of "
                            "{:.2g}; coefficients or penalties of too different sizes stand beside one another, or "
                            "solver.tolerance is too small",
                            polytopic_.tolerance, residuals_.back()));
}

void PolytopicSolver::throw_not_converged(const algebra::KrylovReport& report, double error) const {
  const std::string what =
      report.residuals.back() <= polytopic_.tolerance
          ? fmt::format(
                "the equations are not solved: the residual is {:.2g} after {} iterations, but an error of "
                "about {:.2g} of the solution is left, where solver.tolerance = {:g} asks for {:g}",
                report.residuals.back(), report.iterations(), report.error, polytopic_.tolerance, error)
          : fmt::format("the equations are not solved to {:g} after {}", polytopic_.tolerance, report.text());
  throw Error(ExitCode::simulation_failed,
              fmt::format("{}; take solver.type = \"direct\", for {:.0f} MB of memory, or allow more "
                          "solver.max_iterations or a larger solver.tolerance",
                          what, static_cast<double>(direct_bytes(mesh_, spec_.space, degrees_)) / 1e6));
}

void PolytopicSolver::iterate(const std::vector<double>& load, std::vector<double>& solution) {
  solution.resize(load.size(), 0);
  algebra::KrylovOptions options;
  options.tolerance = polytopic_.tolerance;
  options.error = error_share * polytopic_.tolerance;
  options.iterations = static_cast<int>(polytopic_.max_iterations);
  const algebra::KrylovReport report = multigrid_->solve(load, solution, options);
  residuals_ = report.residuals;
  if (report.indefinite) throw_indefinite("found by conjugate gradients");
  if (report.stagnated && accept_rounding()) return;
  if (report.stagnated)
    throw Error(ExitCode::simulation_failed,
                fmt::format("the equations are not solved to {:g}: rounding leaves a residual of {:.2g}; take a larger "
                            "solver.tolerance ({} iterations)",
                            polytopic_.tolerance, report.residuals.back(), report.iterations()));
  if (!report.converged) throw_not_converged(report, options.error);
  if (report.error > options.error)
    observer_.message(
        fmt::format("rounding leaves an error of about {:.2g} of the solution, where solver.tolerance = "
                    "{:g} asks for {:g}",
                    report.error, polytopic_.tolerance, options.error));
}

void PolytopicSolver::solve(polytopic::Discretization& discretization, std::vector<double>& load,
                            std::vector<double>& solution) {
  if (const int exponent = far_from_one(load)) {
    scale(load, -exponent), scale(solution, -exponent);
    solve(discretization, load, solution);
    scale(load, exponent), scale(solution, exponent);
    return;
  }
  if (constants_free_) {
    require_balance(settings_, polytopic::imbalance(discretization, load));
    polytopic::balance(discretization, load);
  }
  if (multigrid_)
    iterate(load, solution);
  else
    solve_directly(load, solution);
  if (constants_free_) polytopic::remove_mean(discretization, mesh_.polytopes, solution);
}

}  // namespace galerna::solver
