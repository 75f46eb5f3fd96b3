#include "solver/run/run_history.hpp"

#include <fmt/format.h>

#include <limits>
#include <set>

#include "analysis/source_order.hpp"
#include "base/version.hpp"
#include "case/differences.hpp"
#include "solver/bench/structures.hpp"
#include "solver/outputs/output_times.hpp"
#include "solver/restart_warnings.hpp"
#include "solver/run/checkpoint_state.hpp"
#include "solver/run/run_report.hpp"

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

/// ": mesh.refine was 1, is 0"
std::string changes_of_mesh(const std::string& before, const std::string& now) {
  std::string text;
  for (const case_file::Difference& d : case_file::mesh_differences(before, now))
    text += fmt::format("{} {} was {}, is {}", text.empty() ? ":" : ",", d.key, d.before.empty() ? "none" : d.before,
                        d.now.empty() ? "none" : d.now);
  return text;
}

/// [block] a number for each element.
std::vector<int> ones_of(const mesh::Mesh& mesh) {
  return std::vector<int>(mesh.blocks.size(), 1);
}

using NewtonDegrees = std::vector<files::Report::Newton::Degree>;

std::vector<double> numbers_of(const NewtonDegrees& degrees) {
  std::vector<double> numbers;
  for (const auto& d : degrees)
    for (const std::int64_t count :
         {std::int64_t{d.order}, d.steps, d.rhs_evaluations, d.block_evaluations, d.gmres_iterations})
      numbers.push_back(static_cast<double>(count));
  return numbers;
}

NewtonDegrees newton_degrees_of(const std::vector<double>& numbers) {
  NewtonDegrees degrees;
  const auto count = [&](std::size_t k) { return static_cast<std::int64_t>(numbers[k]); };
  for (std::size_t k = 0; k + 4 < numbers.size(); k += 5)
    degrees.push_back({static_cast<int>(numbers[k]), count(k + 1), count(k + 2), count(k + 3), count(k + 4)});
  return degrees;
}

}  // namespace

void RunHistory::begin(FlowState& flow) {
  flow.stepper().start(0.0, 0);
  limiter_before_ = {0, 0, 1};  // the initial state
  start_integrals_ = flow.integrals();
  steady_.begin(start_integrals_);
}

void RunHistory::start_clock(FlowState& flow, double time, long step, const time::ControllerState& controller,
                             bool same_degree) {
  flow.stepper().start(time, step);
  flow.stepper().restore(same_degree ? controller : clock_of(controller));
  sequence_.count_from(flow.control().rhs_evaluations);
  limiter_before_ = {0, 0, same_degree ? 0.0 : 1.0};
}

void RunHistory::restart(const files::Checkpoint& checkpoint, FlowState& flow) {
  require_fitting(checkpoint, flow);
  flow.write(
      flow.stepper().state(),
      checkpoint.coefficient_pieces ? *checkpoint.coefficient_pieces : files::numbers_of(checkpoint.coefficients),
      checkpoint.degree);
  // Moments that a lower degree lacks may have kept the state physical at a jump.
  if (checkpoint.degree != flow.degree()) flow.stepper().limit_initial();
  // Viscosity stays frozen on the way to a steady state alone: in time it follows the flow.
  const bool may_be_frozen =
      flow.discretization().spec().has_shock_viscosity() && (settings_.time.local || settings_.time.newton);
  time::ControllerState controller;
  for (const auto& [name, values] : checkpoint.state)
    if (values.size() == 1 && (name != "frozen" || may_be_frozen)) controller.emplace_back(name, values[0]);
  const bool same_degree = checkpoint.degree == flow.degree();
  start_clock(flow, checkpoint.time, checkpoint.step, controller, same_degree);
  const auto level_step = checkpoint.state.find("level_step");
  sequence_.set_first_step(same_degree && level_step != checkpoint.state.end()
                               ? static_cast<long>(level_step->second.at(0))
                               : static_cast<long>(checkpoint.step));
  const auto evaluations = checkpoint.state.find("level_evaluations");
  sequence_.set_first_evaluation(same_degree && evaluations != checkpoint.state.end() && !evaluations->second.empty()
                                     ? static_cast<std::int64_t>(evaluations->second.front())
                                     : flow.control().rhs_evaluations);
  start_time_ = checkpoint.time;
  start_step_ = checkpoint.step;
  const auto newton_start = checkpoint.state.find("newton_start");
  newton_start_ = newton_start == checkpoint.state.end() ? start_step_ : static_cast<long>(newton_start->second.at(0));
  restart_balance(checkpoint, flow);
  restart_limiter(checkpoint, flow);
  if (const auto viscosity = checkpoint.state.find("shock_viscosity");
      same_degree && viscosity != checkpoint.state.end() && flow.discretization().spec().has_shock_viscosity()) {
    if (viscosity->second.size() != static_cast<std::size_t>(flow.mesh().element_count()))
      throw InputError({options_.restart->string()},
                       "is damaged: its artificial viscosity is that of another mesh; "
                       "take another checkpoint");
    flow.discretization().set_shock_viscosity(
        analysis::from_source_order(flow.mesh(), viscosity->second, ones_of(flow.mesh())));
  }
  sequence_.restore(checkpoint);
  if (const auto count = checkpoint.state.find("recoveries"); count != checkpoint.state.end())
    recoveries_ = static_cast<int>(count->second.at(0));
  restart_newton(checkpoint, flow);
  steady_.begin(start_integrals_);
  steady_.restore(checkpoint, same_degree);
  means_.restart(checkpoint, flow);
}

