#include "solver/outputs/snapshot.hpp"

#include <fmt/format.h>

#include <limits>

#include "files/file_names.hpp"
#include "solver/outputs/walls.hpp"

namespace galerna::solver {

dg::BoundaryTotals Snapshot::boundary_totals() const {
  return kept() ? flow_.stepper().kept_boundary_totals() : flow_.discretization().boundary_totals();
}

std::function<analysis::Solution()> Snapshot::take() {
  time::Stepper& stepper = flow_.stepper();
  return flow_.capture(kept() ? stepper.kept_state() : stepper.state(), control(), stays_);
}

bool treats_shocks(const case_file::Settings& settings) {
  return settings.shock && settings.shock->method != "none";
}

// In the order of flow_columns().
std::vector<double> Snapshot::monitor_row() {
  dg::FlowOperator& discretization = flow_.discretization();
  const kernels::Control& now = control();
  // Change and residual are found on the way to a steady state only, and before the first step there is none.
  const bool known = flow_.settings().time.seeks_steady() && now.steps > 0;
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> row = {static_cast<double>(now.steps), now.time, now.dt, known ? now.change : unknown};
  const auto add = [&row](const auto& numbers) { row.insert(row.end(), std::begin(numbers), std::end(numbers)); };
  for (std::size_t v = 0; v < discretization.spec().variables.size(); ++v)
    row.push_back(known ? now.residual[v] : unknown);
  add(discretization.integrals(flow_.stepper().state()));
  add(boundary_totals().sum());
  for (const analysis::Wall& wall : walls()) {
    const std::array<double, 3> force = analysis::wall_force(wall).total();
    row.insert(row.end(), force.begin(), force.begin() + flow_.settings().equations.dimension);
  }
  add(wall_coefficients(flow_.settings(), walls()));
  add(flow_.formula_integrals());
  return row;
}

std::optional<Moment::Treated> Snapshot::treated() {
  if (!treats_shocks(flow_.settings())) return {};
  dg::FlowOperator& discretization = flow_.discretization();
  const auto elements = static_cast<double>(flow_.mesh().element_count());
  if (discretization.spec().has_shock_viscosity())
    return Treated{discretization.share_of_shock_viscosity() * elements, elements, false};
  return Treated{discretization.limiter_counts()[0], elements * static_cast<double>(control().rhs_evaluations), true};
}

std::vector<std::string> flow_columns(const case_file::Settings& settings) {
  std::vector<std::string> columns = {"step", "time", "dt", "change"};
  for (const char* what : {"residual", "integral", "boundary_flux"})
    for (const std::string& variable : settings.equations.variables)
      columns.push_back(fmt::format("{}_{}", what, variable));
  const std::string axes = settings.equations.dimension == 3 ? "xyz" : "xy";
  const std::vector<std::string> walls = wall_names(settings);
  const auto safe = files::file_names(walls);
  for (const std::string& wall : walls)
    for (const char axis : axes) columns.push_back(fmt::format("force_{}_{}", safe.at(wall), axis));
  for (const std::string& name : coefficient_names(settings)) columns.push_back(name);
  for (const case_file::OutputSettings::Integral& integral : settings.output.integrals)
    columns.push_back(integral.name);
  if (treats_shocks(settings)) columns.push_back("shock_elements");
  return columns;
}

const dg::BoundaryFlow& Snapshot::boundary_flow() {
  if (!boundary_flow_) boundary_flow_ = flow_.boundary_flow();
  return *boundary_flow_;
}

const std::vector<analysis::Wall>& Snapshot::walls() {
  const bool none = wall_names(flow_.settings()).empty();
  if (!walls_) walls_ = none ? std::vector<analysis::Wall>() : flow_.walls(boundary_flow());
  return *walls_;
}

}  // namespace galerna::solver
