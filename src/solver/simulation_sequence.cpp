// The degrees of a Simulation: set-up of one, and the way to the next (time.sequence).
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

#include "analysis/source_order.hpp"
#include "base/interruption.hpp"
#include "solver/degree_sequence.hpp"
#include "solver/simulation.hpp"
#include "solver/structures.hpp"
#include "solver/user_errors.hpp"

namespace galerna::solver {
namespace {

/// What goes on when the degree changes: the clock, the counts of work and the force that far fields know, but not what
/// is known of the change of a step.
time::ControllerState clock_of(const time::ControllerState& state) {
  time::ControllerState clock;
  const std::set<std::string> goes_on = {"time_low", "rejected", "rhs_evaluations", "wall_force_x", "wall_force_y"};
  for (const auto& [name, value] : state)
    if (goes_on.contains(name)) clock.emplace_back(name, value);
  return clock;
}

}  // namespace

void Simulation::set_up(const std::optional<files::Checkpoint>& checkpoint) {
  const time::Scheme& scheme = time::find_scheme(settings_.time.scheme);
  dg::Spec spec = make_spec(sequence_.settings(), mesh_, options_.precision);
  choose_structure(spec, mesh_, *device_, options_.structure, checkpoint ? &*checkpoint : nullptr, clock_);
  const time::StepSettings step_settings = make_step_settings(sequence_.settings(), mesh_);
  plan_and_require_memory(spec, scheme, step_settings);
  discretization_ = with_user_errors(settings_, [&] {
    return dg::make_flow_operator(*device_, mesh_, spec, make_walls(settings_, mesh_), time::stage_shapes(scheme));
  });
  stepper_ = std::make_unique<time::Stepper>(*discretization_, scheme, step_settings);
}

/// Knows what will be allocated, and refuses before it is.
void Simulation::plan_and_require_memory(const dg::Spec& spec, const time::Scheme& scheme,
                                         const time::StepSettings& step_settings) {
  const PlanOf plan = plan_of(mesh_, spec, scheme, step_settings, device::traits_of(*device_));
  memory_ = plan(spec.degree, spec.precision);
  require_memory(plan, spec.degree, spec.precision, mesh_.element_count(), device_->memory_free());
}

void Simulation::start_clock(double time, long step, const time::ControllerState& controller, bool same_degree) {
  stepper_->start(time, step);
  stepper_->restore(same_degree ? controller : clock_of(controller));
  sequence_.count_from(stepper_->control().rhs_evaluations);
}

bool Simulation::climbs(Ending ending) const {
  if (sequence_.is_last()) return false;
  return ending == Ending::steady || (ending == Ending::none && stepper_->control().steps >= sequence_.last_step());
}

/// Discretization and stepper of a degree, for the flow so far.
void Simulation::go_on_at(std::size_t level, const analysis::Solution& flow, const kernels::Control& control,
                          const std::vector<double>& boundary_flux) {
  stepper_.reset();
  discretization_.reset();
  sequence_.go_to(level);
  set_up({});
  write_as_present_degree(*discretization_, mesh_, stepper_->state(), flow.coefficients(), flow.degree);
  const bool same_degree = flow.degree == discretization_->spec().degree;
  if (!same_degree) stepper_->limit_initial();
  start_clock(control.time, static_cast<long>(control.steps), time::Stepper::controller_state(control), same_degree);
  discretization_->reset_boundary_flux(boundary_flux);
  stepper_->keep();
}

/// The flow goes on as a polynomial of the next degree, which it is already.
bool Simulation::climb() {
  const WallClock::Scope timing(clock_, WallClock::Part::setup);
  const kernels::Control below = stepper_->control();
  const analysis::Solution flow = solution();
  const std::vector<double> flux = discretization_->boundary_flux();
  sequence_.keep_work(work());
  try {
    go_on_at(sequence_.level() + 1, flow, below, flux);
  } catch (const Interruption&) {
    go_on_at(sequence_.level() - 1, flow, below, flux);
    return false;
  }
  sequence_.finish_level(flow.degree, below);
  launch_steps_ = time::Stepper::steps_per_launch();
  observer_.message(fmt::format("step {}, change {:.3e}: from p = {} to p = {}, {} degrees of freedom", below.steps,
                                below.change, flow.degree, discretization_->spec().degree,
                                discretization_->degrees_of_freedom()));
  tell_structures();
  return true;
}

/// Numbers of right-hand sides that the run has computed.
double Simulation::work() const {
  return sequence_.work(discretization_->degrees_of_freedom(), stepper_->control());
}

}  // namespace galerna::solver
