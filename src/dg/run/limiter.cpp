#include "dg/run/limiter.hpp"

#include <algorithm>

#include "dg/run/set_uploads.hpp"

namespace galerna::dg {
namespace {

/// Means of derivatives that kernels/limiter/detect.hpp stores for each element, all variables.
int limiter_derivatives(const Spec& spec, Shape shape) {
  // Those of order ≤ p − 1 are as many as modes; the solution itself is no derivative.
  return spec.variable_count() * (basis::mode_count(shape, spec.degree - 1) - 1);
}

}  // namespace

SetLimiter::SetLimiter(device::Launcher& launcher, const mesh::Mesh& mesh, const Spec& spec, const ElementSet& set,
                       const FaceSet& faces, const StateArrays& states, const Ranks* ranks)
    : launcher_(launcher), spec_(spec), set_(set), faces_(faces) {
  if (spec.limiter->slopes) make_slopes(mesh, states, ranks);
  counts_ = allocate_cleared(launcher.device(), "counts of the limiter",
                             2 * static_cast<std::size_t>(set.blocks.count) * sizeof(double));
}

void SetLimiter::make_slopes(const mesh::Mesh& mesh, const StateArrays& states, const Ranks* ranks) {
  device::Device& device = launcher_.device();
  const SlopeLimiter& slopes = *spec_.limiter->slopes;
  const Blocks& blocks = set_.blocks;
  const NeighbourPlaces places(mesh, set_, faces_, ranks ? &*ranks->part.with_ghosts : nullptr);
  const int sides = set_.operators.sides();
  // Where kernels read neighbours, their array has the same codes, but at cuts.
  if (set_.structure->beyond != Beyond::neighbour || ranks)
    neighbours_ = upload_integers(device, "neighbours, for the limiter", blocks, sides,
                                  [&] { return padded(blocks, places.beyond_sides(), sides); });
  if (slopes.around_vertices) upload_vertex_neighbours(places, ranks);
  const auto allocate = [&](const std::string& purpose, std::int64_t items, int numbers) {
    return allocate_cleared(device, purpose, static_cast<std::size_t>(items * numbers * bytes_of(spec_.precision)));
  };
  if (spec_.bounds_slopes_at_boundary() && places.boundary_faces() > 0)
    boundary_means_ =
        allocate("states on the boundary, for the limiter", places.boundary_faces(), spec_.variable_count());
  if (slopes.detects) {
    derivatives_ = allocate("derivatives, for the limiter", places.elements(),
                            std::max(1, limiter_derivatives(spec_, set_.operators.shape)));
    troubled_ = allocate("troubled elements", blocks.padded(), 1);
  }
  if (ranks)
    exchange_ =
        std::make_unique<LimiterExchange>(launcher_, spec_, set_, states, places, *ranks,
                                          slopes.detects ? limiter_derivatives(spec_, set_.operators.shape) : 0);
}

void SetLimiter::upload_vertex_neighbours(const NeighbourPlaces& places, const Ranks* ranks) {
  const bool with_boundary = spec_.bounds_slopes_at_boundary();
  device::Device& device = launcher_.device();
  // As many as in the whole mesh.
  if (ranks) slots_ = ranks->team.maximum(places.vertex_slots(with_boundary));
  const Lazy<VertexNeighbours> neighbours([&] { return places.around_vertices(with_boundary, slots_); });
  if (!ranks) slots_ = device.stores() ? neighbours().slots : places.vertex_slots(with_boundary);
  const int n = set_.operators.sides() * slots_;
  around_ = upload_integers(device, "elements around vertices", set_.blocks, n,
                            [&] { return padded(set_.blocks, neighbours().around, n); });
}

void SetLimiter::limit(void* state, const void* gradients, kernels::Control* control, double abscissa,
                       const kernels::MonitorArguments& watch) const {
  const device::Kind kind = launcher_.device().kind();
  if (boundary_means_ && faces_.blocks().count > 0)
    launcher_.launch(
        "boundary_means", faces_.range(kind),
        kernels::BoundaryMeanArguments{faces_.arrays(), state, address(boundary_means_), control, abscissa});
  if (exchange_) exchange_->states(state, address(boundary_means_));
  kernels::LimitArguments a{};
  a.state = state;
  a.gradients = gradients;
  a.neighbours = static_cast<const std::int32_t*>(address(neighbours_ ? neighbours_ : set_.neighbours));
  a.around = static_cast<const std::int32_t*>(address(around_));
  a.slots = slots_;
  a.boundary_means = address(boundary_means_);
  a.derivatives = address(derivatives_);
  a.troubled = address(troubled_);
  a.counts = static_cast<double*>(address(counts_));
  a.blocks = set_.blocks.count;
  a.elements = set_.blocks.items;
  a.control = control;
  a.mean_lost = &control->mean_lost;
  a.means = address(set_.means);
  a.watch = watch;
  const device::Range range = range_of(set_.blocks, kind);
  if (troubled_) launcher_.launch("detect" + set_.label, range, a);
  if (exchange_) exchange_->derivatives(a.derivatives);
  launcher_.launch("limit" + set_.label,
                   spec_.limiter->slopes ? range : shared_range_of(set_.blocks, kind, spec_.variable_count()), a);
}

Limiter::Limiter(device::Launcher& launcher, const mesh::Mesh& mesh, const Spec& spec,
                 const std::vector<ElementSet>& sets, const FaceSets& faces, const StateArrays& states,
                 const Reductions& reductions, const Ranks* ranks)
    : launcher_(launcher), spec_(spec), sets_(sets), states_(states), reductions_(reductions) {
  for (const ElementSet& set : sets) limiters_.emplace_back(launcher, mesh, spec, set, faces[0], states, ranks);
}

bool Limiter::finish(device::Memory& state, double abscissa, bool monitored) {
  const bool watches = monitored && spec_.limiter->watches_all_points();
  launcher_.concurrently(sets_.size(), [&](std::size_t b) {
    limiters_[b].limit(states_.part(state, sets_[b]), gradients_of(sets_[b]), reductions_.control(), abscissa,
                       watches ? reductions_.watch_of(sets_[b], state, true) : kernels::MonitorArguments{});
  });
  return watches;
}

std::vector<device::Memory*> Limiter::sums() const {
  std::vector<device::Memory*> counts;
  for (const SetLimiter& limiter : limiters_) counts.push_back(limiter.counts());
  return counts;
}

ElementNumbers Limiter::fields() const {
  ElementNumbers found;
  for (std::size_t b = 0; b < sets_.size(); ++b)
    if (device::Memory* troubled = limiters_[b].troubled())
      append_numbers(found["sensor"], read_reals(launcher_.device(), *troubled, spec_.precision), 0, sets_[b].blocks, 1,
                     0);
  return found;
}

std::array<double, 2> limiter_counts(device::Device& device, const std::vector<device::Memory*>& counts) {
  std::array<double, 2> result{};
  for (device::Memory* memory : counts) {
    const std::vector<double> values = read_numbers(device, memory);
    for (std::size_t b = 0; b < values.size(); ++b) result[b / (values.size() / 2)] += values[b];
  }
  return result;
}

}  // namespace galerna::dg
