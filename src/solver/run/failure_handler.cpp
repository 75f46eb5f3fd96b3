#include "solver/run/failure_handler.hpp"

#include <fmt/format.h>

#include "solver/check_formulas.hpp"
#include "solver/check_initial.hpp"

namespace galerna::solver {

using kernels::Control;
using kernels::RunStatus;

namespace {

/// Why an initial state from formulas is not physical; "" where nothing is known.
std::string explain_start(const case_file::Settings& settings, const mesh::Mesh& mesh, int degree) {
  if (const auto formula = find_unphysical_formula(settings, mesh)) return "; " + formula->text;
  return degree == 0 ? "" : explain_overshoot(settings, degree);
}

/// What to do where a checkpoint's state is not physical any more at the case's degree.
std::string remedy_of_degree(const case_file::Settings& settings, int degree) {
  const std::string same = fmt::format("set discretization.order = {}, that of the checkpoint", degree);
  if (settings.shock && settings.shock->positivity) return same;
  return fmt::format(
      "{}, or {}", same,
      settings.shock ? "set shock.positivity = true" : "give the case a section [shock], which may be empty");
}

}  // namespace

void FailureHandler::require_physical_start(const std::optional<Origin>& origin) const {
  const std::int64_t bad = flow_.discretization().first_inadmissible(flow_.stepper().state());
  if (bad < 0) return;
  const case_file::Settings& settings = flow_.settings();
  const bool from_formulas = flow_.control().steps == 0;
  if (origin) {
    const std::string what = describe(inspect(flow_.solution(), flow_.discretization(), diagnostics_, bad));
    if (origin->degree == flow_.degree())
      throw InputError({origin->file.string()}, fmt::format("the state of the checkpoint is not physical: {}: take an "
                                                            "earlier checkpoint, such as checkpoint_last_good.h5",
                                                            what));
    throw InputError({origin->file.string()},
                     fmt::format("the state of the checkpoint, of degree {}, is not physical at degree {}: {}: {}",
                                 origin->degree, flow_.degree(), what, remedy_of_degree(settings, origin->degree)));
  }
  throw InputError(settings.initial.place,
                   fmt::format("the initial state is not physical: {}{}",
                               describe(inspect(flow_.solution(), flow_.discretization(), diagnostics_, bad)),
                               from_formulas ? explain_start(settings, flow_.mesh(), flow_.degree()) : ""));
}

/// What is wrong with the present state.
std::string FailureHandler::trouble() const {
  const Control& failed = flow_.control();
  if (failed.status == static_cast<int>(RunStatus::step_underflow))
    return fmt::format("the time step fell to {:.3g}", failed.dt);
  if (failed.status == static_cast<int>(RunStatus::mean_lost))
    return fmt::format("the mean of an element loses its density or pressure in a step of {:.3g}", failed.dt);
  return describe(inspect(flow_.solution(), flow_.discretization(), diagnostics_, failed.bad_element));
}

void FailureHandler::go_back() {
  time::Stepper& stepper = flow_.stepper();
  const std::string what = trouble();
  const Control failed = stepper.control(), kept = stepper.kept_control();
  recovery_.begin(failed, kept);
  stepper.go_back(recovery_.factor());
  const Control& control = stepper.control();
  const std::string step = control.cfl > 0          ? fmt::format("cfl = {:.4g}", control.cfl)
                           : control.fixed_step > 0 ? fmt::format("steps of {:.4g}", control.fixed_step)
                                                    : fmt::format("tolerance = {:.4g}", control.tolerance);
  observer_.message(fmt::format(
      "t = {:.6g}, step {}: {}\n  recovery {} of {}: back to t = {:.6g}, step {}; on with {} until t = {:.6g}",
      failed.time, failed.steps, what, recovery_.count(), recovery_.attempts(), kept.time, kept.steps, step,
      recovery_.until()));
}

/// Adds to a failure which element went bad.
void FailureHandler::blame(files::Failure& failure, const BadElement& bad) const {
  const Control& control = flow_.control();
  if (control.status == static_cast<int>(RunStatus::inadmissible)) {
    failure.what = describe(bad);
  } else if (control.status == static_cast<int>(RunStatus::mean_lost)) {
    failure.what += ": " + describe(bad);
  } else {
    failure.what += "; a longer step gives " + describe(bad);
    failure.time = control.time;
    failure.step_set_by = "this trial, a tenth of the largest stable step, after all shorter ones were rejected";
  }
  failure.variable = bad.variable;
  failure.element = bad.number;
  failure.where = bad.centroid;
}

/// Formulas that give no usable values any more are to blame for all that follows.
void FailureHandler::blame_formulas(files::Failure& failure) const {
  const std::vector<Problem> problems =
      unusable_formulas(flow_.settings(), flow_.mesh(), failure.time, FormulaUse::failure);
  for (const Problem& problem : problems) failure.what += fmt::format("; {}", problem.text);
}

files::Failure FailureHandler::give_up(Outputs& outputs, const RunHistory& history) const {
  const dg::FlowOperator& discretization = flow_.discretization();
  const Control control = flow_.control();
  analysis::Solution failed = flow_.copied_solution();
  files::Failure failure;
  failure.what = trouble();
  failure.time = control.time;
  failure.step = static_cast<long>(control.steps);
  failure.dt = control.dt;

  // The checkpoint first: repeating the failure keeps a later state, in which the trouble may have begun.
  Snapshot good(flow_, Snapshot::Of::kept, true);
  outputs.write_checkpoint(history.checkpoint(good)(), "last_good");
  mesh::Index element = control.bad_element;
  if (const std::optional<time::FailingStage> stage = flow_.stepper().find_failing_stage()) {
    failed = flow_.solution_of(*stage->result, stage->control);
    explain(failure, *stage, Snapshot(flow_, Snapshot::Of::kept, true).solution(), discretization, flow_.settings(),
            diagnostics_);
    failed.time = failure.time;
    failed.step = static_cast<long>(failure.step);
    element = stage->element;
  }
  if (element >= 0) {
    const BadElement bad = inspect(failed, discretization, diagnostics_, element);
    blame(failure, bad);
    failure.advice = advice(history.sequence().settings(), flow_.mesh(), bad);
    outputs.write_state(failed, "failed_neighbourhood", neighbourhood(flow_.mesh(), element));
  } else {
    failure.advice = {"look at the last solution for the place of the largest wave speed"};
  }
  blame_formulas(failure);
  outputs.write_state(failed, "failed");
  observer_.error(fmt::format("{}\nlast good state: {} at t = {:.10g}", describe(failure),
                              (outputs.directory() / "checkpoint_last_good.h5").string(), good.time()));
  for (const std::string& line : failure.advice) observer_.error("  try: " + line);
  return failure;
}

}  // namespace galerna::solver
