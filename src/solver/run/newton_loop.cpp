#include "solver/run/newton_loop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/interruption.hpp"
#include "solver/run/run_progress.hpp"

namespace galerna::solver {

using kernels::Control;
using kernels::RunStatus;

namespace {

/// Steps that are so short change nothing.
constexpr double least_cfl = 1e-12;

/// Of artificial viscosity after shocks have developed: before the next degree, and in all.
constexpr int enough_renewals = 6, most_renewals = 12;

/// [variable] of the state: what its residual is measured by, as a mean over the domain.
std::vector<double> scales_of(const std::vector<double>& weights, double domain, bool gas) {
  std::vector<double> scales(weights.size(), 1.0);
  for (std::size_t v = 0; gas && v < weights.size(); ++v) scales[v] = 1 / (weights[v] * domain);
  return scales;
}

std::vector<double> numbers_of(const steady::NewtonMemory& m) {
  return {m.first_norm,      m.last_norm, m.best_norm, m.factor, m.since_best, m.has_blocks ? 1.0 : 0.0,
          m.best_iterations, m.excess,    m.eliminated};
}

constexpr std::size_t numbers_of_memory = 9, numbers_of_viscosity = 7;

/// The beginning where there are others, or none.
steady::NewtonMemory memory_of(const std::vector<double>& m) {
  if (m.size() != numbers_of_memory && m.size() != numbers_of_memory + numbers_of_viscosity) return {};
  return {m[0], m[1], m[2], m[3], m[4], m[5] != 0, m[6], m[7], m[8]};
}

}  // namespace

void NewtonLoop::leave() {
  if (has_viscosity()) viscosity_below_ = flow_.discretization().shock_viscosity();
  if (newton_) seconds_ += newton_->seconds();
  newton_.reset();
}

void NewtonLoop::begin() {
  const std::vector<double>& weights = history_.steady().weights();
  const dg::FlowOperator& space = flow_.discretization();
  newton_ = std::make_unique<steady::Newton>(flow_.discretization(), flow_.mesh(),
                                             scales_of(weights, space.domain_measure(), settings_.equations.gas),
                                             *setup_.newton());
  restore(history_.newton());
  preconditioner_ = newton_->preconditioner();
  observer_.message("preconditioner: " + preconditioner_);
  Control control = flow_.control();
  const std::int64_t evaluations = control.rhs_evaluations;
  const bool goes_on = !history_.newton().empty();
  restore_blocks(control);
  if (!goes_on) take_over_viscosity(control);
  newton_->look(flow_.stepper().state(), control);
  // A restart counts what a run without a break would have counted.
  if (goes_on) control.rhs_evaluations = evaluations;
  auto& degrees = history_.newton_degrees();
  if (degrees.empty() || degrees.back().order != flow_.degree()) degrees.push_back({.order = flow_.degree()});
  degrees.back().rhs_evaluations += control.rhs_evaluations - evaluations;
  control.frozen = has_viscosity() && viscosity_.stage != Viscosity::Stage::following ? 1 : 0;
  flow_.stepper().adopt(control);
  Snapshot now(flow_);
  history_.steady().look(now);
  history_.keep_newton(memory());
  history_.set_newton_blocks([this] { return blocks(); });
  if (!log_) log_ = std::make_unique<NewtonLog>(settings_, history_.start_step());
}

Ending NewtonLoop::advance(const Stop& stop) {
  while (true) {
    if (observer_.interrupted() || stop.interrupts()) return Ending::interrupted;
    Ending ending = Ending::none;
    try {
      ending = step();
    } catch (const Interruption&) {
      return Ending::interrupted;
    }
    const Control& control = flow_.control();
    if (ending != Ending::none) return ending;
    if (control.steps >= history_.step_limit()) return Ending::step_limit;
    if (control.steps >= stop.step) return Ending::none;
  }
}

Ending NewtonLoop::step() {
  time::Stepper& stepper = flow_.stepper();
  Control control = flow_.control();
  const std::int64_t evaluations = control.rhs_evaluations;
  clock_.enter(WallClock::Part::loop);
  const steady::NewtonStep step = newton_->step(stepper.state(), control);
  refresh_lift(control);
  keep_off_vacuum(step, control);
  renew_viscosity(control);
  clock_.enter(WallClock::Part::watch);
  control.time = static_cast<double>(control.steps);
  stepper.adopt(control);
  stepper.keep();
  history_.keep_newton(memory());
  count(step, control.rhs_evaluations - evaluations);
  tell(step);
  if (!std::isfinite(newton_->norm()) || step.cfl < least_cfl) return Ending::failed;
  const bool fell = newton_->norm() <= 1e-7 || newton_->is_rounding();
  if (!fell && viscosity_.stage == Viscosity::Stage::following && (newton_->has_ended() || newton_->diverges())) {
    freeze_viscosity(control);
    return Ending::none;
  }
  if (fell ? newton_->stalls() : newton_->has_ended()) {
    if (!fell) return Ending::failed;
    control.status = static_cast<int>(RunStatus::steady_floor);
    stepper.adopt(control);
    return Ending::steady;
  }
  const bool settled = !has_viscosity() || viscosity_.fits || viscosity_.renewals >= enough_renewals ||
                       viscosity_.stage >= Viscosity::Stage::following;
  const bool enough = settled && !history_.sequence().is_last() && newton_->norm() <= enough_of_a_degree();
  return enough ? Ending::steady : Ending::none;
}

/// To which the residual falls at a degree before the next one begins. What more it falls is lost in the residual that
/// the flow has at the next degree; but shocks develop where steps are cheap.
double NewtonLoop::enough_of_a_degree() const {
  return has_viscosity() ? 1e-3 : 1e-2;
}

/// After every step far fields hear of the lift that the new state has, and the state is looked at again. Its residual
/// is then that of flow and far field together, so what is steady by it is steady with its own lift.
void NewtonLoop::refresh_lift(Control& control) {
  if (!lift_.is_heard()) return;
  Snapshot now(flow_);
  const std::array<double, 2> force = LiftFeedback::force(now);
  control.wall_force_x = force[0];
  control.wall_force_y = force[1];
  const std::int64_t evaluations = control.rhs_evaluations;
  newton_->look(flow_.stepper().state(), control);
  control.rhs_evaluations = evaluations + 1;
}

/// While shocks develop: where only a part of a step is admissible, points near vacuum are scaled towards the means of
/// their elements, as after a stage in time. Density or pressure would be halved from step to step there, and steps
/// with them.
void NewtonLoop::keep_off_vacuum(const steady::NewtonStep& step, Control& control) {
  if (step.share == 1 || !flow_.discretization().finishes() || viscosity_.stage >= Viscosity::Stage::following) return;
  flow_.stepper().limit_initial();
  newton_->look(flow_.stepper().state(), control);
}

/// While shocks develop, artificial viscosity is found anew every few steps, and is constant between; later it is a
/// mean of what is found whenever the residual has fallen well. In the end it is that of the state.
void NewtonLoop::renew_viscosity(Control& control) {
  if (!has_viscosity() || viscosity_.stage >= Viscosity::Stage::following) return;
  constexpr int longest = 5, most_idle = 6;
  constexpr double fallen = 0.2;
  Viscosity& v = viscosity_;
  if (v.stage == Viscosity::Stage::developing && (newton_->stalls() || v.idle >= most_idle)) {
    v.stage = Viscosity::Stage::settling;
    newton_->forget_best();
  }
  const bool developing = v.stage == Viscosity::Stage::developing;
  const bool ends = history_.steady().relative(control).value_or(1) <= *settings_.time.steady_residual;
  if (ends || v.renewals >= most_renewals) return follow_viscosity(control);
  const bool grows = v.norm > 0 && newton_->norm() > 5 * v.norm;
  const bool late = developing ? ++v.steps >= longest : grows || newton_->stalls();
  if (!late && newton_->norm() > fallen * v.norm && v.norm > 0) return;
  find_viscosity(control, developing ? 1 : 1.0 / (1 + ++v.renewals));
  if (!developing) newton_->forget_best();
  v.steps = 0;
  v.norm = newton_->norm();
  v.fits = developing && v.norm <= enough_of_a_degree();
  if (v.least == 0 || v.norm < 0.8 * v.least) {
    v.least = v.norm;
    v.idle = 0;
  } else {
    ++v.idle;
  }
  if (v.fits && history_.sequence().is_last()) follow_viscosity(control);
}

/// From here on the residual is that of a state with its own viscosity, and does not depend on the way to it.
void NewtonLoop::follow_viscosity(Control& control) {
  before_following_ = {flow_.solution_of(flow_.stepper().state(), control).coefficients(),
                       flow_.discretization().shock_viscosity(), newton_->memory()};
  viscosity_.stage = Viscosity::Stage::following;
  newton_->follow_viscosity(true);
  newton_->forget_best();
  control.frozen = 0;
  newton_->look(flow_.stepper().state(), control);
}

/// Where the residual does not fall with a viscosity that follows: goes back to what was there before it did. A restart
/// in between has forgotten that, and stays where it is.
void NewtonLoop::freeze_viscosity(Control& control) {
  viscosity_.stage = Viscosity::Stage::frozen;
  newton_->follow_viscosity(false);
  control.frozen = 1;
  if (!before_following_.coefficients.empty()) {
    flow_.write(flow_.stepper().state(), before_following_.coefficients, flow_.degree());
    flow_.discretization().set_shock_viscosity(before_following_.viscosity);
    steady::NewtonMemory memory = before_following_.newton;
    memory.has_blocks = false;
    newton_->restore(memory);
    newton_->look(flow_.stepper().state(), control);
  }
  newton_->forget_best();
  flow_.stepper().adopt(control);
  history_.keep_newton(memory());
  observer_.message(
      fmt::format("artificial viscosity is frozen from step {} on, where the residual stalls: the result depends on "
                  "the way to it; a finer mesh or sensor = \"persson-peraire\" may help",
                  control.steps));
}

/// A degree begins with the viscosity of the one before: its shocks are where they will be.
void NewtonLoop::take_over_viscosity(Control& control) {
  if (viscosity_below_.empty()) return;
  flow_.discretization().set_shock_viscosity(viscosity_below_);
  control.frozen = 1;
  viscosity_.stage = Viscosity::Stage::settling;
}

/// An element keeps half of its viscosity: it would flicker for ever otherwise.
/// \param share of the viscosity that is found; the rest is what it was
void NewtonLoop::find_viscosity(Control& control, double share) {
  dg::FlowOperator& space = flow_.discretization();
  const std::vector<double> before = space.shock_viscosity();
  control.frozen = 0;
  newton_->look(flow_.stepper().state(), control);
  control.frozen = 1;
  std::vector<double> mean = space.shock_viscosity();
  for (std::size_t k = 0; k < mean.size(); ++k)
    mean[k] = share * std::max(mean[k], 0.5 * before[k]) + (1 - share) * before[k];
  space.set_shock_viscosity(mean);
  newton_->look(flow_.stepper().state(), control);
}

std::vector<double> NewtonLoop::memory() const {
  std::vector<double> numbers = numbers_of(newton_->memory());
  if (has_viscosity())
    for (double number : {static_cast<double>(viscosity_.stage), double(viscosity_.renewals), double(viscosity_.steps),
                          viscosity_.norm, viscosity_.least, double(viscosity_.idle), viscosity_.fits ? 1.0 : 0.0})
      numbers.push_back(number);
  return numbers;
}

void NewtonLoop::restore(const std::vector<double>& m) {
  constexpr std::size_t n = numbers_of_memory;
  newton_->restore(memory_of(m));
  viscosity_ = {};
  before_following_ = {};
  if (has_viscosity() && m.size() == n + numbers_of_viscosity)  // the checkpoint may be that of a run with it
    viscosity_ = {static_cast<Viscosity::Stage>(static_cast<int>(m[n])),
                  static_cast<int>(m[n + 1]),
                  static_cast<int>(m[n + 2]),
                  m[n + 3],
                  m[n + 4],
                  static_cast<int>(m[n + 5]),
                  m[n + 6] != 0};
  newton_->follow_viscosity(viscosity_.stage == Viscosity::Stage::following);
}

/// Of the state that a checkpoint would hold, which a step that was interrupted has not changed.
std::optional<NewtonBlocks> NewtonLoop::blocks() const {
  if (!newton_ || !newton_->keeps_blocks(memory_of(history_.newton()))) return {};
  return NewtonBlocks{flow_.solution_of(newton_->block_state(), flow_.control()).coefficients(),
                      newton_->block_origin()};
}

/// Those of the run that a restart goes on from; without them the first step computes new ones.
void NewtonLoop::restore_blocks(const Control& control) {
  const std::optional<NewtonBlocks> blocks = history_.take_newton_blocks();
  steady::NewtonMemory memory = newton_->memory();
  if (!memory.has_blocks) return;
  if (!blocks || !newton_->keeps_blocks(memory)) {
    memory.has_blocks = false;
    return newton_->restore(memory);
  }
  dg::FlowOperator& space = flow_.discretization();
  const std::vector<double> viscosity = space.shock_viscosity();
  flow_.write(newton_->block_state(), blocks->coefficients, flow_.degree());
  newton_->restore_blocks(blocks->origin, control);
  if (!viscosity.empty()) space.set_shock_viscosity(viscosity);
}

/// \param evaluations right-hand sides of the step and of what came with it
void NewtonLoop::count(const steady::NewtonStep& step, std::int64_t evaluations) {
  auto& degrees = history_.newton_degrees();
  files::Report::Newton::Degree& degree = degrees.back();
  degree.steps += 1;
  degree.rhs_evaluations += evaluations;
  degree.block_evaluations += step.block_evaluations;
  degree.gmres_iterations += step.iterations;
  Snapshot now(flow_);
  log_->add(now, step, history_.steady().relative(now.control()).value_or(1), newton_->norm(),
            clock_.seconds(WallClock::Part::loop));
}

void NewtonLoop::report(files::Report& report) const {
  if (preconditioner_.empty()) return;
  steady::NewtonSeconds seconds = seconds_;
  if (newton_) seconds += newton_->seconds();
  report.newton = {preconditioner_, history_.newton_degrees(), seconds.products, seconds.blocks,
                   seconds.preconditioner};
}

void NewtonLoop::tell(const steady::NewtonStep& step) {
  const Control& control = flow_.control();
  const double relative = history_.steady().relative(control).value_or(1);
  observer_.message(
      fmt::format("p = {}, step {}: relative residual {:.2e} of {:.2g}, G {:.2e} -> {:.2e}, CFL {:.2g}, {} GMRES "
                  "iterations to {:.1e}, {} right-hand sides{}{}",
                  flow_.degree(), control.steps, relative, *settings_.time.steady_residual, step.norm, newton_->norm(),
                  step.cfl, step.iterations, step.reduction, step.evaluations,
                  step.block_evaluations > 0 ? fmt::format(" ({} of them for blocks)", step.block_evaluations) : "",
                  step.share == 1  ? ""
                  : step.share > 0 ? fmt::format(", {} of the step", step.share)
                                   : ", taken back"));
  const Sequence& sequence = history_.sequence();
  const double goal = sequence.is_last() ? *settings_.time.steady_residual : enough_of_a_degree(),
               norm = sequence.is_last() ? relative : newton_->norm(),
               levels = static_cast<double>(sequence.level()) + decades_done(1, norm, goal);
  Progress p = run_progress(flow_, history_, clock_.seconds(WallClock::Part::loop), forecast_,
                            levels / static_cast<double>(sequence.size()));
  p.change = relative;
  p.dt = 0;  // no time passes
  observer_.progress(p);
}

files::Failure NewtonLoop::give_up(Outputs& outputs) {
  files::Failure failure;
  const Control& control = flow_.control();
  failure.what =
      fmt::format("no steady state: after {} steps of Newton's method the residual stands at {:.2e} of the first one",
                  control.steps - history_.newton_start(), history_.steady().relative(control).value_or(1));
  failure.step = control.steps;
  failure.advice = {"run in time (time.scheme = \"ssprk54\", time.cfl, time.end): the flow may be unsteady",
                    "where there are shocks, [shock] method = \"viscosity\", or local time steps (time.local = true)",
                    "inviscid flow round a smooth closed body, whose lift no sharp edge fixes: give time.max_steps and "
                    "judge by forces and entropy (docs/bodies.md)",
                    "a finer mesh, or a lower discretization.order, where the flow is not resolved"};
  Snapshot now(flow_);
  outputs.write_checkpoint(history_.checkpoint(now)(), "last_good");
  outputs.write_state(now.solution(), "failed");
  observer_.error(
      fmt::format("{}\nlast good state: {}", failure.what, (outputs.directory() / "checkpoint_last_good.h5").string()));
  for (const std::string& advice : failure.advice) observer_.error("  try: " + advice);
  return failure;
}

}  // namespace galerna::solver
