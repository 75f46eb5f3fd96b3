#include "dg/cut_flow.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "dg/plan_sets.hpp"
#include "mesh/cut.hpp"

namespace galerna::dg {
namespace {

/// Tiles stay together, which are made of neighbours. Launches begin at multiples of 128 elements.
std::optional<mesh::OuterFirst> order_of(const std::vector<SetPlan>& plans, device::Kind kind) {
  if (kind == device::Kind::host) return {};
  mesh::OuterFirst order = {1, 128};
  for (const SetPlan& plan : plans) order.together = std::max<mesh::Index>(order.together, plan.structure->tile);
  return order;
}

/// A rank has elements of all blocks, or it would lack their kernels.
mesh::OwnPart part_of(const Spec& spec, const mesh::Mesh& mesh, const Ranks& ranks, device::Kind kind) {
  const std::vector<int> owners = mesh::cut_all_blocks(mesh, ranks.team.size());
  return make_rank_part(spec, mesh, owners, ranks.team.rank(), order_of(ranks.plans, kind));
}

/// By all ranks together.
RankParts largest_parts(parallel::Team& team, const mesh::OwnPart& part, device::Kind kind) {
  std::set<int> neighbours;
  for (const mesh::CutSide& side : part.cut) neighbours.insert(side.rank);
  const auto own = static_cast<std::int64_t>(part.whole.size());
  std::int64_t copies = 0;
  if (part.with_ghosts) {
    copies = part.with_ghosts->mesh.element_count() - own;
    for (const mesh::MeshPart::Link& link : part.with_ghosts->links) neighbours.insert(link.rank);
  }
  const auto most = [&](std::size_t number) { return team.maximum(static_cast<std::int64_t>(number)); };
  return {team.size(),
          team.maximum(own),
          team.maximum(copies),
          most(part.cut.size()),
          most(neighbours.size()),
          kind == device::Kind::cuda ? "stores into the memory of other GPUs" : "messages of the host"};
}

}  // namespace

CutFlow::CutFlow(device::Device& device, const mesh::Mesh& mesh, Spec spec,
                 const std::vector<std::optional<WallShape>>& walls, const std::set<std::pair<int, int>>& stage_shapes,
                 parallel::Team& team)
    : mesh_(mesh),
      spec_(std::move(spec)),
      team_(team),
      ranks_{team, part_, plan_sets(mesh, spec_, device::target_of(device, spec_.precision)), &points_},
      part_(part_of(spec_, mesh, ranks_, device.kind())),
      parts_(largest_parts(team, part_, device.kind())),
      points_([this, walls] { return make_boundary_points(mesh_, sets_, walls); }),
      sets_(make_element_sets(mesh, ranks_.plans, spec_, device::target_of(device, spec_.precision))),
      states_(device, spec_, sets_),
      elements_(team.all_gather(part_.whole)),
      faces_(team.all_gather(part_.whole_boundary_face)) {
  own_ = std::make_unique<Discretization>(device, part_.mesh, spec_, walls, stage_shapes, &ranks_);
  std::vector<double> diameters;
  for (const ElementSet& set : own_->sets())
    diameters.insert(diameters.end(), set.diameters.begin(), set.diameters.end());
  const auto all = team.all_gather(diameters);
  for (std::size_t b = 0; b < sets_.size(); ++b)
    sets_[b].diameters.resize(static_cast<std::size_t>(sets_[b].blocks.items));
  for (std::size_t rank = 0; rank < all.size(); ++rank)
    for (std::size_t e = 0; e < all[rank].size(); ++e) {
      const auto [block, position] = mesh.locate(elements_[rank][e]);
      sets_[static_cast<std::size_t>(block)].diameters[static_cast<std::size_t>(position)] = all[rank][e];
    }
}

std::size_t CutFlow::numbers_of(std::size_t set) const {
  return static_cast<std::size_t>(sets_[set].operators.modes * spec_.variable_count());
}

device::Memory& CutFlow::whole(device::Memory& state) {
  if (!whole_) whole_ = states_.allocate("the state of all ranks, for outputs");
  const auto all = team_.all_gather(own_->read_state(state));
  std::vector<std::size_t> first;  // [block] number before it
  std::size_t numbers = 0;
  for (std::size_t b = 0; b < sets_.size(); ++b) {
    first.push_back(numbers);
    numbers += static_cast<std::size_t>(sets_[b].blocks.items) * numbers_of(b);
  }
  std::vector<double> coefficients(numbers);
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    auto from = all[rank].begin();
    for (const mesh::Index element : elements_[rank]) {
      const auto [block, position] = mesh_.locate(element);
      const auto b = static_cast<std::size_t>(block);
      const auto count = static_cast<std::ptrdiff_t>(numbers_of(b));
      std::copy_n(from, count, coefficients.begin() + static_cast<std::ptrdiff_t>(first[b]) + position * count);
      from += count;
    }
  }
  states_.write(*whole_, coefficients);
  return *whole_;
}

