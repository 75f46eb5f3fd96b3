// The general kernels of a Discretization, and stages.
#include "dg/discretization.hpp"
#include "dg/structure_kernels.hpp"

namespace galerna::dg {

void Discretization::upload_general(std::size_t b) {
  ElementSet& set = sets_[b];
  const int block = static_cast<int>(b);
  // Where metric terms are constant, or computed by the kernels, one point tells what is needed of them.
  const Operators operators = set.map == ElementMap::curved ? set.operators : make_operators(set.operators.shape, 0);
  const Lazy<Metric> metric([&] { return make_metric(mesh_, block, operators); });
  upload_metric(set, device_, spec_, mesh_, block, metric);
  if (set.structure->simplices)
    upload_side_basis(set, "edges of sets of triangles");
  else if (set.structure->products)
    set.products =
        upload_numbers(device_, "operators of tiles", spec_.precision, set.structure->products(set.operators));
  if (spec_.has_source()) upload_nodes(set, device_, spec_.precision, mesh_, mesh_.blocks[b]);
  if (device_.stores()) keep_sizes(set, metric());
}

kernels::ElementSetArrays Discretization::arrays_of(const ElementSet& set) const {
  kernels::ElementSetArrays a{};
  a.contravariant = address(set.contravariant);
  a.inverse = address(set.inverse);
  a.normals = address(set.normals);
  a.means = address(set.means);
  a.nodes = address(set.nodes);
  a.beyond = static_cast<const std::int32_t*>(address(set.neighbours));
  a.elements = set.blocks.items;
  a.side_gradients = address(set.side_gradients);
  return a;
}

void Discretization::launch_slices(const ElementSet& set, const std::string& entry,
                                   const kernels::GeneralArguments& arguments) {
  launch(entry + set.label, range_of_slices(set, spec_, device_.kind()), arguments);
}

void Discretization::launch_edges(const ElementSet& set, const StageCall& call) {
  kernels::EdgeArguments a{};
  a.state = part_of(*call.at, set);
  a.sides = static_cast<const std::int32_t*>(address(set.edges));
  a.side_basis = address(set.side_basis);
  a.traces = faces_[0].traces();
  a.first_slot = faces_[0].first_slot(static_cast<std::size_t>(&set - sets_.data()));
  a.control = static_cast<const kernels::Control*>(address(control_));
  launch("edges" + set.label, range_of(set.edge_blocks), a);
}

kernels::GeneralArguments Discretization::general_arguments(const StageCall& call, const ElementSet& set) const {
  kernels::GeneralArguments a{};
  a.state = part_of(*call.at, set);
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
  a.control = static_cast<const kernels::Control*>(address(control_));
  a.update = update_of(call, set);
  a.abscissa = call.abscissa;
  a.operators = static_cast<const double*>(address(set.products));
  return a;
}

void Discretization::launch_traces(const ElementSet& set, const StageCall& call) {
  if (set.edges)
    launch_edges(set, call);
  else if (set.structure->beyond == Beyond::slot)
    launch(set, "traces",
           kernels::TraceArguments{call.at->address(), faces_[0].traces(),
                                   static_cast<const kernels::Control*>(address(control_))});
  else if (!set.structure->simplices && traced_ != call.at)
    launch_slices(set, "traces", general_arguments(call, set));
}

void Discretization::launch_faces(const std::string& entry, FaceSet::Report which, const StageCall& call,
                                  bool reports) {
  for (const FaceSet& faces : faces_) {
    if (faces.blocks().count == 0) continue;
    kernels::GhostArguments a = faces.ghost_arguments();
    a.state = call.at->address();
    a.side_basis = address(sets_.front().side_basis);
    a.report = reports ? faces.report(which) : nullptr;
    a.control = static_cast<const kernels::Control*>(address(control_));
    a.abscissa = call.abscissa;
    a.weight = call.weight;
    a.first_stage = call.first;
    launch(entry + faces.label(), faces.range(device_.kind()), a);
  }
}

void Discretization::launch_sides(const StageCall& call, bool reports) {
  for_each_set([&](const ElementSet& set) { launch_traces(set, call); });
  launch_faces("ghosts", FaceSet::Report::inviscid, call, reports);
  if (!spec_.viscous) return;
  for_each_set([&](const ElementSet& set) { launch_slices(set, "viscous", general_arguments(call, set)); });
  launch_faces("boundary_fluxes", FaceSet::Report::viscous, call, reports);
}

void Discretization::stage(const StageCall& call) {
  launch_sides(call, false);
  const std::string residual =
      residual_entry(static_cast<int>(call.inputs.size()), static_cast<int>(call.outputs.size()));
  for_each_set([&](const ElementSet& set) {
    if (set.structure->simplices)
      launch(residual + set.label, set.residual_range, simplex_arguments(call, set));
    else
      launch(residual + set.label, set.residual_range, general_arguments(call, set));
  });
  traced_ = call.follows && faces_[0].next_traces() ? call.outputs.back() : nullptr;
  if (traced_)
    for (FaceSet& faces : faces_) faces.swap_traces();
}

}  // namespace galerna::dg
