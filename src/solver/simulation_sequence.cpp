// The degrees of a Simulation: set-up of one, and the way to the next (time.sequence).
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

#include "base/interruption.hpp"
#include "solver/sequence.hpp"
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

/// A checkpoint of a degree of the sequence is continued there, any other one at the last degree.
std::size_t Simulation::first_level(const std::optional<output::Checkpoint>& checkpoint) const {
  if (!checkpoint) return 0;
  const auto at = std::find(degrees_.begin(), degrees_.end(), checkpoint->degree);
  return at == degrees_.end() ? degrees_.size() - 1 : static_cast<std::size_t>(at - degrees_.begin());
}

void Simulation::set_up(const std::optional<output::Checkpoint>& checkpoint) {
  at_level_ = at_degree(settings_, degrees_[level_]);
  const time::Scheme& scheme = time::find_scheme(settings_.time.scheme);
  dg::Spec spec = make_spec(at_level_, mesh_, options_.precision);
  choose_structure(spec, mesh_, *device_, options_.structure, checkpoint ? &*checkpoint : nullptr, clock_);
  const time::StepSettings step_settings = make_step_settings(at_level_);
  plan_and_require_memory(spec, scheme, step_settings);
  discretization_ = with_user_errors(settings_, [&] {
    return std::make_unique<dg::Discretization>(*device_, mesh_, spec, make_walls(settings_, mesh_),
                                                time::stage_shapes(scheme));
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

void Simulation::write_as_present_degree(device::Memory& state, const std::vector<double>& coefficients, int degree) {
  const int now = discretization_->spec().degree;
  const std::size_t variables = discretization_->spec().variables.size();
  discretization_->write_state(
      state, degree == now ? coefficients : output::project_degree(coefficients, mesh_, variables, degree, now));
}

void Simulation::start_clock(double time, long step, const time::ControllerState& controller, bool same_degree) {
  stepper_->start(time, step);
  stepper_->restore(same_degree ? controller : clock_of(controller));
  level_evaluations_ = stepper_->control().rhs_evaluations;
}

long Simulation::last_step_of_level() const {
  const bool last = level_ + 1 == degrees_.size();
  return last || !settings_.time.sequence_steps ? std::numeric_limits<long>::max()
                                                : level_step_ + *settings_.time.sequence_steps;
}

bool Simulation::climbs(Ending ending) const {
  if (level_ + 1 == degrees_.size()) return false;
  return ending == Ending::steady || (ending == Ending::none && stepper_->control().steps >= last_step_of_level());
}

/// Discretization and stepper of a degree, for the flow so far.
void Simulation::go_on_at(std::size_t level, const output::Solution& flow, const kernels::Control& control,
                          const std::vector<double>& boundary_flux) {
  stepper_.reset();
  discretization_.reset();
  level_ = level;
  set_up({});
  write_as_present_degree(stepper_->state(), flow.coefficients, flow.degree);
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
  const output::Solution flow = solution();
  const std::vector<double> flux = discretization_->boundary_flux();
  work_ = work();
  try {
    go_on_at(level_ + 1, flow, below, flux);
  } catch (const Interruption&) {
    go_on_at(level_ - 1, flow, below, flux);
    return false;
  }
  levels_.push_back({flow.degree, below.steps - level_step_, below.change});
  level_step_ = static_cast<long>(below.steps);
  launch_steps_ = time::Stepper::steps_per_launch();
  observer_.message(fmt::format("step {}, change {:.3e}: from p = {} to p = {}, {} degrees of freedom", below.steps,
                                below.change, flow.degree, discretization_->spec().degree,
                                discretization_->degrees_of_freedom()));
  tell_structures();
  return true;
}

/// Numbers of right-hand sides that the run has computed.
double Simulation::work() const {
  return work_ + static_cast<double>(discretization_->degrees_of_freedom()) *
                     static_cast<double>(stepper_->control().rhs_evaluations - level_evaluations_);
}

}  // namespace galerna::solver
