#include "solver/run/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>

#include "base/interruption.hpp"
#include "base/phases.hpp"
#include "base/process_memory.hpp"
#include "case/read_shock.hpp"
#include "mesh/quality.hpp"
#include "solver/bench/structures.hpp"
#include "solver/case_warnings.hpp"
#include "solver/check_formulas.hpp"
#include "solver/check_indices.hpp"
#include "solver/forecast_memory.hpp"
#include "solver/memory.hpp"
#include "solver/mesh_warnings.hpp"
#include "solver/newton_settings.hpp"
#include "solver/outputs/check_outputs.hpp"
#include "solver/outputs/output_times.hpp"
#include "solver/problem.hpp"
#include "solver/ranks.hpp"
#include "solver/reference_values.hpp"
#include "solver/restart_warnings.hpp"
#include "solver/run/checkpoint_state.hpp"
#include "solver/run/flow_report.hpp"
#include "solver/run/newton_loop.hpp"
#include "solver/run/run_report.hpp"
#include "solver/run/time_loop.hpp"

namespace galerna::solver {

using kernels::Control;

namespace {

/// While there is nothing yet to continue from.
void require_no_interruption(Observer& observer) {
  if (observer.interrupted()) throw Interruption("interrupted before the first step; nothing was computed");
}

const char* status_of(Ending ending) {
  switch (ending) {
    case Ending::done:
      return "done";
    case Ending::steady:
      return "steady";
    case Ending::interrupted:
      return "interrupted";
    case Ending::failed:
      return "failed";
    default:
      return "step limit";
  }
}

WallClock::Part part_of(MeshStage stage) {
  return stage == MeshStage::read     ? WallClock::Part::read
         : stage == MeshStage::refine ? WallClock::Part::refine
                                      : WallClock::Part::prepare;
}

/// Before the mesh is refined.
void require_forecast(const case_file::Settings& settings, const RunOptions& options) {
  const auto coarse = options.team ? std::nullopt : counts_to_forecast(settings);
  if (!coarse) return;
  const auto device = device::open_device(options.device);
  if (const auto forecast = forecast_memory(settings, *coarse, options.precision, device::traits_of(*device)))
    require_forecast(*forecast, settings, options.precision, device->kind(),
                     {device->memory_free(), available_memory()});
}

/// Completes the settings' reference values, and says so in `reference`.
mesh::Mesh checked_mesh(case_file::Settings& settings, const RunOptions& options, Observer& observer, WallClock& clock,
                        CurvingText& curving, std::string& reference) {
  require_header(settings);
  const Interruptible making("making the mesh");
  clock.enter(WallClock::Part::read);
  require_forecast(settings, options);
  mesh::Mesh mesh = make_mesh(
      settings, [&](MeshStage stage) { clock.enter(part_of(stage)); }, &curving);
  require_no_interruption(observer);
  const Phase checking("checking the case");
  check_problem(settings, mesh);
  reference = complete_reference(settings, mesh);
  if (options.writes) require_output_directory(settings, mesh);
  return mesh;
}

}  // namespace

Simulation::Simulation(case_file::Settings settings, RunOptions options, Observer& observer)
    : settings_(std::move(settings)),
      options_(std::move(options)),
      observer_(observer),
      clock_(options_.began),
      // A user's functions are called in a process of their own first, which should not be forked meanwhile.
      early_(settings_.equations.user ? "cpu" : options_.device),
      mesh_(checked_mesh(settings_, options_, observer, clock_, curving_, reference_)),
      setup_(settings_, mesh_, options_, clock_),
      flow_(settings_, mesh_),
      history_(settings_, options_),
      failures_(flow_, observer),
      marcher_(make_marcher()),
      next_(setup_, flow_, history_.steady()),
      warnings_(warnings_of_start()),
      boundaries_(flow_, observer, warnings_) {
  const Interruptible setting_up("setting up");
  if (settings_.time.newton) require_precision(settings_, options_.precision);
  if (options_.team) require_ranks_possible(settings_);
  std::optional<files::Checkpoint> checkpoint;
  if (options_.restart) {
    const Phase phase("reading the checkpoint");
    checkpoint = files::open_checkpoint(*options_.restart);
    require_whole_state(*checkpoint, *options_.restart);
  }
  {
    const Phase phase("checking formulas");
    require_usable_formulas(settings_, mesh_, checkpoint ? checkpoint->time : 0,
                            checkpoint ? FormulaUse::restart : FormulaUse::start, sampled_elements);
  }
  if (!checkpoint) require_indices_in_range(settings_, mesh_);
  clock_.enter(WallClock::Part::upload);
  setup_.require_structure(checkpoint ? &*checkpoint : nullptr);
  if (options_.writes) take_folder();
  Sequence& sequence = history_.sequence();
  sequence.go_to(sequence.first_level(checkpoint));
  // Not at the end of a long way: does the last degree fit?
  if (!sequence.is_last()) setup_.require_memory(settings_);
  const int asked_pending = options_.pending;
  setup_.set_up(flow_, sequence.settings(), checkpoint ? &*checkpoint : nullptr);
  introduce();
  if (options_.pending < asked_pending)
    observer_.message(fmt::format("--pending {}: the host has no room for {} copies of the state that wait for files",
                                  options_.pending, asked_pending));
  if (checkpoint) {
    const Phase phase("state of the checkpoint");
    history_.restart(*checkpoint, flow_);
  } else {
    flow_.discretization().project_initial(flow_.stepper().state(), 0.0);
    flow_.stepper().limit_initial();
    history_.begin(flow_);
  }
  if (options_.writes)
    outputs_ = std::make_unique<Outputs>(settings_, mesh_, observer_, clock_, options_.pending,
                                         !options_.team || options_.team->is_first(),
                                         checkpoint ? std::optional(checkpoint->time) : std::nullopt);
  if (checkpoint) tell_restart(*checkpoint);
  for (const files::Report::Warning& warning : warnings_) observer_.message("warning: " + warning.message);
  failures_.require_physical_start(
      checkpoint ? std::optional(FailureHandler::Origin{*options_.restart, checkpoint->degree}) : std::nullopt);
  require_no_interruption(observer_);
}

std::vector<files::Report::Warning> Simulation::warnings_of_start() const {
  std::vector<files::Report::Warning> all = mesh_warnings(mesh_);
  for (const auto& found : {curving_warnings(curving_), start_warnings(settings_, mesh_, options_.restart.has_value())})
    all.insert(all.end(), found.begin(), found.end());
  return all;
}

void Simulation::take_folder() {
  folder_.emplace(settings_.output.directory);
  if (!folder_->locked()) observer_.message(files::no_locks(settings_.output.directory));
}

void Simulation::introduce() const {
  observer_.message(fmt::format("{}: {} elements, p = {}, {} degrees of freedom, on {}",
                                settings_.title.empty() ? settings_.file.string() : settings_.title,
                                mesh_.element_count(), flow_.degree(), flow_.discretization().degrees_of_freedom(),
                                flow_.discretization().device().name()));
  tell_structures();
  if (const std::string turned = mesh::describe_turned(mesh_); !turned.empty()) observer_.message("mesh: " + turned);
  if (!reference_.empty()) observer_.message(reference_);
  if (settings_.time.local && marcher_->goes_through_time())
    observer_.message("local time steps: on the way to the steady state nothing is accurate in time");
  if (const std::string method = case_file::describe_method(settings_.shock); !method.empty())
    observer_.message(method);
  if (const std::string left_out = terms_outside_of_bound(settings_); !left_out.empty())
    observer_.message(fmt::format("the step is that of the positivity bound, which leaves out {}", left_out));
  observer_.message("device memory: " + memory_summary(memory(), mesh_.element_count()));
}

void Simulation::tell_restart(const files::Checkpoint& checkpoint) {
  observer_.message(fmt::format("continuing from {} at t = {:.10g}, step {}", options_.restart->string(),
                                checkpoint.time, checkpoint.step));
  for (files::Report::Warning& warning : restart_warnings(checkpoint, settings_, options_.precision))
    warnings_.push_back(std::move(warning));
}

void Simulation::tell_structures() const {
  for (const files::Report::Structure& set : structures_of(flow_.discretization().plans()))
    observer_.message("kernels of " + describe(set));
}

files::Report Simulation::run() {
  Ending ending = begin();
  while (ending == Ending::none) ending = advance();
  return finish(ending);
}

Ending Simulation::begin() {
  clock_.enter(WallClock::Part::watch);
  flow_.stepper().keep();
  if (!history_.sequence().is_over())
    marcher_->begin();
  else if (!climb())
    return Ending::interrupted;
  const bool done = settings_.time.end && flow_.control().time >= *settings_.time.end;
  write_outputs(done);
  return done ? Ending::done : Ending::none;
}

Ending Simulation::advance() {
  if (observer_.interrupted()) return Ending::interrupted;
  Ending ending = marcher_->advance({next_stop(), next_step_limit(), [this] { return outputs_->failed(); }});
  if (outputs_->failed()) outputs_->finish();
  if (ending == Ending::none && is_steady()) ending = Ending::steady;
  const bool on = climbs(ending);
  history_.sequence().set_over(on);
  if (on) ending = Ending::none;
  if (ending != Ending::failed && ending != Ending::interrupted) write_outputs(ending != Ending::none);
  if (on && (observer_.interrupted() || !climb())) return Ending::interrupted;
  return ending;
}

std::unique_ptr<Marcher> Simulation::make_marcher() {
  if (settings_.time.newton) return std::make_unique<NewtonLoop>(flow_, setup_, history_, clock_, observer_);
  return std::make_unique<TimeLoop>(flow_, history_, failures_, clock_, observer_, options_.team);
}

double Simulation::next_stop() const {
  const double output = outputs_->next_time(flow_.control().time);
  const double means = next_of(TimeMeans::next_start(flow_.stepper()), output);
  return next_of(settings_.time.end.value_or(std::numeric_limits<double>::max()), means);
}

long Simulation::next_step_limit() const {
  const long step = static_cast<long>(flow_.control().steps);
  const long look = looks_at_next_degree() ? NextDegree::next_step(step) : std::numeric_limits<long>::max();
  return std::min({history_.step_limit(), outputs_->next_step(step), history_.steady().next_step(step),
                   history_.sequence().last_step(), look});
}

/// By what the host looks at.
bool Simulation::is_steady() {
  Snapshot now(flow_);
  return history_.steady().look(now);
}

void Simulation::write_outputs(bool last) {
  const WallClock::Scope timing(clock_, WallClock::Part::output);
  Snapshot now(flow_, Snapshot::Of::present, last || options_.pending == 0);
  boundaries_.look(now, last);
  TimeMeans& means = history_.means();
  if (now.time() == now.control().average_start) means.sample_forces(now);
  if (outputs_->monitor_is_due(now, last)) means.sample_forces(now);
  const auto checkpoint = [&] { return history_.checkpoint(now); };
  std::optional<Interruptible> ending;  // of several ranks none may leave the others waiting
  if (last && !options_.team) ending.emplace("writing the last files");
  outputs_->write_due(now, checkpoint, last);
}

bool Simulation::looks_at_next_degree() const {
  return settings_.time.sequence_by_residual && !history_.sequence().is_last();
}

/// Whether the next degree is due.
bool Simulation::climbs(Ending ending) {
  const Sequence& sequence = history_.sequence();
  if (sequence.is_last()) return false;
  if (ending == Ending::steady || (ending == Ending::none && flow_.control().steps >= sequence.last_step()))
    return true;
  return ending == Ending::none && looks_at_next_degree() && next_.is_due(sequence.next_settings());
}

/// The flow goes on as a polynomial of the next degree, which it is already; false if that was interrupted, and the
/// present degree goes on.
bool Simulation::climb() {
  outputs_->finish();  // it may still read the state's layout
  const WallClock::Scope timing(clock_, WallClock::Part::upload);
  Sequence& sequence = history_.sequence();
  const Control below = flow_.control();
  const dg::BoundaryTotals totals = flow_.discretization().boundary_totals();
  const analysis::Solution flow = flow_.copied_solution();
  sequence.keep_work(history_.work(flow_));
  marcher_->leave();
  next_.forget();
  try {
    go_on_at(sequence.level() + 1, flow, below, totals);
  } catch (const Interruption&) {
    go_on_at(sequence.level() - 1, flow, below, totals);
    return false;
  }
  sequence.finish_level(flow.degree, below);
  history_.steady().begin_degree();
  history_.keep_newton({});
  marcher_->begin();
  observer_.message(fmt::format("step {}, change {:.3e}: from p = {} to p = {}, {} degrees of freedom", below.steps,
                                below.change, flow.degree, flow_.degree(),
                                flow_.discretization().degrees_of_freedom()));
  tell_structures();
  return true;
}

/// Discretization and stepper of a degree, for the flow so far.
void Simulation::go_on_at(std::size_t level, const analysis::Solution& flow, const Control& control,
                          const dg::BoundaryTotals& totals) {
  history_.sequence().go_to(level);
  setup_.set_up(flow_, history_.sequence().settings(), nullptr);
  flow_.write(flow_.stepper().state(), flow);
  const bool same_degree = flow.degree == flow_.degree();
  if (!same_degree) flow_.stepper().limit_initial();
  history_.start_clock(flow_, control.time, static_cast<long>(control.steps), time::Stepper::controller_state(control),
                       same_degree);
  flow_.discretization().set_boundary_totals(totals);
  flow_.stepper().keep();
}

void Simulation::tell_step_limit() const {
  const char* keys = settings_.time.newton ? "solver.newton_steps (or time.max_steps)" : "time.max_steps";
  observer_.message(fmt::format("ended by {} = {}; a restart with a larger number goes on", keys,
                                settings_.time.max_steps.value_or(0)));
}

/// What comes after the last step and its outputs.
files::Report Simulation::finish(Ending ending) {
  outputs_->finish();
  if (ending == Ending::interrupted) {
    const WallClock::Scope timing(clock_, WallClock::Part::output);
    Snapshot now(flow_, Snapshot::Of::present, true);
    outputs_->write_checkpoint(history_.checkpoint(now)(), "interrupted");
    observer_.message(fmt::format("interrupted; continue with --restart {}",
                                  (outputs_->directory() / "checkpoint_interrupted.h5").string()));
  }
  if (ending == Ending::step_limit) tell_step_limit();
  clock_.enter(WallClock::Part::finish);
  std::exception_ptr stopped;
  files::Report report = make_run_report(settings_, mesh_, setup_.device(), options_.precision, memory());
  report.status = status_of(ending);
  report.performance.dof_per_second = history_.work(flow_) / std::max(clock_.seconds(WallClock::Part::loop), 1e-12);
  report.recoveries = history_.recoveries();
  report.reference = reference_;
  report.warnings = warnings_;
  for (const files::Report::Warning& warning : boundaries_.warnings()) report.warnings.push_back(warning);
  report_progress(report, flow_, history_);
  marcher_->report(report);
  if (ending != Ending::interrupted) {  // whoever asked to stop does not wait for more
    observer_.working("integrals and errors");
    std::optional<Interruptible> computing;
    if (!options_.team) computing.emplace("computing integrals and errors");
    try {
      const Phase phase("integrals and errors");
      report_flow(report, flow_, history_, ending != Ending::failed);
    } catch (const Interruption&) {
      stopped = std::current_exception();
      report.status = status_of(Ending::interrupted);
    }
  }
  if (ending != Ending::failed) {
    warn_of_integrals(report, settings_, observer_);
    warn_of_fields(report, flow_.field_faults(), mesh_.dimension, observer_);
  }
  if (ending == Ending::failed)
    report.failure = marcher_->give_up(*outputs_);
  else if (ending != Ending::interrupted && marcher_->goes_through_time())
    report_kernels(report.performance);
  report.files = outputs_->files();
  report.time.writing = outputs_->seconds_beside();
  clock_.report(report.time);
  report.time.phases = past_phases();
  files::write_report(report, outputs_->directory() / "report.json");
  folder_.reset();
  outputs_->require_written();
  if (stopped) std::rethrow_exception(stopped);
  return report;
}

/// Where it costs little beside the run.
void Simulation::report_kernels(files::Report::Performance& performance) const {
  const auto steps = static_cast<double>(flow_.control().steps - history_.start_step());
  const double loop = clock_.seconds(WallClock::Part::loop);
  const double cost = 2 * loop / std::max(steps, 1.0);  // one to warm up, one to measure
  if (options_.team || steps < 1 || (cost > 0.05 && cost > 0.01 * loop)) return;
  observer_.working("timing the kernels");
  performance.kernels = profile_kernels(flow_.stepper());
}

}  // namespace galerna::solver
