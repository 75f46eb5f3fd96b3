#include "dg/run/limiter.hpp"

#include <algorithm>

#include "dg/geometry/vertex_neighbours.hpp"
#include "dg/run/set_uploads.hpp"
#include "dg/sides/side_codes.hpp"

namespace galerna::dg {
namespace {

/// Means of derivatives that kernels/limiter/detect.hpp stores for each element, all variables.
int limiter_derivatives(const Spec& spec, Shape shape) {
  // Those of order ≤ p − 1 are as many as modes; the solution itself is no derivative.
  return std::max(1, spec.variable_count() * (basis::mode_count(shape, spec.degree - 1) - 1));
}

}  // namespace

SetLimiter::SetLimiter(device::Device& device, const mesh::Mesh& mesh, const Spec& spec, const ElementSet& set,
                       const FaceSet& faces)
    : spec_(spec), set_(set), faces_(faces) {
  const LimiterSpec& limiter = *spec.limiter;
  const Blocks& blocks = set.blocks;
  const int sides = set.operators.sides();
  const auto numbers = static_cast<std::size_t>(blocks.padded() * bytes_of(spec.precision));
  // Where kernels read neighbours, their array has the same codes.
  if (set.structure->beyond != Beyond::neighbour && limiter.slopes)
    neighbours_ = upload_integers(device, "neighbours, for the limiter", blocks, sides,
                                  [&] { return padded(blocks, neighbour_codes(mesh, faces), sides); });
  if (limiter.slopes && limiter.slopes->around_vertices) upload_vertex_neighbours(device, mesh);
  if (spec.bounds_slopes_at_boundary() && faces.blocks().count > 0)
    boundary_means_ = allocate_cleared(
        device, "states on the boundary, for the limiter",
        static_cast<std::size_t>(faces.blocks().items * spec.variable_count() * bytes_of(spec.precision)));
  if (limiter.slopes && limiter.slopes->detects) {
    derivatives_ = allocate_cleared(device, "derivatives, for the limiter",
                                    numbers * static_cast<std::size_t>(limiter_derivatives(spec, set.operators.shape)));
    troubled_ = allocate_cleared(device, "troubled elements", numbers);
  }
  counts_ =
      allocate_cleared(device, "counts of the limiter", 2 * static_cast<std::size_t>(blocks.count) * sizeof(double));
}

void SetLimiter::upload_vertex_neighbours(device::Device& device, const mesh::Mesh& mesh) {
  const bool with_boundary = spec_.bounds_slopes_at_boundary();
  const Lazy<VertexNeighbours> neighbours([&] { return make_vertex_neighbours(mesh, with_boundary); });
  slots_ = device.stores() ? neighbours().slots : dg::vertex_slots(mesh, with_boundary);
  const int n = set_.operators.sides() * slots_;
  around_ = upload_integers(device, "elements around vertices", set_.blocks, n, [&] {
    std::vector<std::int32_t> around = neighbours().around;
    const std::vector<std::int64_t> lanes = faces_.lane_of_face();
    for (std::int32_t& code : around)
      if (code < 0) code = static_cast<std::int32_t>(-1 - lanes[static_cast<std::size_t>(-1 - code)]);
    return padded(set_.blocks, around, n);
  });
}

void SetLimiter::limit(Launcher& launcher, void* state, const void* gradients, kernels::Control* control,
                       double abscissa) const {
  const device::Kind kind = launcher.device().kind();
  if (boundary_means_)
    launcher.launch(
        "boundary_means", faces_.range(kind),
        kernels::BoundaryMeanArguments{faces_.arrays(), state, address(boundary_means_), control, abscissa});
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
  const device::Range range = range_of(set_.blocks, kind);
  if (troubled_) launcher.launch("detect" + set_.label, range, a);
  launcher.launch("limit" + set_.label,
                  spec_.limiter->slopes ? range : shared_range_of(set_.blocks, kind, spec_.variable_count()), a);
}

Limiter::Limiter(Launcher& launcher, const mesh::Mesh& mesh, const Spec& spec, const std::vector<ElementSet>& sets,
                 const FaceSets& faces, const StateArrays& states, kernels::Control* control)
    : launcher_(launcher), spec_(spec), sets_(sets), states_(states), control_(control) {
  for (const ElementSet& set : sets) limiters_.emplace_back(launcher.device(), mesh, spec, set, faces[0]);
}

void Limiter::finish(device::Memory& state, double abscissa) {
  launcher_.concurrently(sets_.size(), [&](std::size_t b) {
    limiters_[b].limit(launcher_, states_.part(state, sets_[b]), gradients_of(sets_[b]), control_, abscissa);
  });
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
