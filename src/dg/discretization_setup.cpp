// Construction of a Discretization: programs, and the arrays of mesh and operators on the device.
#include <fmt/format.h>

#include "base/error.hpp"
#include "base/phases.hpp"
#include "dg/cut_flow.hpp"
#include "dg/discretization.hpp"
#include "dg/plan_sets.hpp"
#include "dg/programs/element_programs.hpp"
#include "dg/run/entropy_filter.hpp"
#include "dg/run/limiter.hpp"
#include "dg/run/shock_viscosity.hpp"
#include "dg/run/trace_exchange.hpp"
#include "dg/sides/side_codes.hpp"

namespace galerna::dg {
namespace {

/// One for each shape of sides.
FaceSets make_face_sets(const mesh::Mesh& mesh, const std::vector<SetPlan>& plans, const std::vector<ElementSet>& sets,
                        const device::Device& device, const Spec& spec, const Ranks* ranks) {
  std::set<Shape> shapes;
  for (const ElementSet& set : sets)
    for (int side = 0; side < set.operators.sides(); ++side) shapes.insert(side_shape(set.operators.shape, side));
  FaceSets faces;
  for (Shape shape : shapes)
    faces.emplace_back(shape, face_label(plans, shape), mesh, sets, device, spec,
                       ranks ? ranks->part.cut : std::vector<mesh::CutSide>());
  return faces;
}

void require_all_shapes(const mesh::Mesh& mesh, const Ranks& ranks) {
  for (const mesh::ElementBlock& block : mesh.blocks)
    if (block.size() == 0)
      throw InputError({}, fmt::format("rank {} of {} has none of the {}: fewer ranks", ranks.team.rank(),
                                       ranks.team.size(), plural_name(block.shape)));
}

/// In states, behind the elements of the only set.
std::int64_t room_for_copies(const ElementSet& set, const Ranks& ranks) {
  const std::int64_t copies = ranks.part.with_ghosts->mesh.element_count() - set.blocks.items;
  return (copies + set.blocks.lanes - 1) / set.blocks.lanes * set.blocks.lanes;
}

}  // namespace

Discretization::Discretization(device::Device& device, const mesh::Mesh& mesh, Spec spec,
                               const std::vector<std::optional<WallShape>>& walls,
                               const std::set<std::pair<int, int>>& stage_shapes, const Ranks* ranks)
    : launcher_(device),
      mesh_(mesh),
      ranks_(ranks),
      spec_(std::move(spec)),
      plans_(ranks ? ranks->plans : plan_sets(mesh, spec_, device::target_of(device, spec_.precision))),
      sets_(make_element_sets(mesh, plans_, spec_, device::target_of(device, spec_.precision))),
      faces_(make_face_sets(mesh, plans_, sets_, device, spec_, ranks)),
      boundary_points_([this, walls] {
        return ranks_ && ranks_->points ? points_of_faces((*ranks_->points)(), ranks_->part.whole_boundary_face, mesh_)
                                        : make_boundary_points(mesh_, sets_, walls);
      }),
      states_(device, spec_, sets_),
      reductions_(launcher_, spec_, sets_, states_, ranks),
      stages_(launcher_, spec_, sets_, states_, faces_, reductions_.control()),
      formulas_(launcher_, mesh, spec_, sets_, states_, ranks),
      formula_integrals_(launcher_, mesh, spec_, sets_, states_, ranks),
      boundary_sums_(device, faces_, spec_.variable_count(), ranks) {
  if (ranks) {
    require_all_shapes(mesh, *ranks);
    if (spec_.limiter && spec_.limiter->slopes) sets_.front().copies = room_for_copies(sets_.front(), *ranks);
    exchange_ = std::make_unique<TraceExchange>(launcher_, spec_, faces_, *ranks);
    stages_.set_exchange(*exchange_);
  }
  load_programs(stage_shapes);
  const galerna::Phase phase("copying to the device");
  for (FaceSet& faces : faces_) faces.allocate(device);
  for (std::size_t b = 0; b < sets_.size(); ++b) {
    if (sets_[b].stands_by_itself())
      upload_simplices(sets_[b], device, spec_, mesh_);
    else
      upload_elements(sets_[b], device, spec_, mesh_, static_cast<int>(b));
    upload_neighbours(b);
  }
  if (ranks && !stage_shapes.empty())
    stages_.overlap(ranks->part.outer, residual_entry(stage_shapes.begin()->first, stage_shapes.begin()->second));
  if (spec_.filters())
    shocks_ = std::make_unique<EntropyFilter>(launcher_, mesh_, spec_, sets_, faces_, states_, reductions_.control(),
                                              ranks, stages_.overlap());
  else if (spec_.limiter && spec_.limiter->changes_stages())
    shocks_ = std::make_unique<Limiter>(launcher_, mesh_, spec_, sets_, faces_, states_, reductions_, ranks);
  if (shocks_) stages_.add(*shocks_);
  if (spec_.has_shock_viscosity())
    viscosity_ = std::make_unique<ShockViscosity>(launcher_, mesh_, spec_, sets_, faces_, states_,
                                                  reductions_.control(), ranks, stages_.overlap());
  for (FaceSet& faces : faces_) faces.upload(device, boundary_points_);
}

std::unique_ptr<FlowOperator> make_flow_operator(device::Device& device, const mesh::Mesh& mesh, Spec spec,
                                                 const std::vector<std::optional<WallShape>>& walls,
                                                 const std::set<std::pair<int, int>>& stage_shapes,
                                                 parallel::Team* team) {
  if (team && team->size() > 1)
    return std::make_unique<CutFlow>(device, mesh, std::move(spec), walls, stage_shapes, *team);
  return std::make_unique<Discretization>(device, mesh, std::move(spec), walls, stage_shapes);
}

void Discretization::load_programs(const std::set<std::pair<int, int>>& stage_shapes) {
  const device::Target target = device::target_of(device(), spec_.precision);
  Programs programs = make_programs(plans_, spec_, target, stage_shapes);
  if (ranks_) {
    programs.sequence.reset();  // it would be the only one to run, and others' numbers come by launches
    if (plans_.front().trace_kernel() == TraceKernel::none)
      programs.labelled.push_back({simplex_edge_program(spec_, plans_.front().operators, target), ""});
  }
  device().compile_ahead(sources_of(programs));
  for (const auto& [source, label] : programs.labelled) launcher_.load(source, label);
  if (programs.sequence) launcher_.load_sequence(programs.sequence->source, programs.sequence->entries);
}

/// What lies beyond the sides of a set.
void Discretization::upload_neighbours(std::size_t b) {
  const galerna::Phase phase("neighbours of elements");
  ElementSet& set = sets_[b];
  const int sides = set.operators.sides();
  const Lazy<std::vector<std::int32_t>> codes([&] { return side_codes(mesh_, sets_, faces_, b); });
  set.neighbours =
      upload_integers(device(), "neighbours", set.blocks, sides, [&] { return padded(set.blocks, codes(), sides); });
  if (set.structure->tile > 0) stages_.set_tiles(upload_tiles(set, device(), spec_, codes()));
  if (set.trace_kernel() == TraceKernel::traces) return;
  std::vector<std::int32_t> edges;
  if (set.trace_kernel() == TraceKernel::none)
    for (const mesh::CutSide& cut : faces_.front().cut())
      edges.push_back(element_code(cut.side.element, cut.side.side, sides));
  else
    for (std::size_t k = 0; k < codes().size(); ++k)
      if (codes()[k] < 0)
        edges.push_back(element_code(static_cast<std::int64_t>(k) / sides, static_cast<int>(k) % sides, sides));
  if (edges.empty()) return;
  set.edge_blocks = make_blocks(static_cast<std::int64_t>(edges.size()), device(), spec_.precision);
  set.edges = upload_integers(device(), "edges of sets of triangles", set.edge_blocks, 1,
                              [&] { return padded(set.edge_blocks, edges, 1); });
}

}  // namespace galerna::dg