void RunHistory::require_fitting(const files::Checkpoint& checkpoint, const FlowState& flow) const {
  const SourcePlace file = {options_.restart->string()};
  if (checkpoint.mesh_hash != flow.mesh_hash())
    throw InputError(file, fmt::format("the checkpoint is of another mesh ({}) than the case's ({}){}; give the "
                                       "same mesh.file and mesh.refine",
                                       checkpoint.mesh_file, flow.mesh().file,
                                       changes_of_mesh(checkpoint.resolved_case, settings_.resolved)));
  const std::size_t variables = checkpoint.variables.size();
  const auto faces = checkpoint.state.find("boundary_flux_faces");
  const std::size_t sides = static_cast<std::size_t>(flow.mesh().boundary_faces);
  if (faces != checkpoint.state.end() && faces->second.size() != sides * variables)
    throw InputError(file,
                     fmt::format("the checkpoint is of a mesh with {} boundary sides, the case's has {}; give the "
                                 "same mesh.file and mesh.periodic",
                                 faces->second.size() / variables, sides));
  const std::optional<double>& end = settings_.time.end;
  if (end && (checkpoint.time >= *end || same_time(checkpoint.time, *end)))
    throw InputError(file, fmt::format("the checkpoint is at t = {:.10g}, where the run ends already; raise time.end = "
                                       "{:.10g}",
                                       checkpoint.time, *end));
  if (checkpoint.variables != flow.discretization().spec().variables)
    throw InputError(file, "the checkpoint holds other variables than the case's equations");
  require_whole_flow(checkpoint, flow.mesh(), *options_.restart);
}

/// Fluxes that were summed up over local steps say nothing: after these the balance begins here.
void RunHistory::restart_balance(const files::Checkpoint& checkpoint, FlowState& flow) {
  if (checkpoint.state.contains("local_steps") && !settings_.time.local) {
    start_integrals_ = flow.integrals();
    return;
  }
  for (const std::string& variable : checkpoint.variables)
    start_integrals_.push_back(checkpoint.conservation_start.at(variable));
  const auto flux = checkpoint.state.find("boundary_flux"), before = checkpoint.state.find("boundary_flux_before"),
             faces = checkpoint.state.find("boundary_flux_faces");
  const std::size_t variables = checkpoint.variables.size();
  if (before != checkpoint.state.end() && faces != checkpoint.state.end())
    flow.discretization().set_boundary_totals(
        {before->second, analysis::faces_from_source_order(flow.mesh(), faces->second, variables)});
  else if (flux != checkpoint.state.end())  // of older versions
    flow.discretization().set_boundary_totals({flux->second, {}});
}

void RunHistory::restart_limiter(const files::Checkpoint& checkpoint, const FlowState& flow) {
  const auto counts = checkpoint.state.find("limiter");
  if (counts == checkpoint.state.end() || checkpoint.degree != flow.degree()) return;
  limiter_before_ = {counts->second.at(0), counts->second.at(1), counts->second.at(2)};
}

LimiterCounts RunHistory::limiter(const FlowState& flow) const {
  const auto [slopes, positivity] = flow.discretization().limiter_counts();
  const auto calls = static_cast<double>(sequence_.evaluations(flow.control()));
  return {limiter_before_.slopes + slopes, limiter_before_.positivity + positivity, limiter_before_.calls + calls};
}

