#include "solver/run_history.hpp"

#include <fmt/format.h>

#include <set>

#include "analysis/source_order.hpp"
#include "base/version.hpp"
#include "mesh/hash.hpp"
#include "solver/run_report.hpp"
#include "solver/structures.hpp"

namespace galerna::solver {
namespace {

/// What goes on when the degree changes: the clock, the counts of work and the force that far fields know, but not what
/// is known of the change of a step.
time::ControllerState clock_of(const time::ControllerState& state) {
  time::ControllerState clock;
  const std::set<std::string> goes_on = {"time_low", "rejected", "rhs_evaluations", "wall_force_x", "wall_force_y"};
  for (const auto& [name, value] : state)
    if (goes_on.contains(name)) clock.emplace_back(name, value);
  return clock;
}

}  // namespace

void RunHistory::begin(FlowState& flow) {
  flow.stepper().start(0.0, 0);
  start_integrals_ = flow.integrals();
}

void RunHistory::start_clock(FlowState& flow, double time, long step, const time::ControllerState& controller,
                             bool same_degree) {
  flow.stepper().start(time, step);
  flow.stepper().restore(same_degree ? controller : clock_of(controller));
  sequence_.count_from(flow.control().rhs_evaluations);
}

void RunHistory::restart(const files::Checkpoint& checkpoint, FlowState& flow) {
  require_fitting(checkpoint, flow);
  flow.write(flow.stepper().state(),
             analysis::from_source_order(
                 flow.mesh(), checkpoint.coefficients,
                 analysis::coefficients_per_element(flow.mesh(), checkpoint.degree, checkpoint.variables.size())),
             checkpoint.degree);
  time::ControllerState controller;
  for (const auto& [name, values] : checkpoint.state)
    if (values.size() == 1) controller.emplace_back(name, values[0]);
  const bool same_degree = checkpoint.degree == flow.degree();
  start_clock(flow, checkpoint.time, checkpoint.step, controller, same_degree);
  const auto level_step = checkpoint.state.find("level_step");
  sequence_.set_first_step(same_degree && level_step != checkpoint.state.end()
                               ? static_cast<long>(level_step->second.at(0))
                               : static_cast<long>(checkpoint.step));
  start_time_ = checkpoint.time;
  start_step_ = checkpoint.step;
  restart_balance(checkpoint, flow);
  means_.restart(checkpoint, flow);
}

void RunHistory::require_fitting(const files::Checkpoint& checkpoint, const FlowState& flow) const {
  const SourcePlace file = {options_.restart->string()};
  if (checkpoint.mesh_hash != mesh::hash(flow.mesh()))
    throw InputError(file, fmt::format("the checkpoint is of another mesh ({}) than the case's ({}); give the "
                                       "same mesh.file and mesh.refine",
                                       checkpoint.mesh_file, flow.mesh().file));
  if (settings_.time.end && checkpoint.time >= *settings_.time.end)
    throw InputError(file, fmt::format("the checkpoint is at t = {:.10g}, where the run ends already; raise time.end = "
                                       "{:.10g}",
                                       checkpoint.time, *settings_.time.end));
  if (checkpoint.variables != flow.discretization().spec().variables)
    throw InputError(file, "the checkpoint holds other variables than the case's equations");
}

/// Fluxes that were summed up over local steps say nothing: after these the balance begins here.
void RunHistory::restart_balance(const files::Checkpoint& checkpoint, FlowState& flow) {
  if (checkpoint.state.contains("local_steps")) {
    start_integrals_ = flow.integrals();
    return;
  }
  for (const std::string& variable : checkpoint.variables)
    start_integrals_.push_back(checkpoint.conservation_start.at(variable));
  const auto flux = checkpoint.state.find("boundary_flux");
  if (flux != checkpoint.state.end()) flow.discretization().reset_boundary_flux(flux->second);
}

files::Checkpoint RunHistory::checkpoint(Snapshot& flow) const {
  const mesh::Mesh& mesh = flow.flow().mesh();
  const analysis::Solution& solution = flow.solution();
  const kernels::Control& control = flow.control();
  files::Checkpoint c;
  c.galerna_version = version_commit();
  c.build = build();
  c.resolved_case = settings_.resolved;
  c.mesh_hash = mesh::hash(mesh);
  c.mesh_file = std::filesystem::absolute(mesh.file).string();
  c.degree = solution.degree;
  c.variables = solution.variables;
  c.precision = options_.precision == device::Precision::double_precision ? "double" : "single";
  c.time = solution.time;
  c.step = solution.step;
  c.rhs_evaluations = control.rhs_evaluations;
  c.dt = control.dt;
  c.elements = elements_by_shape(mesh);
  for (const auto& [name, value] : time::Stepper::controller_state(control)) c.state[name] = {value};
  for (std::size_t v = 0; v < solution.variables.size(); ++v)
    c.conservation_start[solution.variables[v]] = start_integrals_[v];
  c.state["boundary_flux"] = flow.boundary_flux();
  if (settings_.time.local) c.state["local_steps"] = {1};
  means_.write(c, flow);
  if (sequence_.has_levels()) c.state["level_step"] = {static_cast<double>(sequence_.first_step())};
  remember_structures(c, flow.flow().discretization().sets(), options_.structure);
  c.coefficients =
      analysis::to_source_order(mesh, solution.coefficients(),
                                analysis::coefficients_per_element(mesh, solution.degree, solution.variables.size()));
  return c;
}

double RunHistory::work(const FlowState& flow) const {
  return sequence_.work(flow.discretization().degrees_of_freedom(), flow.control());
}

}  // namespace galerna::solver
