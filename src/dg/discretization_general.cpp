// The general kernels of a Discretization: set-up and stages.
#include <algorithm>
#include <cmath>

#include "dg/boundary_points.hpp"
#include "dg/discretization.hpp"
#include "dg/general_program.hpp"
#include "dg/structure_kernels.hpp"

namespace galerna::dg {

using device::Kind;

void Discretization::load_general_programs(const std::set<std::pair<int, int>>& stage_shapes) {
  const Target target = target_of(device_, spec_.precision);
  for (ElementSet& set : sets_) {
    const device::ProgramSource core = general_core_program(spec_, set, target, stage_shapes);
    set.program = device_.load(core);
    for (const std::string& entry : core.entries) kernels_[entry + set.label] = device_.kernel(*set.program, entry);
  }
  const device::ProgramSource formulas = general_case_program(spec_, operators(), target);
  formulas_ = device_.load(formulas);
  for (const std::string& entry : formulas.entries) kernels_[entry] = device_.kernel(*formulas_, entry);
}

void Discretization::upload_general(const std::vector<std::optional<WallShape>>& walls) {
  std::vector<std::vector<std::uint8_t>> reversed(sets_.size());
  for (std::size_t b = 0; b < sets_.size(); ++b) {
    ElementSet& set = sets_[b];
    // Where metric terms are constant, or computed by the kernels, one point tells what is needed of them.
    const Operators operators = set.map == ElementMap::curved ? set.operators : make_operators(set.operators.shape, 0);
    const Lazy<Metric> metric([&] { return make_metric(mesh_, static_cast<int>(b), operators); });
    upload_metric(set, device_, spec_, mesh_, static_cast<int>(b), metric);
    if (set.structure->triangles)
      upload_side_basis(set, "edges of sets of triangles");
    else if (set.structure->products)
      set.products =
          upload_numbers(device_, "operators of tiles", spec_.precision, set.structure->products(set.operators));
    if (spec_.has_source()) upload_nodes(set, device_, spec_.precision, mesh_, mesh_.blocks[b]);
    if (!device_.stores()) continue;
    keep_sizes(set, metric());
    reversed[b] = metric().reversed;
  }
  upload_codes(reversed);
  if (spec_.limiter) upload_limiter(Lazy<std::vector<std::int32_t>>([this] { return triangle_codes(); }));
  if (!face_of_lane_.empty()) upload_general_boundary(walls);
}

std::int64_t Discretization::slot_of(const mesh::Side& side) const {
  const ElementSet& set = set_of(side.element);
  const std::int64_t position = side.element - set.first_element, lanes = set.blocks.lanes;
  return set.first_slot + (position / lanes * set.operators.sides() + side.side) * lanes + position % lanes;
}

/// Calls join(set, its element, side, slot of the trace beyond) for all sides of the mesh.
template <class Join>
void Discretization::for_each_side(const Join& join) const {
  const auto visit = [&](const mesh::Side& at, std::int64_t slot) {
    const auto [block, position] = mesh_.locate(at.element);
    join(static_cast<std::size_t>(block), position, at.side, slot);
  };
  for (auto f = static_cast<std::size_t>(mesh_.boundary_faces); f < mesh_.faces.size(); ++f) {
    visit(mesh_.faces[f].left, slot_of(mesh_.faces[f].right));
    visit(mesh_.faces[f].right, slot_of(mesh_.faces[f].left));
  }
  for (std::size_t lane = 0; lane < face_of_lane_.size(); ++lane)
    if (!lane_is_padding_[lane])
      visit(mesh_.faces[static_cast<std::size_t>(face_of_lane_[lane])].left,
            first_ghost() + static_cast<std::int64_t>(lane));
}

void Discretization::upload_codes(const std::vector<std::vector<std::uint8_t>>& reversed) {
  const bool any_triangles =
      std::any_of(sets_.begin(), sets_.end(), [](const ElementSet& set) { return set.structure->triangles; });
  std::vector<std::vector<std::int32_t>> codes, edges(sets_.size());
  for (std::size_t b = 0; b < sets_.size(); ++b)
    codes.push_back(sets_[b].structure->triangles ? neighbour_codes(mesh_, static_cast<int>(b))
                                                  : std::vector<std::int32_t>(reversed[b].begin(), reversed[b].end()));
  const auto join = [&](std::size_t b, mesh::Index position, int side, std::int64_t slot) {
    const auto at = static_cast<std::size_t>(position * sets_[b].operators.sides() + side);
    if (!sets_[b].structure->triangles) {
      if (device_.stores()) codes[b][at] += static_cast<std::int32_t>(2 * slot);
    } else if (codes[b][at] < 0) {  // sides of triangles run with their traces (mesh/side_order.hpp)
      codes[b][at] = static_cast<std::int32_t>(-1 - slot);
      edges[b].push_back(static_cast<std::int32_t>(position * 4 + side));
    }
  };
  if (device_.stores() || any_triangles) for_each_side(join);
  for (std::size_t b = 0; b < sets_.size(); ++b) {
    ElementSet& set = sets_[b];
    const int sides = set.operators.sides();
    set.neighbours =
        upload_integers(device_, "neighbours", set.blocks, sides, [&] { return pad(set.blocks, codes[b], sides); });
    if (set.structure->tile > 0) upload_tiles(set, codes[b]);
    if (edges[b].empty()) continue;
    set.edge_blocks = make_blocks(static_cast<std::int64_t>(edges[b].size()), device_, spec_.precision);
    set.edges = upload_integers(device_, "edges of sets of triangles", set.edge_blocks, 1,
                                [&] { return pad(set.edge_blocks, edges[b], 1); });
  }
}

void Discretization::upload_general_boundary(const std::vector<std::optional<WallShape>>& walls) {
  const auto faces = [&]() -> const BoundaryPoints& {
    if (!boundary_points_) boundary_points_ = make_boundary_points(mesh_, sets_, walls);
    return *boundary_points_;
  };
  const std::vector<double> ones(static_cast<std::size_t>(mesh_.boundary_faces), 1.0);
  const int q = operators().side.size(), d = mesh_.dimension;
  positions_ = upload_faces(
      3 * q, [&]() -> auto& { return faces().positions; });
  face_normals_ = upload_faces(
      d * q, [&]() -> auto& { return faces().normals; });
  wall_normals_ = upload_faces(
      d * q, [&]() -> auto& { return faces().wall_normals; });
  face_measures_ = upload_measures([&]() -> auto& { return ones; });
  face_elements_ = upload_integers(device_, "boundary faces", face_blocks_, 1, [&] {
    std::vector<std::int32_t> slots;
    for (std::int64_t face : face_of_lane_)
      slots.push_back(static_cast<std::int32_t>(slot_of(mesh_.faces[static_cast<std::size_t>(face)].left)));
    return slots;
  });
  upload_conditions();
}

kernels::ElementSetArrays Discretization::arrays_of(const ElementSet& set) const {
  kernels::ElementSetArrays a{};
  a.contravariant = address(set.contravariant);
  a.inverse = address(set.inverse);
  a.normals = address(set.normals);
  a.means = address(set.means);
  a.nodes = address(set.nodes);
  a.beyond = static_cast<const std::int32_t*>(address(set.neighbours));
  a.first_slot = set.first_slot;
  a.elements = set.blocks.items;
  a.side_gradients = address(set.side_gradients);
  a.first_ghost = first_ghost();
  a.faces = face_blocks_.items;
  return a;
}

kernels::GeneralGhostArguments Discretization::ghost_arguments(const StageCall& call, void* report) {
  kernels::GeneralGhostArguments g{};
  g.traces = address(traces_);
  g.viscous_traces = address(viscous_traces_);
  g.face_gradients = address(face_gradients_);
  g.slots = static_cast<const std::int32_t*>(address(face_elements_));
  g.conditions = static_cast<const std::int32_t*>(address(face_conditions_));
  g.positions = address(positions_);
  g.normals = address(face_normals_);
  g.wall_normals = address(wall_normals_);
  g.counts = address(face_measures_);
  g.first_ghost = first_ghost();
  g.faces = face_blocks_.items;
  g.pending_flux = static_cast<double*>(address(pending_flux_));
  g.total_flux = static_cast<double*>(address(total_flux_));
  g.report = report;
  g.control = static_cast<const kernels::Control*>(address(control_));
  g.abscissa = call.abscissa;
  g.weight = call.weight;
  g.first_stage = call.first;
  return g;
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
  a.traces = address(traces_);
  a.first_slot = set.first_slot;
  a.control = static_cast<const kernels::Control*>(address(control_));
  launch("edges" + set.label, range_of(set.edge_blocks), a);
}

kernels::GeneralArguments Discretization::general_arguments(const StageCall& call, const ElementSet& set) const {
  kernels::GeneralArguments a{};
  a.state = part_of(*call.at, set);
  a.traces = address(traces_);
  a.next_traces = call.follows ? address(next_traces_) : nullptr;
  a.viscous_traces = address(viscous_traces_);
  a.face_gradients = address(face_gradients_);
  a.set = arrays_of(set);
  a.control = static_cast<const kernels::Control*>(address(control_));
  a.update = update_of(call, set);
  a.abscissa = call.abscissa;
  a.operators = static_cast<const double*>(address(set.products));
  return a;
}

void Discretization::general_sides(const StageCall& call, void* report) {
  for_each_set([&](const ElementSet& set) {
    if (set.structure->triangles)
      launch_edges(set, call);
    else if (traced_ != call.at)
      launch_slices(set, "traces", general_arguments(call, set));
  });
  if (face_blocks_.count > 0) launch("ghosts", faces_range(), ghost_arguments(call, report));
  if (!spec_.viscous) return;
  for_each_set([&](const ElementSet& set) { launch_slices(set, "viscous", general_arguments(call, set)); });
  if (face_blocks_.count == 0) return;
  void* behind = report ? static_cast<char*>(report) + report_bytes() : nullptr;
  launch("boundary_fluxes", faces_range(), ghost_arguments(call, behind));
}

void Discretization::general_stage(const StageCall& call) {
  general_sides(call, nullptr);
  const std::string residual =
      residual_entry(static_cast<int>(call.inputs.size()), static_cast<int>(call.outputs.size()));
  for_each_set([&](const ElementSet& set) {
    if (set.structure->triangles)
      launch_triangles(call, set);
    else
      launch(residual + set.label, set.residual_range, general_arguments(call, set));
  });
  traced_ = call.follows ? call.outputs.back() : nullptr;
  if (traced_) std::swap(traces_, next_traces_);
}

}  // namespace galerna::dg
