#include "solver/run/next_degree.hpp"

#include <limits>

#include "analysis/source_order.hpp"
#include "base/error.hpp"

namespace galerna::solver {

using kernels::Control;

void NextDegree::forget() {
  state_.reset();
  after_.reset();
  space_.reset();
  fits_ = true;
}

bool NextDegree::is_due(const case_file::Settings& next) {
  constexpr double share = 0.1;
  const long step = static_cast<long>(flow_.control().steps);
  if (!fits_ || step % interval != 0) return false;
  if (!space_) {
    try {
      space_ = setup_.make_discretization(next);
      state_ = space_->allocate_state("state at the next degree");
      after_ = space_->allocate_state("state at the next degree");
    } catch (const SystemError&) {
      forget();
      fits_ = false;
      return false;
    }
  }
  const std::optional<double> there = residual();
  return there && steady_.residual_norm(flow_.control()) <= share * *there;
}

/// By a step of Euler's method of CFL number 1, as steps have their residuals.
std::optional<double> NextDegree::residual() {
  const analysis::Solution flow = flow_.solution();
  space_->write(*state_, analysis::project_degree(flow.coefficients(), flow_.mesh(), flow.variables.size(), flow.degree,
                                                  space_->spec().degree));
  Control control = flow_.control();
  control.cfl = 1;
  control.fixed_step = control.tolerance = control.steady_tolerance = 0;
  control.stop_time = std::numeric_limits<double>::max();
  control.step_limit = std::numeric_limits<std::int64_t>::max();
  control.status = static_cast<int>(kernels::RunStatus::running);
  space_->write_control(control);
  space_->monitor(*state_);
  space_->begin_step(true);
  dg::StageCall call;
  call.at = state_.get();
  call.inputs = {state_.get()};
  call.outputs = {after_.get()};
  call.coefficients = {{1}};
  call.rhs = {1};
  call.first = true;
  space_->stage(call);
  space_->change(*after_, *state_);
  space_->end_step(1, true, false);
  control = space_->read_control();
  if (control.status != static_cast<int>(kernels::RunStatus::running)) return {};
  return steady_.residual_norm(control);
}

}  // namespace galerna::solver
