#include "solver/run/run_progress.hpp"

#include <algorithm>

namespace galerna::solver {

Progress run_progress(const FlowState& flow, const RunHistory& history, double loop, Forecast& forecast, double done) {
  const kernels::Control& control = flow.control();
  Progress p;
  p.time = control.time;
  p.dt = control.dt;
  p.step = static_cast<long>(control.steps);
  p.seconds = loop;
  forecast.add(loop, done);
  p.done = forecast.done();
  p.left = forecast.left();
  p.steps_per_second = static_cast<double>(control.steps - history.start_step()) / std::max(loop, 1e-9);
  p.dof_per_second = history.work(flow) / std::max(loop, 1e-9);
  return p;
}

}  // namespace galerna::solver
