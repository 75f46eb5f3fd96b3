#include "solver/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "analysis/integrals.hpp"
#include "analysis/source_order.hpp"
#include "base/interruption.hpp"
#include "base/version.hpp"
#include "mesh/hash.hpp"
#include "mesh/quality.hpp"
#include "solver/degree_sequence.hpp"
#include "solver/failure.hpp"
#include "solver/fields.hpp"
#include "solver/integrals.hpp"
#include "solver/outputs.hpp"
#include "solver/run_report.hpp"
#include "solver/sections.hpp"
#include "solver/structures.hpp"
#include "solver/user_errors.hpp"
#include "solver/walls.hpp"

namespace galerna::solver {

using kernels::Control;
using kernels::RunStatus;

Simulation::Simulation(case_file::Settings settings, RunOptions options, Observer& observer)
    : settings_(std::move(settings)),
      options_(std::move(options)),
      observer_(observer),
      clock_(options_.began),
      sequence_(settings_),
      means_(settings_, mesh_),
      recovery_(settings_.time.recover) {
  clock_.enter(WallClock::Part::setup);
  require_header(settings_);
  mesh_ = make_mesh(settings_);
  require_no_interruption();
  check_problem(settings_, mesh_);
  lift_ = LiftFeedback(settings_, mesh_);
  device_ = device::open_device(options_.device);
  std::optional<files::Checkpoint> checkpoint;
  if (options_.restart) checkpoint = files::read_checkpoint(*options_.restart);
  if (!options_.structure.empty())
    require_structure(settings_, options_.structure, make_spec(settings_, mesh_, options_.precision), mesh_,
                      dg::target_of(*device_, options_.precision));
  else if (checkpoint)
    options_.structure = asked_structure(*checkpoint);
  sequence_.go_to(sequence_.first_level(checkpoint));
  // Not at the end of a long way: does the last degree fit?
  if (!sequence_.is_last())
    plan_and_require_memory(make_spec(settings_, mesh_, options_.precision), time::find_scheme(settings_.time.scheme),
                            make_step_settings(settings_, mesh_));
  set_up(checkpoint);
  fields_ = case_fields(settings_);
  diagnostics_ = diagnostics(settings_.equations);
  observer_.message(fmt::format("{}: {} elements, p = {}, {} degrees of freedom, on {}",
                                settings_.title.empty() ? settings_.file.string() : settings_.title,
                                mesh_.element_count(), discretization_->spec().degree,
                                discretization_->degrees_of_freedom(), device_->name()));
  tell_structures();
  if (const std::string turned = mesh::describe_turned(mesh_); !turned.empty()) observer_.message("mesh: " + turned);
  if (settings_.time.local)
    observer_.message("local time steps: on the way to the steady state nothing is accurate in time");
  if (const std::string left_out = terms_outside_of_bound(settings_); !left_out.empty())
    observer_.message(fmt::format("the step is that of the positivity bound, which leaves out {}", left_out));
  observer_.message("device memory: " + memory_summary(memory_, mesh_.element_count()));
  if (checkpoint)
    restart(*checkpoint);
  else
    initialize();
  const std::int64_t bad = discretization_->first_inadmissible(stepper_->state());
  if (bad >= 0)
    throw InputError(settings_.initial.place,
                     fmt::format("the initial state is not physical: {}",
                                 describe(inspect(solution(), *discretization_, diagnostics_, bad))));
  require_no_interruption();
}

Simulation::~Simulation() = default;

void Simulation::tell_structures() {
  for (const files::Report::Structure& set : structures_of(discretization_->sets()))
    observer_.message("kernels of " + describe(set));
}

/// While there is nothing yet to continue from.
void Simulation::require_no_interruption() const {
  if (observer_.interrupted()) throw Interruption("interrupted before the first step; nothing was computed");
}

void Simulation::initialize() {
  discretization_->project_initial(stepper_->state(), 0.0);
  stepper_->limit_initial();
  stepper_->start(0.0, 0);
  start_integrals_ = analysis::integrals(solution());
  open_outputs(std::nullopt);
}

void Simulation::open_outputs(std::optional<double> restart_time) {
  outputs_ = std::make_unique<Outputs>(settings_, mesh_, discretization_->spec().variables, wall_names(settings_),
                                       restart_time, [this](const std::string& what) { observer_.working(what); });
}

void Simulation::restart(const files::Checkpoint& checkpoint) {
  const std::filesystem::path& file = *options_.restart;
  if (checkpoint.mesh_hash != mesh::hash(mesh_))
    throw InputError({file.string()},
                     fmt::format("the checkpoint is of another mesh ({}) than the case's ({}); give the "
                                 "same mesh.file and mesh.refine",
                                 checkpoint.mesh_file, mesh_.file));
  if (settings_.time.end && checkpoint.time >= *settings_.time.end)
    throw InputError({file.string()},
                     fmt::format("the checkpoint is at t = {:.10g}, where the run ends already; raise time.end = "
                                 "{:.10g}",
                                 checkpoint.time, *settings_.time.end));
  if (checkpoint.variables != discretization_->spec().variables)
    throw InputError({file.string()}, "the checkpoint holds other variables than the case's equations");
  const std::size_t variables = checkpoint.variables.size();
  write_as_present_degree(
      *discretization_, mesh_, stepper_->state(),
      analysis::from_source_order(mesh_, checkpoint.coefficients,
                                  analysis::coefficients_per_element(mesh_, checkpoint.degree, variables)),
      checkpoint.degree);
  time::ControllerState controller;
  for (const auto& [name, values] : checkpoint.state)
    if (values.size() == 1) controller.emplace_back(name, values[0]);
  const bool same_degree = checkpoint.degree == discretization_->spec().degree;
  start_clock(checkpoint.time, checkpoint.step, controller, same_degree);
  const auto level_step = checkpoint.state.find("level_step");
  sequence_.set_first_step(same_degree && level_step != checkpoint.state.end()
                               ? static_cast<long>(level_step->second.at(0))
                               : static_cast<long>(checkpoint.step));
  start_time_ = checkpoint.time;
  start_step_ = checkpoint.step;
  // Fluxes that were summed up over local steps say nothing: the balance begins here.
  if (checkpoint.state.contains("local_steps")) {
    start_integrals_ = analysis::integrals(solution());
  } else {
    for (const std::string& variable : checkpoint.variables)
      start_integrals_.push_back(checkpoint.conservation_start.at(variable));
    const auto flux = checkpoint.state.find("boundary_flux");
    if (flux != checkpoint.state.end()) discretization_->reset_boundary_flux(flux->second);
  }
  means_.restart(checkpoint, *stepper_, *discretization_);
  open_outputs(checkpoint.time);
  observer_.message(
      fmt::format("continuing from {} at t = {:.10g}, step {}", file.string(), checkpoint.time, checkpoint.step));
}

std::optional<analysis::Solution> Simulation::mean() {
  const std::optional<double> since = stepper_->averages_since();
  if (!since) return {};
  const Control& control = stepper_->control();
  analysis::Solution result = solution_of(*stepper_->integral(), control);
  TimeMeans::finish(result, solution(), control, *since);
  return result;
}

analysis::Solution Simulation::solution() {
  return solution_of(stepper_->state(), stepper_->control());
}

analysis::Solution Simulation::solution_of(device::Memory& state, const Control& control) {
  analysis::Solution s = solution_frame(control);
  for (const dg::ElementSet& set : discretization_->sets())
    s.pieces.push_back({discretization_->states().read(state, set)});
  return s;
}

analysis::Solution Simulation::part_of_solution(const std::vector<std::vector<mesh::Index>>& positions) {
  analysis::Solution s = solution_frame(stepper_->control());
  const auto& sets = discretization_->sets();
  for (std::size_t b = 0; b < sets.size(); ++b)
    s.pieces.push_back({discretization_->states().read(stepper_->state(), sets[b], positions[b]), positions[b]});
  return s;
}

/// All but the coefficients.
analysis::Solution Simulation::solution_frame(const Control& control) const {
  analysis::Solution s;
  s.mesh = &mesh_;
  s.degree = discretization_->spec().degree;
  s.variables = discretization_->spec().variables;
  s.fields = fields_;
  s.time = control.time;
  s.accurate = !settings_.time.local;
  s.step = static_cast<long>(control.steps);
  return s;
}

files::Checkpoint Simulation::checkpoint_now() {
  return checkpoint_of(solution(), stepper_->control(), discretization_->boundary_flux(), stepper_->integral());
}

files::Checkpoint Simulation::checkpoint_of(const analysis::Solution& solution, const Control& control,
                                            const std::vector<double>& boundary_flux, device::Memory* integral) {
  files::Checkpoint c;
  c.galerna_version = version();
  c.build = build();
  c.resolved_case = settings_.resolved;
  c.mesh_hash = mesh::hash(mesh_);
  c.mesh_file = std::filesystem::absolute(mesh_.file).string();
  c.degree = solution.degree;
  c.variables = solution.variables;
  c.precision = options_.precision == device::Precision::double_precision ? "double" : "single";
  c.time = solution.time;
  c.step = solution.step;
  c.rhs_evaluations = control.rhs_evaluations;
  c.dt = control.dt;
  c.elements = elements_by_shape(mesh_);
  for (const auto& [name, value] : time::Stepper::controller_state(control)) c.state[name] = {value};
  for (std::size_t v = 0; v < solution.variables.size(); ++v)
    c.conservation_start[solution.variables[v]] = start_integrals_[v];
  c.state["boundary_flux"] = boundary_flux;
  if (settings_.time.local) c.state["local_steps"] = {1};
  means_.write(c, control, integral, *discretization_);
  if (sequence_.has_levels()) c.state["level_step"] = {static_cast<double>(sequence_.first_step())};
  remember_structures(c, discretization_->sets(), options_.structure);
  c.coefficients =
      analysis::to_source_order(mesh_, solution.coefficients(),
                                analysis::coefficients_per_element(mesh_, solution.degree, solution.variables.size()));
  return c;
}

Simulation::Ending Simulation::judge(const Control& control) const {
  const bool at_end = settings_.time.end && control.time >= *settings_.time.end;
  switch (static_cast<RunStatus>(control.status)) {
    case RunStatus::running:
      return Ending::none;
    case RunStatus::reached_stop:
      return at_end ? Ending::done : Ending::none;
    case RunStatus::steady:
    case RunStatus::steady_floor:
      return Ending::steady;
    case RunStatus::step_limit:
      return settings_.time.max_steps && control.steps >= *settings_.time.max_steps ? Ending::step_limit : Ending::none;
    case RunStatus::inadmissible:
    case RunStatus::step_underflow:
      return Ending::failed;
  }
  return Ending::failed;
}

void Simulation::tell(const Control& control) {
  Progress p;
  p.time = control.time;
  p.start_time = start_time_;
  p.end = settings_.time.end;
  p.steady = sequence_.settings().time.steady;
  p.change = control.change;
  p.dt = control.dt;
  p.step = static_cast<long>(control.steps);
  p.seconds = clock_.seconds(WallClock::Part::loop);
  p.steps_per_second = static_cast<double>(control.steps - start_step_) / std::max(p.seconds, 1e-9);
  p.dof_per_second = work() / std::max(p.seconds, 1e-9);
  observer_.progress(p);
}

/// Launches `steps` steps and adapts how many the next launch has: it is to take 0.1 to 0.4 s, but to consist of steps
/// that do nothing, since the run has stopped before them, by half at most.
Control Simulation::launch(long steps) {
  constexpr long fewest = time::Stepper::steps_per_launch(), most = 100'000;
  const double loop = clock_.seconds(WallClock::Part::loop);
  const std::int64_t before = stepper_->control().steps;
  clock_.enter(WallClock::Part::loop);
  const Control control = stepper_->advance(steps);
  clock_.enter(WallClock::Part::watch);
  recovery_.launched(steps);
  const double seconds = clock_.seconds(WallClock::Part::loop) - loop;
  const bool stopped = control.status != static_cast<int>(RunStatus::running);
  if (seconds > 0.4 || (stopped && 2 * (control.steps - before) < steps))
    launch_steps_ = std::max(launch_steps_ / 2, fewest);
  else if (seconds < 0.1)
    launch_steps_ = std::min(2 * launch_steps_, most);
  return control;
}

/// Advances until the run stops at `stop` or `step_limit`, is steady, fails or is interrupted. The state is kept now
/// and then, once it has proved to be good, as the place to return to.
Simulation::Ending Simulation::advance_to_next_stop(double stop, long step_limit) {
  const auto steps_done = [this] { return static_cast<long>(stepper_->control().steps); };
  long refresh = lift_.next(steps_done());
  const auto set_stop = [&] { stepper_->set_stop(stop, std::min(step_limit, refresh)); };
  set_stop();
  while (true) {
    const Control control = launch(std::min(recovery_.launch(launch_steps_), refresh - steps_done()));
    tell(control);
    if (judge(control) == Ending::failed || !stepper_->admissible()) {
      if (!recovery_.possible()) return Ending::failed;
      go_back(stepper_->control());
      refresh = lift_.next(steps_done());
      set_stop();
    } else {
      if (recovery_.over(control)) {
        stepper_->resume_full_step();
        observer_.message(fmt::format("t = {:.6g}, step {}: back to the full step", control.time, control.steps));
      }
      // Steps are repeated from the kept state with the force that was kept: each force gets a state of its own, and
      // while steps are reduced, and no state is kept, the force stays what it is.
      const bool due = control.steps == refresh, refreshed = due && recovery_.factor() == 1;
      if (refreshed) lift_.refresh(*discretization_, *stepper_);
      const bool only_to_refresh =
          control.status == static_cast<int>(RunStatus::step_limit) && control.steps < step_limit;
      const bool stopped = control.status != static_cast<int>(RunStatus::running) && !only_to_refresh;
      if (recovery_.keeps(stopped || refreshed)) stepper_->keep();
      if (stopped) return judge(control);
      if (due) {
        refresh = lift_.next(refresh);
        set_stop();
      }
    }
    if (observer_.interrupted()) return Ending::interrupted;
  }
}

files::Report Simulation::run() {
  clock_.enter(WallClock::Part::watch);
  stepper_->keep();
  launch_steps_ = time::Stepper::steps_per_launch();
  Ending ending = Ending::none;
  if (settings_.time.end && stepper_->control().time >= *settings_.time.end) ending = Ending::done;
  write_outputs(ending != Ending::none);
  while (ending == Ending::none) {
    if (observer_.interrupted()) {
      ending = Ending::interrupted;
      break;
    }
    const Control& control = stepper_->control();
    const double infinity = std::numeric_limits<double>::infinity();
    const double stop = std::min(
        {settings_.time.end.value_or(infinity), outputs_->next_time(control.time), TimeMeans::next_start(*stepper_)});
    const long limit = std::min({settings_.time.max_steps.value_or(std::numeric_limits<long>::max()),
                                 outputs_->next_step(static_cast<long>(control.steps)), sequence_.last_step()});
    ending = advance_to_next_stop(std::min(stop, std::numeric_limits<double>::max()), limit);
    const bool on = climbs(ending);
    if (on) ending = Ending::none;
    if (ending != Ending::failed && ending != Ending::interrupted) write_outputs(ending != Ending::none);
    if (on && (observer_.interrupted() || !climb())) ending = Ending::interrupted;
  }
  return finish(ending);
}

void Simulation::write_outputs(bool last) {
  const WallClock::Scope timing(clock_, WallClock::Part::output);
  const Control& control = stepper_->control();
  std::optional<analysis::Solution> cached;
  const auto get = [&]() -> const analysis::Solution& {
    if (!cached) cached = solution();
    return *cached;
  };
  std::optional<std::vector<analysis::Wall>> cached_walls;
  const TimeMeans::GetWalls get_walls = [&]() -> const std::vector<analysis::Wall>& {
    if (!cached_walls) cached_walls = walls();
    return *cached_walls;
  };
  if (control.time == control.average_start) means_.sample_forces(*stepper_, get_walls);
  outputs_->write_due(
      control.time, static_cast<long>(control.steps), last, get,
      [&](const std::vector<std::vector<mesh::Index>>& positions) { return part_of_solution(positions); },
      [&] { return checkpoint_of(get(), control, discretization_->boundary_flux(), stepper_->integral()); },
      [&] {
        means_.sample_forces(*stepper_, get_walls);
        return monitor_values(get, get_walls());
      });
  if (last) write_walls(settings_, get(), get_walls());
  if (last) write_sections(settings_, get(), get_walls());
  if (const auto average = last && settings_.output.solution ? mean() : std::nullopt)
    outputs_->write_state(*average, "average");
}

std::vector<analysis::Wall> Simulation::walls() {
  return walls_of(settings_, mesh_, *discretization_, stepper_->state(), stepper_->control().time);
}

MonitorValues Simulation::monitor_values(const Outputs::GetSolution& solution,
                                         const std::vector<analysis::Wall>& walls) {
  const Control& control = stepper_->control();
  MonitorValues values;
  values.dt = control.dt;
  values.change = control.change;
  values.residual.assign(control.residual, control.residual + discretization_->spec().variables.size());
  values.integrals = discretization_->integrals(stepper_->state());
  values.boundary_flux = discretization_->boundary_flux();
  for (const analysis::Wall& wall : walls) values.forces[wall.name] = analysis::wall_force(wall).total();
  if (!settings_.output.integrals.empty()) values.of_formulas = formula_integrals(settings_, solution());
  return values;
}

/// Back to the kept state and on with smaller steps (solver/recovery.hpp).
void Simulation::go_back(Control failed) {
  const std::string what = trouble(failed);
  const Control kept = stepper_->kept_control();
  recovery_.begin(failed, kept);
  stepper_->go_back(recovery_.factor());
  const Control& control = stepper_->control();
  const std::string step = control.cfl > 0          ? fmt::format("cfl = {:.4g}", control.cfl)
                           : control.fixed_step > 0 ? fmt::format("steps of {:.4g}", control.fixed_step)
                                                    : fmt::format("tolerance = {:.4g}", control.tolerance);
  observer_.message(fmt::format(
      "t = {:.6g}, step {}: {}\n  recovery {} of {}: back to t = {:.6g}, step {}; on with {} until t = {:.6g}",
      failed.time, failed.steps, what, recovery_.count(), recovery_.attempts(), kept.time, kept.steps, step,
      recovery_.until()));
}

std::string Simulation::trouble(const Control& failed) {
  if (failed.status == static_cast<int>(RunStatus::step_underflow))
    return fmt::format("the time step fell to {:.3g}", failed.dt);
  return describe(inspect(solution(), *discretization_, diagnostics_, failed.bad_element));
}

/// Whether the failure can be repeated stage by stage or not, what is known of it is written.
void Simulation::write_failure(files::Report& report) {
  const Control control = stepper_->control();
  analysis::Solution failed = solution();
  files::Failure failure;
  failure.what = trouble(control);
  failure.time = control.time;
  failure.step = static_cast<long>(control.steps);
  failure.dt = control.dt;

  // The checkpoint first: repeating the failure keeps a later state, in which the trouble may have begun.
  const analysis::Solution good = solution_of(stepper_->kept_state(), stepper_->kept_control());
  outputs_->write_checkpoint(
      checkpoint_of(good, stepper_->kept_control(), stepper_->kept_boundary_flux(), stepper_->kept_integral()),
      "last_good");
  mesh::Index element = control.bad_element;
  if (const std::optional<time::FailingStage> stage = stepper_->find_failing_stage()) {
    failed = solution_of(*stage->result, stage->control);
    explain(failure, *stage, solution_of(stepper_->kept_state(), stepper_->kept_control()), *discretization_, settings_,
            diagnostics_);
    failed.time = failure.time;
    failed.step = static_cast<long>(failure.step);
    element = stage->element;
  }
  if (element >= 0) {
    const BadElement bad = inspect(failed, *discretization_, diagnostics_, element);
    if (control.status == static_cast<int>(RunStatus::inadmissible)) {
      failure.what = describe(bad);
    } else {
      failure.what += "; a longer step gives " + describe(bad);
      failure.time = control.time;
      failure.step_set_by = "this trial, a tenth of the largest stable step, after all shorter ones were rejected";
    }
    failure.variable = bad.variable;
    failure.element = bad.source;
    failure.where = bad.centroid;
    failure.advice = advice(sequence_.settings(), bad);
    outputs_->write_state(failed, "failed_neighbourhood", neighbourhood(mesh_, element));
  } else {
    failure.advice = {"look at the last solution for the place of the largest wave speed"};
  }
  outputs_->write_state(failed, "failed");
  observer_.error(fmt::format("{}\nlast good state: {} at t = {:.10g}", describe(failure),
                              (outputs_->directory() / "checkpoint_last_good.h5").string(), good.time));
  for (const std::string& line : failure.advice) observer_.error("  try: " + line);
  report.failure = failure;
}

}  // namespace galerna::solver
