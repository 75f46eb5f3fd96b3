#include "solver/outputs/time_means.hpp"

#include <limits>

#include "solver/run/checkpoint_state.hpp"

namespace galerna::solver {

double TimeMeans::next_start(time::Stepper& stepper) {
  const kernels::Control& control = stepper.control();
  const bool ahead = stepper.integral() && control.time < control.average_start;
  return ahead ? control.average_start : std::numeric_limits<double>::infinity();
}

void TimeMeans::sample_forces(Snapshot& flow) {
  const kernels::Control& control = flow.control();
  if (flow.integral() && control.time >= control.average_start)
    forces_.sample(control.time, flow.flow().mesh(), flow.walls());
}

void TimeMeans::write(files::Checkpoint& checkpoint, const Snapshot& flow) const {
  if (!flow.integral()) return;
  checkpoint.state["average"] = {flow.control().average_start, flow.control().average_pending};
  checkpoint.state["average_forces"] = forces_.state();
  checkpoint.state_pieces["average_integral"] = in_source_order(std::make_shared<const analysis::Solution>(
      flow.flow().capture(*flow.integral(), flow.control(), flow.stays())()));
}

void TimeMeans::restart(const files::Checkpoint& checkpoint, const FlowState& flow) {
  time::Stepper& stepper = flow.stepper();
  const auto average = checkpoint.state.find("average");
  if (!stepper.integral() || average == checkpoint.state.end()) return;
  const double since = average->second.at(0);
  if (since < *settings_.output.average_start) return;
  flow.write(*stepper.integral(), state_numbers(checkpoint, "average_integral"), checkpoint.degree);
  stepper.continue_average(since, average->second.at(1));
  const std::vector<double>& forces = checkpoint.state.at("average_forces");
  if (forces.size() == forces_.state().size()) forces_.restore(forces);
}

void TimeMeans::report(files::Report& report, const time::Stepper& stepper) const {
  const std::optional<double> since = stepper.averages_since();
  if (since) report.averages = {*since, stepper.control().time - *since, forces_.moments()};
}

}  // namespace galerna::solver
