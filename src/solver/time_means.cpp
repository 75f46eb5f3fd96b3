#include "solver/time_means.hpp"

#include <limits>

#include "analysis/source_order.hpp"

namespace galerna::solver {

double TimeMeans::next_start(time::Stepper& stepper) {
  const kernels::Control& control = stepper.control();
  const bool ahead = stepper.integral() && control.time < control.average_start;
  return ahead ? control.average_start : std::numeric_limits<double>::infinity();
}

void TimeMeans::finish(analysis::Solution& integral, const analysis::Solution& now, const kernels::Control& control,
                       double since) {
  const double duration = (control.time - since) + control.time_low;
  for (std::size_t b = 0; b < integral.pieces.size(); ++b) {
    std::vector<double>& mean = integral.pieces[b].coefficients;
    for (std::size_t i = 0; i < mean.size(); ++i)
      mean[i] = (mean[i] + control.average_pending * now.pieces[b].coefficients[i]) / duration;
  }
}

void TimeMeans::sample_forces(time::Stepper& stepper, const GetWalls& walls) {
  const kernels::Control& control = stepper.control();
  if (stepper.integral() && control.time >= control.average_start) forces_.sample(control.time, mesh_, walls());
}

void TimeMeans::write(files::Checkpoint& checkpoint, const kernels::Control& control, device::Memory* integral,
                      const dg::FlowOperator& flow) const {
  if (!integral) return;
  checkpoint.state["average"] = {control.average_start, control.average_pending};
  checkpoint.state["average_forces"] = forces_.state();
  checkpoint.state["average_integral"] = analysis::to_source_order(
      mesh_, flow.states().read(*integral),
      analysis::coefficients_per_element(mesh_, checkpoint.degree, flow.spec().variables.size()));
}

void TimeMeans::restart(const files::Checkpoint& checkpoint, time::Stepper& stepper, const dg::FlowOperator& flow) {
  const auto average = checkpoint.state.find("average");
  if (!stepper.integral() || average == checkpoint.state.end()) return;
  const double since = average->second.at(0);
  if (since < *settings_.output.average_start) return;
  write_as_present_degree(flow, mesh_, *stepper.integral(),
                          analysis::from_source_order(mesh_, checkpoint.state.at("average_integral"),
                                                      analysis::coefficients_per_element(mesh_, checkpoint.degree,
                                                                                         flow.spec().variables.size())),
                          checkpoint.degree);
  stepper.continue_average(since, average->second.at(1));
  const std::vector<double>& forces = checkpoint.state.at("average_forces");
  if (forces.size() == forces_.state().size()) forces_.restore(forces);
}

void TimeMeans::report(files::Report& report, const time::Stepper& stepper) const {
  const std::optional<double> since = stepper.averages_since();
  if (since) report.averages = {*since, stepper.control().time - *since, forces_.moments()};
}

void write_as_present_degree(const dg::FlowOperator& flow, const mesh::Mesh& mesh, device::Memory& state,
                             const std::vector<double>& coefficients, int degree) {
  const int now = flow.spec().degree;
  flow.states().write(
      state, degree == now ? coefficients
                           : analysis::project_degree(coefficients, mesh, flow.spec().variables.size(), degree, now));
}

}  // namespace galerna::solver
