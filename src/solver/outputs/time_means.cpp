#include "solver/outputs/time_means.hpp"

#include <limits>

#include "analysis/source_order.hpp"

namespace galerna::solver {
namespace {

std::vector<int> coefficients_per_element(const files::Checkpoint& checkpoint, const FlowState& flow) {
  return analysis::coefficients_per_element(flow.mesh(), checkpoint.degree,
                                            flow.discretization().spec().variables.size());
}

}  // namespace

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
  dg::FlowOperator& discretization = flow.flow().discretization();
  checkpoint.state["average_integral"] = analysis::to_source_order(
      flow.flow().mesh(), discretization.states().read(discretization.whole(*flow.integral())),
      coefficients_per_element(checkpoint, flow.flow()));
}

void TimeMeans::restart(const files::Checkpoint& checkpoint, const FlowState& flow) {
  time::Stepper& stepper = flow.stepper();
  const auto average = checkpoint.state.find("average");
  if (!stepper.integral() || average == checkpoint.state.end()) return;
  const double since = average->second.at(0);
  if (since < *settings_.output.average_start) return;
  flow.write(*stepper.integral(),
             analysis::from_source_order(flow.mesh(), checkpoint.state.at("average_integral"),
                                         coefficients_per_element(checkpoint, flow)),
             checkpoint.degree);
  stepper.continue_average(since, average->second.at(1));
  const std::vector<double>& forces = checkpoint.state.at("average_forces");
  if (forces.size() == forces_.state().size()) forces_.restore(forces);
}

void TimeMeans::report(files::Report& report, const time::Stepper& stepper) const {
  const std::optional<double> since = stepper.averages_since();
  if (since) report.averages = {*since, stepper.control().time - *since, forces_.moments()};
}

}  // namespace galerna::solver
