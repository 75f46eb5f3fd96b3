#include "dg/discretization.hpp"

#include <stdexcept>

#include "dg/run/state_reader.hpp"

namespace galerna::dg {

const ElementSet& FlowOperator::set_of(mesh::Index element) const {
  for (const ElementSet& set : sets())
    if (element < set.first_element + set.blocks.items) return set;
  throw std::logic_error("set_of: there is no such element");
}

double Discretization::domain_measure() const {
  std::vector<ExactSum> measures;
  for (const ElementSet& set : sets_) measures.push_back(set.measure);
  join_sums(ranks_, measures);
  double sum = 0;
  for (const ExactSum& measure : measures) sum += measure.value();
  return sum;
}

std::shared_ptr<const StateReader> Discretization::reader(device::Memory& state, const device::HostRooms& rooms) {
  if (device().kind() == device::Kind::host) return nullptr;
  return std::make_shared<StateReader>(launcher_, sets_, states_, state, rooms);
}

void Discretization::begin_step(bool monitored) {
  stages_.forget_traces();
  reductions_.control_step("begin_step", monitored, 0, false, false);
}

std::vector<double> Discretization::read_report(FaceSet::Report which, std::size_t quantity) {
  std::vector<double> values;
  for (const FaceSet& faces : faces_) faces.read_report(device(), which, quantity, boundary_points(), values);
  return values;
}

BoundaryFlow Discretization::boundary_flow(device::Memory& state, double time) {
  BoundaryFlow flow;
  if (mesh_.boundary_faces == 0 && !ranks_) return flow;  // other ranks wait for traces of this one
  const kernels::Control present = read_control();
  kernels::Control look{};
  look.active = 1;
  look.time = time;
  write_control(look);
  stages_.forget_traces();
  StageCall call;
  call.at = &state;
  stages_.sides(call, true);
  device().synchronize();
  write_control(present);
  flow.inside = read_report(FaceSet::Report::inviscid, 0);
  flow.inviscid = read_report(FaceSet::Report::inviscid, 1);
  if (!spec_.viscous) return flow;
  flow.viscous_state = read_report(FaceSet::Report::viscous, 0);
  flow.viscous = read_report(FaceSet::Report::viscous, 1);
  return flow;
}

BoundaryTotals Discretization::boundary_totals() {
  return boundary_sums_.totals(mesh_.boundary_faces > 0 && read_control().accepted != 0);
}

std::array<std::vector<device::Memory*>, 3> Discretization::sums() const {
  const auto fluxes = boundary_sums_.arrays();
  return {fluxes[0], fluxes[1], stages_.sums()};
}

Discretization::Sums Discretization::read_sums() {
  Sums result;
  const auto memories = sums();
  for (std::size_t k = 0; k < result.size(); ++k)
    for (device::Memory* memory : memories[k]) {
      const std::vector<double> values = read_numbers(device(), memory);
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
        device().write(*memory, from, memory->bytes());
        from += memory->bytes() / sizeof(double);
      }
  }
}

}  // namespace galerna::dg
