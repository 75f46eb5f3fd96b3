#include "time/stepper.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include "base/error.hpp"

namespace galerna::time {

using kernels::Control;
using kernels::RunStatus;

namespace {

/// A number of the control block that a checkpoint holds, under its name there.
struct ControllerNumber {
  std::string_view name;
  std::variant<double Control::*, std::int64_t Control::*> member;
};

/// Of a step that is taken again: if a shorter one still loses a mean, its length is not the cause.
constexpr double smallest_shortening = 1e-6;

constexpr ControllerNumber controller_numbers[] = {{"time_low", &Control::time_low},
                                                   {"dt", &Control::dt},
                                                   {"next_dt", &Control::next_dt},
                                                   {"largest_stable", &Control::largest_stable},
                                                   {"rejected", &Control::rejected},
                                                   {"rhs_evaluations", &Control::rhs_evaluations},
                                                   {"change", &Control::change},
                                                   {"best_change", &Control::best_change},
                                                   {"largest_mode", &Control::largest_mode},
                                                   {"steps_since_best", &Control::steps_since_best},
                                                   {"frozen", &Control::frozen},
                                                   {"error", &Control::error},
                                                   {"previous_error", &Control::previous_error},
                                                   {"wall_force_x", &Control::wall_force_x},
                                                   {"wall_force_y", &Control::wall_force_y}};

}  // namespace

std::set<std::pair<int, int>> stage_shapes(const Scheme& scheme) {
  std::set<std::pair<int, int>> shapes;
  for (const Stage& stage : scheme.stages)
    shapes.emplace(static_cast<int>(stage.inputs.size()), static_cast<int>(stage.outputs.size()));
  return shapes;
}

std::string problem_of_tolerance(const Scheme& scheme, std::optional<double> tolerance, bool steady) {
  if (tolerance && !scheme.error)
    return fmt::format("time.tolerance needs a scheme with an embedded method; {} has none: use ssprk43, or time.cfl",
                       scheme.name);
  if (tolerance && steady)
    return "time.tolerance does not go with time.steady, steady_residual and steady_forces: use time.cfl for steady "
           "runs";
  if (tolerance && *tolerance < std::numeric_limits<double>::epsilon())
    return fmt::format("time.tolerance = {} is less than a rounding error, which every step has: use 1e-4 to 1e-10",
                       *tolerance);
  return "";
}

Stepper::Stepper(dg::Operator& space, const Scheme& scheme, const StepSettings& settings)
    : operator_(space), scheme_(scheme), settings_(settings) {
  if (const std::string problem = problem_of_tolerance(scheme, settings.tolerance, settings.steady.has_value());
      !problem.empty())
    throw InputError({}, problem);
  const std::string registers = fmt::format("state and stages ({} copies)", scheme.registers);
  for (int r = 0; r < scheme.registers; ++r) registers_.push_back(space.allocate_state(registers));
  if (settings.steady) previous_ = space.allocate_state("state before the step");
  kept_ = space.allocate_state("last good state");  // now, so that a run which starts does not run out of memory later
  if (settings.average_start) {
    const std::string means = "time mean, now and at the last good state";
    integral_ = space.allocate_state(means);
    kept_integral_ = space.allocate_state(means);
  }

  set_step_size(1);
  control_.average_start = settings.average_start.value_or(std::numeric_limits<double>::max());
  control_.steady_tolerance = settings.steady.value_or(0);
  control_.steady_norm = settings.steady_by_residual ? 1 : 0;
  control_.embedded_order = scheme.embedded_order;
  control_.freeze_after = settings.freeze_after;
  control_.round_off = space.precision() == device::Precision::double_precision
                           ? std::numeric_limits<double>::epsilon()
                           : static_cast<double>(std::numeric_limits<float>::epsilon());
  control_.best_change = std::numeric_limits<double>::max();
  control_.previous_error = 1;
  control_.bad_element = -1;
}

dg::StageCall Stepper::stage_call(std::size_t number) {
  const auto memory = [&](int r) { return registers_[static_cast<std::size_t>(r)].get(); };
  const Stage& stage = scheme_.stages[number];
  dg::StageCall call;
  call.at = memory(stage.at);
  for (int input : stage.inputs) call.inputs.push_back(memory(input));
  std::vector<StageOutput> outputs = stage.outputs;
  std::stable_partition(outputs.begin(), outputs.end(),
                        [&](const StageOutput& output) { return memory(output.target) != &stage_result(number); });
  for (const StageOutput& output : outputs) {
    call.outputs.push_back(memory(output.target));
    call.coefficients.push_back(output.coefficients);
    call.rhs.push_back(output.rhs);
  }
  call.abscissa = stage.abscissa;
  call.weight = stage.weight;
  call.first = number == 0;
  return call;
}

/// What the next stage looks at, or the result of the step.
device::Memory& Stepper::stage_result(std::size_t stage) {
  const int result = stage + 1 < scheme_.stages.size() ? scheme_.stages[stage + 1].at : scheme_.result;
  return *registers_[static_cast<std::size_t>(result)];
}

/// \param follows whether another stage does, at this one's result. \param monitored, \return as Operator::finish().
bool Stepper::record_stage(std::size_t stage, bool follows, bool monitored) {
  dg::StageCall call = stage_call(stage);
  call.follows = follows && !operator_.finishes() && call.outputs.back() == &stage_result(stage);
  operator_.stage(call);
  const bool last = stage + 1 == scheme_.stages.size();
  return operator_.finish(stage_result(stage), last ? 1 : scheme_.stages[stage + 1].abscissa, monitored);
}

/// \param step_follows whether the next step does, at this one's result. \param monitored, \return as
/// Operator::finish(), of that result.
bool Stepper::record_stages(bool step_follows, bool monitored) {
  if (integral_) operator_.accumulate(state(), *integral_);
  const std::size_t last = scheme_.stages.size() - 1;
  for (std::size_t s = 0; s < last; ++s) record_stage(s, true, false);
  return record_stage(last, step_follows, monitored);
}

void Stepper::record_step(bool monitored) {
  dg::Operator& d = operator_;
  if (monitored) d.monitor(state());
  d.begin_step(monitored);
  record_stages(false, false);
  const bool embedded = settings_.tolerance.has_value(), changed = settings_.steady.has_value();
  device::Memory& candidate = *registers_[static_cast<std::size_t>(scheme_.result)];
  if (embedded) d.embedded_error(state(), candidate, *registers_[static_cast<std::size_t>(*scheme_.error)]);
  if (changed) d.change(candidate, *previous_);
  d.end_step(static_cast<int>(scheme_.stages.size()), changed, embedded);
  if (scheme_.result != 0) d.embedded_commit(state(), candidate);
}

void Stepper::limit_initial() {
  Control active = control_;
  active.active = 1;
  operator_.write_control(active);
  operator_.finish(state(), 0, false);
}

void Stepper::start(double time, long step) {
  control_.time = time;
  control_.time_low = 0;
  control_.steps = step;
  control_.average_start = std::max(control_.average_start, time);
  if (previous_) operator_.device().copy(*previous_, state(), operator_.state_bytes());
}

std::optional<double> Stepper::averages_since() const {
  if (!integral_ || control_.time <= control_.average_start) return {};
  return control_.average_start;
}

void Stepper::continue_average(double since, double pending) {
  control_.average_start = since;
  control_.average_pending = pending;
}

void Stepper::set_stop(double time, long step_limit) {
  control_.stop_time = time;
  control_.step_limit = step_limit;
  control_.status = static_cast<int>(RunStatus::running);
}

void Stepper::record_launch() {
  if (many_) return;
  // Steps of a fixed size need no wave speeds, so that they look at the state only once in a launch.
  const bool every_step = !settings_.fixed_step.has_value() || operator_.monitors_every_step();
  // Where every step counts, its end and the beginning of the next are one launch.
  const bool joined = scheme_.result == 0 && !settings_.tolerance;
  many_ = operator_.record([&] {
    if (joined) return record_joined_steps(every_step);
    for (int s = 0; s < steps_per_launch(); ++s) record_step(every_step || s == 0);
  });
}

void Stepper::record_joined_steps(bool every_step) {
  dg::Operator& d = operator_;
  const auto stages = static_cast<int>(scheme_.stages.size());
  const bool changed = settings_.steady.has_value();
  d.monitor(state());
  d.begin_step(true);
  for (int step = 1; step <= steps_per_launch(); ++step) {
    const bool follows = step < steps_per_launch();
    const bool looked_at = record_stages(follows, follows && every_step);
    if (changed) d.change(state(), *previous_);
    if (!follows) return d.end_step(stages, changed, false);
    if (every_step && !looked_at) d.monitor(state());
    d.next_step(stages, changed, every_step);
  }
}

double Stepper::time_steps(int launches) {
  record_launch();
  const double steady_tolerance = std::exchange(control_.steady_tolerance, 0);
  operator_.write_control(control_);
  const double seconds = operator_.device().time([&] {
    for (int i = 0; i < launches; ++i) operator_.device().launch(*many_);
  });
  control_ = operator_.read_control();
  control_.steady_tolerance = steady_tolerance;
  return seconds;
}

void Stepper::run_step_by_kernel() {
  operator_.write_control(control_);
  record_step(true);
  operator_.device().synchronize();
  control_ = operator_.read_control();
}

device::KernelTimes Stepper::profile_step() {
  keep();
  const dg::Operator::Sums sums = operator_.read_sums();
  set_stop(std::numeric_limits<double>::max(), std::numeric_limits<long>::max());
  control_.steady_tolerance = 0;
  run_step_by_kernel();  // the first launch of a kernel takes longer
  device::KernelTimes times;
  operator_.profile(&times);
  run_step_by_kernel();
  operator_.profile(nullptr);
  if (control_.status != static_cast<int>(RunStatus::running)) times.clear();

  copy_kept_state();
  operator_.write_sums(sums);
  operator_.write_control(control_ = kept_control_);
  return times;
}

Control Stepper::advance(long steps) {
  launch(steps);
  while (control_.status == static_cast<int>(RunStatus::mean_lost) && shortening_ > smallest_shortening) take_again();
  return control_;
}

/// The step from the kept state, shorter than the settings ask for.
void Stepper::take_shortened_step() {
  const double cfl = control_.cfl, fixed_step = control_.fixed_step;
  control_.cfl *= shortening_;
  control_.fixed_step *= shortening_;
  advance_one();
  control_.cfl = cfl;
  control_.fixed_step = fixed_step;
}

/// From the kept state to a step behind it, again with the same bits.
void Stepper::repeat_to(std::int64_t step) {
  return_to_kept();
  if (operator_.finishes()) operator_.write_sums(kept_sums_);
  control_.step_limit = step;
  if (shortening_ < 1 && control_.steps < step) take_shortened_step();
  const auto running = [&] { return control_.status == static_cast<int>(RunStatus::running); };
  while (running() && control_.steps < step) launch(steps_per_launch());
}

void Stepper::take_again() {
  const Control failed = control_;
  repeat_to(failed.steps);
  if (control_.steps != failed.steps) return;  // never: what was repeated has the same bits
  if (failed.steps > kept_control_.steps) keep();
  shortening_ *= 0.5;
  control_.step_limit = failed.step_limit;
  control_.status = static_cast<int>(RunStatus::running);
  control_.rejected = failed.rejected;
  control_.rhs_evaluations = failed.rhs_evaluations;
  take_shortened_step();
}

Control Stepper::launch(long steps) {
  device::Device& device = operator_.device();
  record_launch();
  operator_.write_control(control_);
  for (long s = 0; s < std::max(1L, steps); s += steps_per_launch()) device.launch(*many_);
  device.synchronize();
  return control_ = operator_.read_control();
}

Control Stepper::advance_one() {
  device::Device& device = operator_.device();
  if (!one_) one_ = operator_.record([&] { record_step(true); });
  operator_.write_control(control_);
  device.launch(*one_);
  device.synchronize();
  return control_ = operator_.read_control();
}

void Stepper::keep() {
  operator_.device().copy(*kept_, state(), operator_.state_bytes());
  if (integral_) operator_.device().copy(*kept_integral_, *integral_, operator_.state_bytes());
  kept_control_ = control_;
  kept_boundary_totals_ = operator_.boundary_totals();
  if (operator_.finishes()) kept_sums_ = operator_.read_sums();
  kept_factor_ = shortening_ = 1;
}

void Stepper::set_step_size(double factor) {
  control_.cfl = factor * settings_.cfl.value_or(0);
  control_.fixed_step = factor * settings_.fixed_step.value_or(0);
  // The error of a step falls with dt^(order + 1).
  control_.tolerance = std::pow(factor, scheme_.embedded_order + 1) * settings_.tolerance.value_or(0);
}

void Stepper::copy_kept_state() {
  device::Device& device = operator_.device();
  device.copy(state(), *kept_, operator_.state_bytes());
  if (previous_) device.copy(*previous_, *kept_, operator_.state_bytes());
  if (integral_) device.copy(*integral_, *kept_integral_, operator_.state_bytes());
}

void Stepper::return_to_kept() {
  const Control present = control_;
  copy_kept_state();
  operator_.set_boundary_totals(kept_boundary_totals_);
  control_ = kept_control_;
  control_.stop_time = present.stop_time;
  control_.step_limit = present.step_limit;
  control_.cfl = present.cfl;
  control_.fixed_step = present.fixed_step;
  control_.tolerance = present.tolerance;
  control_.next_dt *= kept_factor_;
  control_.rejected = present.rejected;
  control_.rhs_evaluations = present.rhs_evaluations;
  control_.bad_element = -1;
  control_.status = static_cast<int>(RunStatus::running);
}

void Stepper::go_back(double factor) {
  set_step_size(factor);
  kept_factor_ = factor;
  shortening_ = 1;
  return_to_kept();
}

void Stepper::resume_full_step() {
  set_step_size(1);
}

/// From the kept state to the beginning of the failing step, which is kept in its turn.
bool Stepper::replay_to_failing_step(const Control& failed) {
  const int running = static_cast<int>(RunStatus::running);
  // Steps of a fixed size are looked at once in a launch: any step of the last launch may be the bad one.
  const std::int64_t unsure = settings_.fixed_step ? steps_per_launch() + 1 : 1;
  repeat_to(std::max(kept_control_.steps, failed.steps - unsure));
  if (control_.steps != control_.step_limit) return false;
  control_.step_limit = failed.step_limit;
  control_.status = running;
  while (control_.status == running && control_.steps < failed.steps) {
    keep();
    advance_one();
    if (operator_.first_inadmissible(state()) >= 0) {
      return_to_kept();
      return true;
    }
  }
  return false;
}

std::optional<FailingStage> Stepper::step_by_stages() {
  dg::Operator& d = operator_;
  d.write_control(control_);
  d.monitor(state());
  d.begin_step(true);
  if (!d.read_control().active) return {};
  for (std::size_t s = 0; s < scheme_.stages.size(); ++s) {
    record_stage(s, false, false);
    const std::int64_t bad = d.first_inadmissible(stage_result(s));
    if (bad >= 0) return FailingStage{static_cast<int>(s) + 1, bad, &stage_result(s), d.read_control()};
  }
  return {};
}

std::optional<FailingStage> Stepper::find_failing_stage() {
  const Control failed = control_;
  bool found = true;
  if (failed.status == static_cast<int>(RunStatus::mean_lost)) {
    return_to_kept();
  } else if (failed.status == static_cast<int>(RunStatus::step_underflow)) {
    // Every step from here was rejected; one of the size with which a run begins shows why.
    control_.next_dt = 0;
    control_.status = static_cast<int>(RunStatus::running);
    keep();
  } else {
    found = replay_to_failing_step(failed);
  }
  std::optional<FailingStage> stage;
  if (found) stage = step_by_stages();
  control_ = failed;
  return stage;
}

bool Stepper::admissible() {
  const std::int64_t bad = operator_.first_inadmissible(state());
  if (bad < 0) return true;
  control_.bad_element = bad;
  control_.status = static_cast<int>(RunStatus::inadmissible);
  return false;
}

ControllerState Stepper::controller_state(const Control& control) {
  ControllerState state;
  for (const ControllerNumber& number : controller_numbers)
    std::visit([&](auto member) { state.emplace_back(number.name, static_cast<double>(control.*member)); },
               number.member);
  return state;
}

void Stepper::restore(const ControllerState& state) {
  for (const auto& [name, value] : state) {
    const auto number = std::find_if(std::begin(controller_numbers), std::end(controller_numbers),
                                     [&, name = name](const ControllerNumber& n) { return n.name == name; });
    if (number == std::end(controller_numbers)) continue;  // of something else that a checkpoint holds
    const auto set = [&, value = value](auto member) {
      control_.*member = static_cast<std::remove_reference_t<decltype(control_.*member)>>(value);
    };
    std::visit(set, number->member);
  }
}

}  // namespace galerna::time
