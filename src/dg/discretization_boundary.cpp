// What a Discretization lets through its boundary, point by point, for reports.
#include "dg/discretization.hpp"

namespace galerna::dg {

std::size_t Discretization::report_bytes() const {
  const auto values = static_cast<std::size_t>(2 * operators().side.size() * spec_.variable_count());
  return face_of_lane_.size() * values * static_cast<std::size_t>(bytes_of(spec_.precision));
}

/// One quantity of report_ (kernels::GhostArguments::report): [boundary face][point][variable].
std::vector<double> Discretization::read_report(std::size_t part, std::size_t quantity) {
  const auto variables = static_cast<std::size_t>(spec_.variable_count()),
             points = static_cast<std::size_t>(operators().side.size()), values = points * 2 * variables;
  const std::vector<double> all = read_blocked(device_, spec_.precision, face_blocks_, *report_,
                                               static_cast<std::int64_t>(values), 1, part * report_bytes());
  std::vector<double> result;
  for (std::size_t lane = 0; lane < face_of_lane_.size(); ++lane)
    for (std::size_t q = 0; q < points && !lane_is_padding_[lane]; ++q) {
      const auto from = all.begin() + static_cast<std::ptrdiff_t>(lane * values + (2 * q + quantity) * variables);
      result.insert(result.end(), from, from + static_cast<std::ptrdiff_t>(variables));
    }
  return result;
}

BoundaryFlow Discretization::boundary_flow(device::Memory& state, double time) {
  BoundaryFlow flow;
  if (face_of_lane_.empty()) return flow;
  const kernels::Control present = read_control();
  kernels::Control look{};
  look.active = 1;
  look.time = time;
  write_control(look);
  traced_ = nullptr;
  StageCall call;
  call.at = &state;
  if (general_)
    general_sides(call, report_->address());
  else
    triangle_sides(call, report_->address());
  device_.synchronize();
  write_control(present);
  flow.inside = read_report(0, 0);
  flow.inviscid = read_report(0, 1);
  if (!spec_.viscous) return flow;
  flow.viscous_state = read_report(1, 0);
  flow.viscous = read_report(1, 1);
  return flow;
}

const BoundaryPoints& Discretization::boundary_points() {
  if (!boundary_points_)
    boundary_points_ =
        make_boundary_points(mesh_, sets_, std::vector<std::optional<WallShape>>(mesh_.boundaries.size()));
  return *boundary_points_;
}

}  // namespace galerna::dg
