#include "solver/run/time_loop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/phases.hpp"
#include "solver/run/run_progress.hpp"

namespace galerna::solver {

using kernels::Control;
using kernels::RunStatus;

/// The share of the way to the nearest end.
double TimeLoop::done(const Control& control) {
  const Sequence& sequence = history_.sequence();
  const case_file::TimeSettings& time = sequence.settings().time;
  const SteadyWatch& steady = history_.steady();
  double done = 0;
  const auto decays = [&](double first, double now, double goal) {
    done = std::max(done, decades_done(first, now, goal));
  };
  largest_change_ = std::max(largest_change_, control.change);
  largest_force_change_ = std::max(largest_force_change_, steady.force_change().value_or(0));
  if (time.steady) decays(largest_change_, control.change, *time.steady);
  if (time.steady_residual && steady.residual()) decays(1, *steady.residual(), *time.steady_residual);
  if (time.steady_forces && steady.force_change())
    decays(largest_force_change_, *steady.force_change(), *time.steady_forces);
  const auto degrees = static_cast<double>(sequence.size());
  done = (static_cast<double>(sequence.level()) + done) / degrees;
  const auto counts = [&](double start, double now, double end) {
    if (end > start) done = std::max(done, (now - start) / (end - start));
  };
  if (time.end) counts(history_.start_time(), control.time, *time.end);
  if (time.max_steps)
    counts(static_cast<double>(history_.start_step()), static_cast<double>(control.steps),
           static_cast<double>(*time.max_steps));
  return done;
}

void TimeLoop::tell(const Control& control) {
  Progress p = run_progress(flow_, history_, clock_.seconds(WallClock::Part::loop), forecast_, done(control));
  if (settings_.time.seeks_steady()) p.change = control.change;
  observer_.progress(p);
}

Ending TimeLoop::judge(const Control& control) const {
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
    case RunStatus::mean_lost:
      return Ending::failed;
  }
  return Ending::failed;
}

/// Once in a run.
void TimeLoop::tell_of_lost_mean(const Control& control) {
  if (told_of_lost_mean_) return;
  told_of_lost_mean_ = true;
  observer_.message(
      fmt::format("t = {:.6g}, step {}: a step in which the mean of an element lost its density or pressure was taken "
                  "again, shorter; so will others (report.json: rejected steps)",
                  control.time, control.steps));
}

/// About as many steps as are left until the stop: those that are launched beyond it do nothing, but take a third of
/// the time of one that does.
long TimeLoop::steps_left(const Stop& stop) const {
  const Control& now = flow_.control();
  const long left = stop.step - static_cast<long>(now.steps);
  const double step = std::max({now.dt, now.fixed_step, now.cfl * now.largest_stable, now.next_dt});
  if (now.steps == 0 || settings_.time.local || !(step > 0)) return left;
  const double by_time = std::ceil((stop.time - now.time) / step) + 1;
  return by_time < static_cast<double>(left) ? std::max(1L, static_cast<long>(by_time)) : left;
}

/// Launches `steps` steps and adapts how many the next launch has: it is to take 0.1 to 0.4 s, but to consist of steps
/// that do nothing, since the run has stopped before them, by half at most.
Control TimeLoop::launch(long steps) {
  constexpr long fewest = time::Stepper::steps_per_launch(), most = 100'000;
  const double loop = clock_.seconds(WallClock::Part::loop);
  const std::int64_t before = flow_.control().steps, rejected = flow_.control().rejected;
  clock_.enter(WallClock::Part::loop);
  const Control control = [&] {
    const Phase phase("time steps", 2);
    return flow_.stepper().advance(steps);
  }();
  clock_.enter(WallClock::Part::watch);
  failures_.recovery().launched(steps);
  double seconds = clock_.seconds(WallClock::Part::loop) - loop;
  if (team_) team_->broadcast(seconds);  // ranks must launch the same
  const bool retaken = control.rejected > rejected && !settings_.time.tolerance;
  if (retaken) tell_of_lost_mean(control);
  const bool stopped = control.status != static_cast<int>(RunStatus::running) || retaken;
  if (seconds > 0.4 || (stopped && 2 * (control.steps - before) < steps))
    launch_steps_ = std::max(launch_steps_ / 2, fewest);
  else if (seconds < 0.1 && steps >= launch_steps_)
    launch_steps_ = std::min(2 * launch_steps_, most);
  return control;
}

Ending TimeLoop::advance(const Stop& stop) {
  time::Stepper& stepper = flow_.stepper();
  Recovery& recovery = failures_.recovery();
  const auto steps_done = [&] { return static_cast<long>(stepper.control().steps); };
  long refresh = lift_.next(steps_done());
  const auto set_stop = [&] { stepper.set_stop(stop.time, std::min(stop.step, refresh)); };
  set_stop();
  while (true) {
    const long left = std::min(steps_left(stop), refresh - steps_done());
    const Control control = launch(std::min(recovery.launch(launch_steps_), left));
    tell(control);
    if (judge(control) == Ending::failed || !stepper.admissible()) {
      if (!recovery.possible()) return Ending::failed;
      failures_.go_back();
      history_.count_recovery();
      refresh = lift_.next(steps_done());
      set_stop();
    } else {
      if (recovery.over(control)) {
        stepper.resume_full_step();
        observer_.message(fmt::format("t = {:.6g}, step {}: back to the full step", control.time, control.steps));
      }
      // Steps are repeated from the kept state with the force that was kept: each force gets a state of its own, and
      // while steps are reduced, and no state is kept, the force stays what it is.
      const bool due = control.steps == refresh, refreshed = due && recovery.factor() == 1;
      if (refreshed) lift_.refresh(flow_.discretization(), stepper);
      const bool only_to_refresh =
          control.status == static_cast<int>(RunStatus::step_limit) && control.steps < stop.step;
      const bool stopped = control.status != static_cast<int>(RunStatus::running) && !only_to_refresh;
      if (recovery.keeps(stopped || refreshed)) stepper.keep();
      if (stopped) return judge(control);
      if (due) {
        refresh = lift_.next(refresh);
        set_stop();
      }
    }
    const bool interrupts = stop.interrupts();
    if (observer_.interrupted() || (team_ ? team_->any(interrupts) : interrupts)) return Ending::interrupted;
  }
}

}  // namespace galerna::solver
