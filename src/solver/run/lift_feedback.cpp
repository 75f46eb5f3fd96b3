#include "solver/run/lift_feedback.hpp"

#include <algorithm>
#include <limits>

#include "solver/outputs/walls.hpp"

namespace galerna::solver {

LiftFeedback::LiftFeedback(const case_file::Settings& settings, const mesh::Mesh& mesh) {
  if (std::none_of(settings.boundaries.begin(), settings.boundaries.end(),
                   [](const case_file::BoundarySettings& boundary) { return boundary.lift_centre.has_value(); }))
    return;
  const std::vector<std::string> walls = wall_names(settings);
  for (const mesh::Boundary& boundary : mesh.boundaries)
    walls_.push_back(std::find(walls.begin(), walls.end(), boundary.name) != walls.end());
}

std::array<double, 2> LiftFeedback::force(Snapshot& now) {
  std::array<double, 2> sum{};
  for (const analysis::Wall& wall : now.walls()) {
    const std::array<double, 3> force = analysis::wall_force(wall).total();
    sum = {sum[0] + force[0], sum[1] + force[1]};
  }
  return sum;
}

long LiftFeedback::next(long steps) const {
  return walls_.empty() ? std::numeric_limits<long>::max() : (steps / interval + 1) * interval;
}

void LiftFeedback::refresh(dg::FlowOperator& discretization, time::Stepper& stepper) const {
  const std::vector<double> flux = discretization.flux_of_last_step(walls_);
  const kernels::Control& control = stepper.control();
  // The momentum that leaves through walls is the force on them.
  stepper.set_wall_force(
      {0.5 * (control.wall_force_x + flux[1] / control.dt), 0.5 * (control.wall_force_y + flux[2] / control.dt)});
}

}  // namespace galerna::solver
