#include "solver/require_run.hpp"

#include <algorithm>

#include "device/counting.hpp"
#include "device/require_compilable.hpp"
#include "solver/case_programs.hpp"
#include "solver/memory.hpp"
#include "solver/newton_settings.hpp"
#include "solver/outputs/check_outputs.hpp"
#include "solver/polytopic/polytopic_memory.hpp"
#include "solver/problem.hpp"

namespace galerna::solver {
void require_run(const case_file::Settings& settings, const mesh::Mesh& mesh, const RunOptions& options) {
  require_output_directory(settings, mesh);
  const auto device = device::open_device(options.device);
  const dg::Spec spec = make_spec(settings, mesh, options.precision);
  const auto plans = [&](const std::optional<steady::NewtonSettings>& newton) {
    return plan_of(mesh, spec, time::find_scheme(settings.time.scheme), make_step_settings(settings, mesh),
                   device::traits_of(*device), newton);
  };
  const std::size_t free = device->memory_free();
  require_precision(settings, options.precision);
  require_memory(plans(fitting_newton(settings, plans, spec, free)), spec.degree, spec.precision, mesh.element_count(),
                 free);
  device::require_compilable(*device,
                             make_programs(settings, mesh, device::target_of(*device, spec.precision), spec.precision));
}

void require_run(const case_file::Settings& settings, const PolytopicMesh& mesh, const polytopic::Spec& spec,
                 const std::vector<int>& degrees, const RunOptions& options) {
  require_output_directory(settings, mesh.mesh);
  const auto device = device::open_device(options.device);
  const PlanOf plan =
      plan_of(mesh, spec, degrees, device::traits_of(*device), settings.polytopic->solver == "multigrid");
  require_memory(plan, *std::max_element(degrees.begin(), degrees.end()), spec.precision, mesh.polytopes.polytopes,
                 device->memory_free());
  device::require_compilable(*device, polytopic::make_programs(spec, {degrees.begin(), degrees.end()},
                                                               device::target_of(*device, spec.precision)));
}

}  // namespace galerna::solver
