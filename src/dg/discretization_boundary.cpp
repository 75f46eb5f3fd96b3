// What flows through the boundary of a Discretization: point by point for reports, and summed over time.
#include "dg/discretization.hpp"

namespace galerna::dg {

std::vector<double> Discretization::read_report(FaceSet::Report which, std::size_t quantity) {
  std::vector<double> values;
  for (const FaceSet& faces : faces_) faces.read_report(device_, which, quantity, boundary_points(), values);
  return values;
}

BoundaryFlow Discretization::boundary_flow(device::Memory& state, double time) {
  BoundaryFlow flow;
  if (mesh_.boundary_faces == 0) return flow;
  const kernels::Control present = read_control();
  kernels::Control look{};
  look.active = 1;
  look.time = time;
  write_control(look);
  traced_ = nullptr;
  StageCall call;
  call.at = &state;
  launch_sides(call, true);
  device_.synchronize();
  write_control(present);
  flow.inside = read_report(FaceSet::Report::inviscid, 0);
  flow.inviscid = read_report(FaceSet::Report::inviscid, 1);
  if (!spec_.viscous) return flow;
  flow.viscous_state = read_report(FaceSet::Report::viscous, 0);
  flow.viscous = read_report(FaceSet::Report::viscous, 1);
  return flow;
}

std::vector<double> Discretization::read_numbers(device::Memory* memory) {
  std::vector<double> values(memory ? memory->bytes() / sizeof(double) : 0);
  if (memory) device_.read(values.data(), *memory, memory->bytes());
  return values;
}

std::vector<std::vector<device::Memory*>> Discretization::sums() const {
  std::vector<std::vector<device::Memory*>> memories(3);
  for (const FaceSet& faces : faces_) {
    memories[0].push_back(faces.pending_flux());
    memories[1].push_back(faces.total_flux());
  }
  memories[2] = {limiter_ ? limiter_->counts() : nullptr};
  return memories;
}

Discretization::Sums Discretization::read_sums() {
  Sums result;
  const auto memories = sums();
  for (std::size_t k = 0; k < result.size(); ++k)
    for (device::Memory* memory : memories[k]) {
      const std::vector<double> values = read_numbers(memory);
      result[k].insert(result[k].end(), values.begin(), values.end());
    }
  return result;
}

void Discretization::write_sums(const Sums& values) {
  const auto memories = sums();
  for (std::size_t k = 0; k < values.size(); ++k) {
    const double* from = values[k].data();
    for (device::Memory* memory : memories[k])
      if (memory) {
        device_.write(*memory, from, memory->bytes());
        from += memory->bytes() / sizeof(double);
      }
  }
}

void Discretization::reset_boundary_flux(const std::vector<double>& earlier) {
  earlier_flux_ = earlier;
  for (const FaceSet& faces : faces_)
    for (device::Memory* memory : {faces.total_flux(), faces.pending_flux()})
      if (memory) device_.clear(*memory);
}

std::vector<double> Discretization::flux_of_last_step(const std::vector<bool>& chosen) {
  std::vector<double> result(static_cast<std::size_t>(spec_.variable_count()), 0.0);
  for (const FaceSet& faces : faces_)
    faces.add(
        read_numbers(faces.pending_flux()),
        [&](const mesh::Face& face) { return chosen[static_cast<std::size_t>(face.boundary)]; }, result);
  return result;
}

std::vector<double> Discretization::boundary_flux() {
  std::vector<double> result = earlier_flux_;
  const bool counts = mesh_.boundary_faces > 0 && read_control().accepted != 0;
  for (const FaceSet& faces : faces_) {
    std::vector<double> values = read_numbers(faces.total_flux());
    const std::vector<double> pending = read_numbers(faces.pending_flux());
    for (std::size_t k = 0; k < values.size(); ++k) values[k] += counts ? pending[k] : 0.0;
    faces.add(
        values, [](const mesh::Face&) { return true; }, result);
  }
  return result;
}

}  // namespace galerna::dg
