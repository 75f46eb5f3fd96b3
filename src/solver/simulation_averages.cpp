// Time means of a Simulation (output.averages).
#include "solver/simulation.hpp"

namespace galerna::solver {

std::optional<output::Solution> Simulation::mean() {
  const std::optional<double> since = stepper_->averages_since();
  if (!since) return {};
  const kernels::Control& control = stepper_->control();
  output::Solution result = solution_of(*stepper_->integral(), control);
  const std::vector<double> now = discretization_->read_state(stepper_->state());
  const double duration = (control.time - *since) + control.time_low;
  for (std::size_t i = 0; i < now.size(); ++i)
    result.coefficients[i] = (result.coefficients[i] + control.average_pending * now[i]) / duration;
  return result;
}

/// The time at which means begin, if that is still to come; infinity otherwise.
double Simulation::next_average_start() const {
  const kernels::Control& control = stepper_->control();
  const bool ahead = stepper_->integral() && control.time < control.average_start;
  return ahead ? control.average_start : std::numeric_limits<double>::infinity();
}

void Simulation::sample_forces(const GetWalls& walls) {
  const kernels::Control& control = stepper_->control();
  if (stepper_->integral() && control.time >= control.average_start)
    force_averages_.sample(control.time, mesh_, walls());
}

void Simulation::write_averages(output::Checkpoint& checkpoint, const kernels::Control& control,
                                device::Memory* integral) {
  if (!integral) return;
  const std::size_t variables = discretization_->spec().variables.size();
  checkpoint.state["average"] = {control.average_start, control.average_pending};
  checkpoint.state["average_forces"] = force_averages_.state();
  checkpoint.state["average_integral"] =
      output::to_source_order(mesh_, discretization_->read_state(*integral),
                              output::coefficients_per_element(mesh_, checkpoint.degree, variables));
}

/// Goes on with the means of the checkpoint unless the case wants later ones.
void Simulation::restart_averages(const output::Checkpoint& checkpoint) {
  const auto average = checkpoint.state.find("average");
  if (!stepper_->integral() || average == checkpoint.state.end()) return;
  const double since = average->second.at(0);
  if (since < *settings_.output.average_start) return;
  const std::size_t variables = discretization_->spec().variables.size();
  write_as_present_degree(
      *stepper_->integral(),
      output::from_source_order(mesh_, checkpoint.state.at("average_integral"),
                                output::coefficients_per_element(mesh_, checkpoint.degree, variables)),
      checkpoint.degree);
  stepper_->continue_average(since, average->second.at(1));
  const std::vector<double>& forces = checkpoint.state.at("average_forces");
  if (forces.size() == force_averages_.state().size()) force_averages_.restore(forces);
}

void Simulation::report_averages(output::Report& report) const {
  const std::optional<double> since = stepper_->averages_since();
  if (since) report.averages = {*since, stepper_->control().time - *since, force_averages_.moments()};
}

}  // namespace galerna::solver
