/// \file
/// The controller of the time loop: what is decided before and after each step from totals over all elements. It runs
/// on the device, so that the host need not wait for anything between outputs.
#pragma once

#include "kernels/step_control.hpp"
#include "kernels/step_totals.hpp"

namespace galerna::kernels {

/// Step from stability, the fixed value or the error controller; shortened so that the run stops exactly at stop_time,
/// and without a tiny last step (two halves instead).
inline double choose_step(const Control& c) {
  double dt = c.fixed_step;
  if (c.cfl > 0) dt = c.cfl * c.largest_stable;
  if (c.tolerance > 0) dt = c.next_dt > 0 ? c.next_dt : 0.1 * c.largest_stable;
  const double remaining = (c.stop_time - c.time) - c.time_low;
  if (remaining <= dt * (1 + 1e-9)) return remaining;
  if (c.fixed_step <= 0 && remaining < 2 * dt) return 0.5 * remaining;
  return dt;
}

/// Whether the step from the present time counts for the time mean.
inline bool averages(const Control& c) {
  return c.time >= c.average_start;
}

/// Before a step: is the state admissible, and how large is the step? \param limit the least of step_limits.
inline void begin(Control& c, double limit) {
  c.active = 0;
  if (c.status != int(RunStatus::running)) return;
  c.bad_element = bad_element_of(limit);
  if (c.bad_element >= 0) {
    c.status = int(RunStatus::inadmissible);
    return;
  }
  c.largest_stable = limit;
  if (c.steps >= c.step_limit) {
    c.status = int(RunStatus::step_limit);
    return;
  }
  const double dt = choose_step(c);
  if (!(dt > 0)) {  // at the stop, or below the normal range, where numbers count as zero (device/host_threads.cpp)
    c.status = int(c.time < c.stop_time ? RunStatus::step_underflow : RunStatus::reached_stop);
    return;
  }
  // At t = 0 only the stable step tells what is small: steps that are rejected without end must not shrink for ever.
  const double smallest = 1e-14 * (c.time > c.largest_stable ? c.time : c.largest_stable);
  if (dt < smallest && c.stop_time - c.time > 2 * smallest) {
    c.status = int(RunStatus::step_underflow);
    return;
  }
  c.dt = dt;
  c.active = 1;
  c.mean_lost = 0;
  c.average_weight = averages(c) ? c.average_pending + 0.5 * dt : 0;
}

/// t += dt with compensation; exactly stop_time when the step ended there.
inline void advance_time(Control& c) {
  const double remaining = (c.stop_time - c.time) - c.time_low;
  if (c.dt >= remaining) {
    c.time = c.stop_time;
    c.time_low = 0;
    c.status = int(RunStatus::reached_stop);
    return;
  }
  const double low = c.time_low + c.dt, sum = c.time + low;
  c.time_low = low - (sum - c.time);
  c.time = sum;
}

/// Steady-state criteria: change ≤ tolerance; or the change has stopped falling (no new minimum for 5,000 steps) at the
/// level of round-off (100 units in the last place of the largest coefficient).
inline void judge_steadiness(Control& c) {
  if (c.change < c.best_change) {
    c.best_change = c.change;
    c.steps_since_best = 0;
  } else {
    c.steps_since_best += 1;
  }
  if (c.freeze_after > 0 && !c.frozen && c.steps_since_best >= c.freeze_after) {
    // What comes is another problem, whose change begins anew.
    c.frozen = 1;
    c.best_change = 1e300;
    c.steps_since_best = 0;
  }
  if (c.change <= c.steady_tolerance) {
    c.status = int(RunStatus::steady);
  } else if (c.steps_since_best >= 5000 && c.best_change <= 100 * c.round_off * c.largest_mode) {
    c.status = int(RunStatus::steady_floor);
  }
}

/// The error of a step in units of the tolerance: with S_v² the mean over the elements of a variable's squared scales,
/// of a vector that of all its components, the root mean square over all coefficients of error/(tolerance S_v).
template <int variables>
double weighted_error(const ControlArguments& a, const ErrorSums<variables>& sums, double tolerance) {
  double errors[variables] = {}, scales[variables] = {}, square = 0;
  for (int v = 0; v < variables; ++v) {
    errors[a.vectors[v]] += sums.errors[v].value();
    scales[a.vectors[v]] += sums.scales[v].value();
  }
  for (int v = 0; v < variables; ++v)
    if (errors[v] != 0) square += errors[v] / (scales[v] / double(a.elements));
  return sqrt(square / double(a.coefficients)) / tolerance;
}

/// Accepts or rejects a step by its error and proposes the next one.
inline void judge_error(Control& c, double error) {
  c.error = error;
  c.accepted = c.error <= 1;
  // A step that was shortened to end at stop_time says nothing against the longer proposal.
  const double proposal = c.dt * next_step_factor(c.error, c.previous_error, c.embedded_order);
  const bool shortened = c.accepted && c.dt < c.next_dt;
  c.next_dt = shortened && c.next_dt > proposal ? c.next_dt : proposal;
  if (c.accepted)
    c.previous_error = c.error;
  else
    c.rejected += 1;
}

/// A step in which a mean was lost: where steps are rejected by their error, it is tried again by the device, half as
/// long; elsewhere its beginning is overwritten, and the host goes back to it.
inline void reject_lost_mean(Control& c, bool keeps_beginning) {
  c.accepted = 0;
  c.rejected += 1;
  if (keeps_beginning)
    c.next_dt = 0.5 * c.dt;
  else
    c.status = int(RunStatus::mean_lost);
}

/// After a step: accept or reject it, advance the time, judge the change.
/// \tparam variables of the system.
template <int variables>
void end(Control& c, const ControlArguments& a, const StepSums<variables>& sums, const ErrorSums<variables>& errors) {
  if (!c.active) return;
  c.rhs_evaluations += a.stages;
  c.accepted = 1;
  c.mean_lost = sums.mean_lost != 0;
  if (c.mean_lost)
    reject_lost_mean(c, a.error);
  else if (a.error)
    judge_error(c, weighted_error(a, errors, c.tolerance));
  // Half of the step for the state at each of its ends; taken back if the step is repeated.
  if (averages(c)) c.average_pending = c.accepted ? 0.5 * c.dt : -0.5 * c.dt;
  if (!c.accepted) return;
  c.steps += 1;
  advance_time(c);
  if (!a.change) return;
  double largest_residual = 0;
  for (int v = 0; v < variables; ++v) {
    c.residual[v] = sqrt(sums.squares[v].value()) / c.dt;
    largest_residual = larger(largest_residual, c.residual[v]);
  }
  c.change = c.steady_norm == 0 ? sums.change : largest_residual;
  c.largest_mode = c.steady_norm == 0 ? sums.largest_mode : sums.largest_mode / c.dt;
  if (c.steady_tolerance > 0) judge_steadiness(c);
}

/// Runs `change` on a copy of the control block, read and written as a whole: in memory each number would be waited
/// for. By one thread.
template <class Change>
void update(Control* control, const Change& change) {
  Control c = *control;
  change(c);
  *control = c;
}

template <int variables>
void begin_step(const ControlArguments& a, const Item& item) {
  Totals<LeastLimit> totals;
  add_limits(totals, a, item);
  if (!join_groups(totals, a, item)) return;
  update(a.control, [&](Control& c) { begin(c, a.monitored ? totals.limit : c.largest_stable); });
}

/// \tparam by_error whether steps are judged by their error: that takes half of the time to compile.
template <int variables, bool by_error = true>
void end_step(const ControlArguments& a, const Item& item) {
  if constexpr (by_error) {
    Totals<StepSums<variables>, ErrorSums<variables>> totals;
    add_step_sums<variables>(totals, a, item);
    add_error_sums<variables>(totals, a, item);
    if (!join_groups(totals, a, item)) return;
    update(a.control, [&](Control& c) { end<variables>(c, a, totals, totals); });
  } else {
    Totals<StepSums<variables>> totals;
    add_step_sums<variables>(totals, a, item);
    if (!join_groups(totals, a, item)) return;
    update(a.control, [&](Control& c) { end<variables>(c, a, totals, {}); });
  }
}

/// The end of a step and the beginning of the next one in one launch, without error control.
template <int variables>
void next_step(const ControlArguments& a, const Item& item) {
  Totals<LeastLimit, StepSums<variables>> totals;
  add_limits(totals, a, item);
  add_step_sums<variables>(totals, a, item);
  if (!join_groups(totals, a, item)) return;
  update(a.control, [&](Control& c) {
    end<variables>(c, a, totals, {});
    begin(c, a.monitored ? totals.limit : c.largest_stable);
  });
}

}  // namespace galerna::kernels