void RunHistory::restart_newton(const files::Checkpoint& checkpoint, const FlowState& flow) {
  const auto& state = checkpoint.state;
  if (const auto degrees = state.find("newton_degrees"); degrees != state.end())
    newton_degrees_ = newton_degrees_of(degrees->second);
  const auto newton = state.find("newton"), blocks = state.find("newton_blocks");
  if (checkpoint.degree != flow.degree() || newton == state.end()) return;
  newton_ = newton->second;
  if (blocks == state.end()) return;
  const mesh::Mesh& mesh = flow.mesh();
  const auto count = [&](const std::vector<int>& per_element) {
    std::size_t sum = 0;
    for (std::size_t b = 0; b < mesh.blocks.size(); ++b)
      sum += static_cast<std::size_t>(mesh.blocks[b].size()) * static_cast<std::size_t>(per_element[b]);
    return sum;
  };
  const auto numbers = [&](const char* name, const std::vector<int>& per_element) {
    const auto found = state.find(name);
    if (found == state.end()) return std::vector<double>();
    if (found->second.size() != count(per_element))
      throw InputError({options_.restart->string()},
                       fmt::format("is damaged: state/{} is that of another mesh; take another checkpoint", name));
    return analysis::from_source_order(mesh, found->second, per_element);
  };
  newton_blocks_ = NewtonBlocks{numbers("newton_blocks", analysis::coefficients_per_element(
                                                             mesh, checkpoint.degree, checkpoint.variables.size())),
                                {numbers("newton_blocks_viscosity", ones_of(mesh)), {}}};
  if (const auto force = state.find("newton_blocks_force"); force != state.end() && force->second.size() == 2)
    newton_blocks_->origin.force = {force->second[0], force->second[1]};
}

void RunHistory::write_newton(files::Checkpoint& c, const FlowState& flow) const {
  if (!newton_.empty()) c.state["newton"] = newton_;
  c.state["newton_degrees"] = numbers_of(newton_degrees_);
  c.state["newton_start"] = {static_cast<double>(newton_start_)};
  if (sequence_.is_over() || !present_blocks_) return;
  const std::optional<NewtonBlocks> blocks = present_blocks_();
  if (!blocks) return;
  const mesh::Mesh& mesh = flow.mesh();
  c.state["newton_blocks"] = analysis::to_source_order(
      mesh, blocks->coefficients, analysis::coefficients_per_element(mesh, c.degree, c.variables.size()));
  c.state["newton_blocks_force"] = {blocks->origin.force[0], blocks->origin.force[1]};
  if (!blocks->origin.viscosity.empty())
    c.state["newton_blocks_viscosity"] = analysis::to_source_order(mesh, blocks->origin.viscosity, ones_of(mesh));
}

std::function<files::Checkpoint()> RunHistory::checkpoint(Snapshot& flow) const {
  const mesh::Mesh& mesh = flow.flow().mesh();
  const std::vector<std::string>& variables = flow.flow().discretization().spec().variables;
  const kernels::Control& control = flow.control();
  files::Checkpoint c;
  c.galerna_version = version_commit();
  c.build = build();
  c.resolved_case = settings_.resolved;
  c.mesh_file = std::filesystem::absolute(mesh.file).string();
  c.degree = flow.flow().degree();
  c.variables = variables;
  c.precision = precision_name(options_.precision);
  c.time = flow.time();
  c.step = flow.step();
  c.rhs_evaluations = control.rhs_evaluations;
  c.dt = control.dt;
  c.elements = elements_by_shape(mesh);
  for (const auto& [name, value] : time::Stepper::controller_state(control)) c.state[name] = {value};
  for (std::size_t v = 0; v < variables.size(); ++v) c.conservation_start[variables[v]] = start_integrals_[v];
  const dg::BoundaryTotals flux = flow.boundary_totals();
  c.state["boundary_flux"] = flux.sum();
  c.state["boundary_flux_before"] = flux.before;
  c.state["boundary_flux_faces"] = analysis::faces_to_source_order(mesh, flux.faces, flux.before.size());
  if (flow.flow().discretization().spec().limiter) {
    const LimiterCounts counts = limiter(flow.flow());
    c.state["limiter"] = {counts.slopes, counts.positivity, counts.calls};
  }
  if (control.frozen != 0)  // else the state has it
    c.state["shock_viscosity"] =
        analysis::to_source_order(mesh, flow.flow().discretization().shock_viscosity(), ones_of(mesh));
  if (settings_.time.local) c.state["local_steps"] = {1};
  if (settings_.time.newton) write_newton(c, flow.flow());
  if (recoveries_ > 0) c.state["recoveries"] = {static_cast<double>(recoveries_)};
  means_.write(c, flow);
  sequence_.write(c);
  steady_.write(c);
  remember_structures(c, flow.flow().discretization().plans(), options_.structure);
  return [c = std::move(c), captured = flow.capture(), &state = flow.flow()]() mutable {
    c.mesh_hash = state.mesh_hash();
    c.coefficient_pieces = in_source_order({captured, &captured->solution()});
    return std::move(c);
  };
}

long RunHistory::step_limit() const {
  const std::optional<long>& most = settings_.time.max_steps;
  if (!most) return std::numeric_limits<long>::max();
  return *most + (settings_.time.newton ? newton_start_ : 0);
}

double RunHistory::work(const FlowState& flow) const {
  return sequence_.work(flow.discretization().degrees_of_freedom(), flow.control());
}

}  // namespace galerna::solver
