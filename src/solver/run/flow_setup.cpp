#include "solver/run/flow_setup.hpp"

#include "base/phases.hpp"
#include "base/process_memory.hpp"
#include "solver/bench/structures.hpp"
#include "solver/case_programs.hpp"
#include "solver/degree_sequence.hpp"
#include "solver/host_memory.hpp"
#include "solver/memory.hpp"
#include "solver/newton_settings.hpp"
#include "solver/problem.hpp"
#include "solver/user_errors.hpp"

namespace galerna::solver {

FlowSetup::FlowSetup(const case_file::Settings& settings, const mesh::Mesh& mesh, RunOptions& options, WallClock& clock)
    : settings_(settings),
      mesh_(mesh),
      options_(options),
      clock_(clock),
      scheme_(time::find_scheme(settings.time.scheme)),
      device_([&] {
        const Phase phase("opening the device");
        return device::open_device(options.device);
      }()) {}

void FlowSetup::require_structure(const files::Checkpoint* checkpoint) {
  if (!options_.structure.empty())
    solver::require_structure(settings_, options_.structure, make_spec(settings_, mesh_, options_.precision), mesh_,
                              device::target_of(*device_, options_.precision));
  else if (checkpoint)
    options_.structure = asked_structure(*checkpoint);
}

void FlowSetup::require_memory(const case_file::Settings& at_degree) {
  require_memory(make_spec(at_degree, mesh_, options_.precision), make_step_settings(at_degree, mesh_));
}

void FlowSetup::require_memory(const dg::Spec& spec, const time::StepSettings& step_settings) {
  const Phase phase("planning memory");
  const auto plans = [&](const std::optional<steady::NewtonSettings>& newton) {
    return plan_of(mesh_, spec, scheme_, step_settings, device::traits_of(*device_), newton);
  };
  const std::size_t free = device_->memory_free();
  newton_ = fitting_newton(settings_, plans, spec, free);
  memory_ = solver::require_memory(plans(newton_), spec.degree, spec.precision, mesh_.element_count(), free);
  if (!options_.writes) return;
  const std::size_t free_of_host = available_memory();
  const auto plan_of_host = [&](int pending) {
    return plan_host_memory(settings_, mesh_, memory_, device_->kind(), spec.precision, pending);
  };
  require_host_memory(fitting_host_plan(plan_of_host, options_.pending, free_of_host), free_of_host);
}

std::unique_ptr<dg::FlowOperator> FlowSetup::make_discretization(const dg::Spec& spec) const {
  return with_user_errors(settings_, [&] {
    return dg::make_flow_operator(*device_, mesh_, spec, make_walls(settings_, mesh_), stage_shapes(settings_),
                                  options_.team);
  });
}

std::unique_ptr<dg::FlowOperator> FlowSetup::make_discretization(const case_file::Settings& at_degree) const {
  dg::Spec spec = make_spec(at_degree, mesh_, options_.precision);
  choose_structure(spec, mesh_, stage_shapes(settings_), *device_, options_.structure, nullptr, clock_, options_.team);
  return make_discretization(spec);
}

void FlowSetup::compile_for_all_degrees() const {
  if (device_->kind() != device::Kind::cuda || options_.team) return;
  if (degrees_of(settings_).size() < 2 && !settings_.time.newton) return;
  with_user_errors(settings_, [&] {
    device_->compile_ahead(
        make_programs(settings_, mesh_, device::target_of(*device_, options_.precision), options_.precision));
    return true;
  });
}

void FlowSetup::set_up(FlowState& flow, const case_file::Settings& at_degree, const files::Checkpoint* checkpoint) {
  flow.reset(nullptr, nullptr);
  dg::Spec spec = make_spec(at_degree, mesh_, options_.precision);
  choose_structure(spec, mesh_, stage_shapes(settings_), *device_, options_.structure, checkpoint, clock_,
                   options_.team);
  const time::StepSettings step_settings = make_step_settings(at_degree, mesh_);
  require_memory(spec, step_settings);
  if (spec.degree == degrees_of(settings_).front()) compile_for_all_degrees();
  auto discretization = make_discretization(spec);
  const Phase phase("clearing states");
  auto stepper = std::make_unique<time::Stepper>(*discretization, scheme_, step_settings);
  flow.reset(std::move(discretization), std::move(stepper));
}

}  // namespace galerna::solver