void CutFlow::write(device::Memory& state, const std::vector<double>& coefficients) {
  std::vector<double> own;
  std::size_t first = 0;
  std::size_t element = 0;
  for (std::size_t b = 0; b < sets_.size(); ++b) {
    const std::size_t count = numbers_of(b);
    for (std::int64_t e = 0; e < own_->sets()[b].blocks.items; ++e, ++element) {
      const auto position = static_cast<std::size_t>(part_.whole[element] - sets_[b].first_element);
      const auto from = coefficients.begin() + static_cast<std::ptrdiff_t>(first + position * count);
      own.insert(own.end(), from, from + static_cast<std::ptrdiff_t>(count));
    }
    first += static_cast<std::size_t>(sets_[b].blocks.items) * count;
  }
  own_->write_state(state, own);
}

void CutFlow::write(device::Memory& state, const StateArrays::Fill& fill) {
  own_->write(state, [&](std::size_t set, mesh::Index begin, mesh::Index end, double* to) {
    const auto first = static_cast<std::size_t>(own_->sets()[set].first_element);
    for (mesh::Index e = begin; e < end; ++e, to += numbers_of(set)) {
      const mesh::Index position = part_.whole[first + static_cast<std::size_t>(e)] - sets_[set].first_element;
      fill(set, position, position + 1, to);
    }
  });
}

std::array<double, 2> CutFlow::limiter_counts() {
  std::array<double, 2> counts = own_->limiter_counts();
  for (double& count : counts) count = static_cast<double>(team_.sum(static_cast<std::int64_t>(count)));
  return counts;
}

ElementNumbers CutFlow::shock_fields() {
  ElementNumbers fields = own_->shock_fields();
  for (auto& [name, values] : fields) values = of_whole_mesh(values);
  return fields;
}

std::vector<double> CutFlow::of_whole_mesh(const std::vector<double>& own) const {
  const auto all = team_.all_gather(own);
  std::vector<double> values(static_cast<std::size_t>(mesh_.element_count()));
  for (std::size_t rank = 0; rank < all.size(); ++rank)
    for (std::size_t e = 0; e < all[rank].size(); ++e)
      values[static_cast<std::size_t>(elements_[rank][e])] = all[rank][e];
  return values;
}

std::vector<double> CutFlow::shock_viscosity() const {
  return spec_.has_shock_viscosity() ? of_whole_mesh(own_->shock_viscosity()) : std::vector<double>();
}

void CutFlow::set_shock_viscosity(const std::vector<double>& values) {
  if (!spec_.has_shock_viscosity()) return;
  std::vector<double> own;
  for (const mesh::Index element : part_.whole) own.push_back(values[static_cast<std::size_t>(element)]);
  own_->set_shock_viscosity(own);
}

double CutFlow::share_of_shock_viscosity() const {
  const double own = own_->share_of_shock_viscosity() * static_cast<double>(part_.whole.size());
  return static_cast<double>(team_.sum(std::llround(own))) / static_cast<double>(mesh_.element_count());
}

template <class Count>
std::vector<double> CutFlow::of_whole_boundary(const std::vector<double>& own, const Count& count) const {
  const auto all = team_.all_gather(own);
  std::vector<std::size_t> first = {0};
  for (mesh::Index face = 0; face < mesh_.boundary_faces; ++face) first.push_back(first.back() + count(face));
  std::vector<double> result(first.back());
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    auto from = all[rank].begin();
    if (all[rank].empty()) continue;
    for (const mesh::Index face : faces_[rank]) {
      const auto numbers = static_cast<std::ptrdiff_t>(count(face));
      std::copy_n(from, numbers, result.begin() + static_cast<std::ptrdiff_t>(first[static_cast<std::size_t>(face)]));
      from += numbers;
    }
  }
  return result;
}

BoundaryFlow CutFlow::boundary_flow(device::Memory& state, double time) {
  BoundaryFlow flow = own_->boundary_flow(state, time);
  const BoundaryPoints& points = points_();
  const auto numbers = [&](mesh::Index face) {
    const auto f = static_cast<std::size_t>(face);
    return (points.first_point[f + 1] - points.first_point[f]) * static_cast<std::size_t>(spec_.variable_count());
  };
  for (std::vector<double>* values : {&flow.inside, &flow.inviscid, &flow.viscous_state, &flow.viscous})
    if (spec_.viscous || values == &flow.inside || values == &flow.inviscid)
      *values = of_whole_boundary(*values, numbers);
  return flow;
}

BoundaryTotals CutFlow::boundary_totals() {
  BoundaryTotals totals = own_->boundary_totals();
  totals.faces =
      of_whole_boundary(totals.faces, [&](mesh::Index) { return static_cast<std::size_t>(spec_.variable_count()); });
  return totals;
}

void CutFlow::set_boundary_totals(const BoundaryTotals& totals) {
  BoundaryTotals own{totals.before, {}};
  const auto variables = static_cast<std::ptrdiff_t>(spec_.variable_count());
  if (!totals.faces.empty())
    for (const mesh::Index face : part_.whole_boundary_face) {
      const auto from = totals.faces.begin() + face * variables;
      own.faces.insert(own.faces.end(), from, from + variables);
    }
  own_->set_boundary_totals(own);
}

}  // namespace galerna::dg
