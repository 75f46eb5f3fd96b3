#include "dg/run/stages.hpp"

#include <algorithm>
#include <cmath>

namespace galerna::dg {
namespace {

/// A state that is larger than this is no longer in the caches when the next stage reads it; measured where a group of
/// cores shares 32 MB.
constexpr std::size_t cached_state = std::size_t{4} << 20;

/// Coefficients of output k; averages as in kernels::StageUpdate.
void set_coefficients(kernels::StageUpdate& update, std::size_t k, const std::vector<double>& coefficients) {
  double sum = 0;
  for (double c : coefficients) sum += c;
  const auto count = std::count_if(coefficients.begin(), coefficients.end(), [](double c) { return c != 0; });
  const bool average = count > 1 && std::abs(sum - 1) < 1e-14;
  std::copy(coefficients.begin(), coefficients.end(), update.coefficients[k]);
  update.average[k] = average ? 1 : 0;
  if (average) update.coefficients[k][0] = 1;
}

}  // namespace

kernels::StageUpdate Stages::update_of(const StageCall& call, const ElementSet& set) const {
  kernels::StageUpdate update{};
  update.element_limits = address(set.element_limits);
  for (std::size_t i = 0; i < call.inputs.size(); ++i) update.inputs[i] = states_.part(*call.inputs[i], set);
  for (std::size_t k = 0; k < call.outputs.size(); ++k) {
    update.outputs[k] = states_.part(*call.outputs[k], set);
    update.rhs[k] = call.rhs[k];
    set_coefficients(update, k, call.coefficients[k]);
  }
  return update;
}

kernels::ResidualArguments Stages::simplex_arguments(const StageCall& call, const ElementSet& set,
                                                     const SetPart& part) const {
  kernels::ResidualArguments a{};
  a.state = states_.part(*call.at, set);
  a.gradients = gradients_of(set);
  a.neighbours = static_cast<const std::int32_t*>(address(set.neighbours));
  a.traces = faces_[0].traces();
  a.side_basis = address(set.side_basis);
  a.control = control_;
  a.blocks = set.blocks.count;
  a.streams = states_.bytes() > cached_state;
  a.update = update_of(call, set);
  a.tiles = tiles_.arguments;
  if (set.structure->tile > 0) a.tiles.count = part.last() / set.structure->tile;
  a.first_of_launch = static_cast<unsigned>(part.first);
  a.nodes = address(set.nodes);
  a.abscissa = call.abscissa;
  return a;
}

kernels::ElementArguments Stages::element_arguments(const StageCall& call, const ElementSet& set,
                                                    const SetPart& part) const {
  kernels::ElementArguments a{};
  a.state = states_.part(*call.at, set);
  int kind = 0;
  for (Shape shape : side_kinds(set.operators.shape)) {
    const FaceSet& faces = faces_of(faces_, shape);
    a.faces[kind++] = {faces.traces(),
                       call.follows ? faces.next_traces() : nullptr,
                       faces.viscous_traces(),
                       faces.face_gradients(),
                       faces.first_slot(static_cast<std::size_t>(&set - sets_.data())),
                       faces.first_ghost(),
                       faces.blocks().items};
  }
  a.set = arrays_of(set);
  a.set.elements = part.first + part.blocks.items;
  a.first_of_launch = static_cast<unsigned>(part.first);
  a.control = control_;
  a.update = update_of(call, set);
  a.abscissa = call.abscissa;
  a.operators = static_cast<const double*>(address(set.products));
  return a;
}

void Stages::launch_edges(const ElementSet& set, const StageCall& call) {
  kernels::EdgeArguments a{};
  a.state = states_.part(*call.at, set);
  a.sides = static_cast<const std::int32_t*>(address(set.edges));
  a.side_basis = address(set.side_basis);
  a.traces = faces_[0].traces();
  a.in_order = set.stands_by_itself();  // those at cuts alone
  a.first_slot =
      a.in_order ? faces_[0].first_sent() : faces_[0].first_slot(static_cast<std::size_t>(&set - sets_.data()));
  a.control = control_;
  launcher_.launch("edges" + set.label, range_of(set.edge_blocks, kind()), a);
}

void Stages::launch_traces(const ElementSet& set, const StageCall& call) {
  if (set.edges && !set.stands_by_itself()) launch_edges(set, call);
  if (set.trace_kernel() != TraceKernel::traces) return;
  if (set.stands_by_itself())
    launcher_.launch("traces" + set.label, range_of(set.blocks, kind()),
                     kernels::TraceArguments{call.at->address(), faces_[0].traces(), control_});
  else if (traced_ != call.at)
    launcher_.launch("traces" + set.label, set.structure->trace_range(launch_of(set)),
                     element_arguments(call, set, overlap_.whole(set)));
}

void Stages::launch_faces(const std::string& entry, FaceSet::Report which, const StageCall& call, bool reports) {
  for (const FaceSet& faces : faces_) {
    if (faces.blocks().count == 0) continue;
    kernels::GhostArguments a = faces.ghost_arguments();
    a.state = call.at->address();
    a.side_basis = address(sets_.front().side_basis);
    a.report = reports ? faces.report(which) : nullptr;
    a.control = control_;
    a.abscissa = call.abscissa;
    a.weight = call.weight;
    a.first_stage = call.first;
    launcher_.launch(entry + faces.label(), faces.shared_range(kind()), a);
  }
}

void Stages::launch_residuals(const StageCall& call) {
  const std::string residual =
      residual_entry(static_cast<int>(call.inputs.size()), static_cast<int>(call.outputs.size()));
  launch_elements(call, &SetPart::residual, [&](const ElementSet& set, const SetPart& part) {
    if (set.structure->simplices)
      launcher_.launch(residual + set.label, part.residual, simplex_arguments(call, set, part));
    else
      launcher_.launch(residual + set.label, part.residual, element_arguments(call, set, part));
  });
}

void Stages::launch_viscous(const StageCall& call) {
  launch_elements(call, &SetPart::viscous, [&](const ElementSet& set, const SetPart& part) {
    launcher_.launch("viscous" + set.label, part.viscous, element_arguments(call, set, part));
  });
}

void Stages::exchange(Phase phase, const StageCall& call) {
  // Of sets that store no traces, those at cuts are for others alone.
  if (phase == Phase::traces)
    for (const ElementSet& set : sets_)
      if (set.edges && set.stands_by_itself()) launch_edges(set, call);
  exchange_->exchange(phase);
}

void Stages::fetch(Phase phase, const StageCall& call, bool later) {
  if (!exchange_) return;
  if (later)
    to_fetch_ = phase;
  else
    exchange(phase, call);
}

void Stages::launch_elements(const StageCall& call, device::Range SetPart::*range, const Overlap::Launch& launch) {
  if (!to_fetch_) return launcher_.for_each(sets_, [&](const ElementSet& set) { launch(set, overlap_.whole(set)); });
  const Phase phase = *to_fetch_;
  to_fetch_.reset();
  overlap_.run([&] { exchange(phase, call); }, range, launch);
}

void Stages::overlap(const std::vector<std::int64_t>& outer, const std::string& residual) {
  overlap_.plan(outer, residual);
  if (overlap_.leaves_room()) exchange_->leave_room();
}

void Stages::launch_phase(Phase phase, const StageCall& call, bool reports) {
  switch (phase) {
    case Phase::traces:
      return launcher_.for_each(sets_, [&](const ElementSet& set) { launch_traces(set, call); });
    case Phase::ghosts:
      return launch_faces("ghosts", FaceSet::Report::inviscid, call, reports);
    case Phase::viscous:
      return launch_viscous(call);
    case Phase::boundary_fluxes:
      return launch_faces("boundary_fluxes", FaceSet::Report::viscous, call, reports);
    case Phase::residual:
      return launch_residuals(call);
  }
}

void Stages::run(Phase phase, const StageCall& call, bool reports) {
  for (StagePart* part : parts_) part->before(phase, call);
  launch_phase(phase, call, reports);
  for (StagePart* part : parts_) part->after(phase, call);
}

void Stages::sides(const StageCall& call, bool reports) {
  sides(call, reports, false);
}

void Stages::sides(const StageCall& call, bool reports, bool overlaps) {
  run(Phase::traces, call, reports);
  fetch(Phase::traces, call, overlaps);
  run(Phase::ghosts, call, reports);
  if (!spec_.diffuses()) return;
  run(Phase::viscous, call, reports);
  fetch(Phase::viscous, call, overlaps);
  run(Phase::boundary_fluxes, call, reports);
}

void Stages::stage(const StageCall& call) {
  sides(call, false, overlap_.pays());
  run(Phase::residual, call, false);
  traced_ = call.follows && faces_[0].next_traces() ? call.outputs.back() : nullptr;
  if (traced_)
    for (FaceSet& faces : faces_) faces.swap_traces();
}

bool Stages::finishes() const {
  return std::any_of(parts_.begin(), parts_.end(), [](const StagePart* part) { return part->finishes(); });
}

bool Stages::finish(device::Memory& state, double abscissa, bool monitored) {
  std::vector<StagePart*> parts;
  for (StagePart* part : parts_)
    if (part->finishes()) parts.push_back(part);
  bool looked_at = false;
  for (StagePart* part : parts) {
    forget_traces();
    looked_at = part->finish(state, abscissa, monitored && part == parts.back());
  }
  return looked_at;
}

std::vector<device::Memory*> Stages::sums() const {
  std::vector<device::Memory*> all;
  for (const StagePart* part : parts_)
    for (device::Memory* sum : part->sums()) all.push_back(sum);
  return all;
}

}  // namespace galerna::dg
