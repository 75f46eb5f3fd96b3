#include "solver/run/newton_log.hpp"

#include "solver/outputs/walls.hpp"

namespace galerna::solver {
namespace {

std::vector<std::string> columns_of(const case_file::Settings& settings) {
  std::vector<std::string> columns = {"degree", "step", "cfl", "relative_residual"};
  for (const std::string& variable : settings.equations.variables) columns.push_back("residual_" + variable);
  columns.insert(columns.end(), {"g", "gmres_iterations", "gmres_residual", "rhs_evaluations", "share"});
  for (const std::string& name : coefficient_names(settings)) columns.push_back(name);
  columns.emplace_back("seconds");
  return columns;
}

}  // namespace

NewtonLog::NewtonLog(const case_file::Settings& settings, long restart)
    : file_(settings.output.directory / "newton.csv", columns_of(settings),
            restart > 0 ? std::optional(static_cast<double>(restart)) : std::nullopt, "step") {}

void NewtonLog::add(Snapshot& now, const steady::NewtonStep& step, double relative, double norm, double seconds) {
  const FlowState& flow = now.flow();
  const kernels::Control& control = now.control();
  std::vector<double> row = {static_cast<double>(flow.degree()), static_cast<double>(control.steps), step.cfl,
                             relative};
  for (std::size_t v = 0; v < flow.discretization().spec().variables.size(); ++v) row.push_back(control.residual[v]);
  row.insert(row.end(), {norm, static_cast<double>(step.iterations), step.reduction,
                         static_cast<double>(control.rhs_evaluations), step.share});
  if (!coefficient_names(flow.settings()).empty())
    for (const double number : wall_coefficients(flow.settings(), now.walls())) row.push_back(number);
  row.push_back(seconds);
  file_.append(row);
}

}  // namespace galerna::solver
