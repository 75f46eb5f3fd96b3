#include "dg/sides/face_set.hpp"

#include <algorithm>
#include <stdexcept>

namespace galerna::dg {
namespace {

/// The rule of a side of the shape, the same in all sets (make_block_operators()).
const basis::Quadrature& rule_of(const std::vector<ElementSet>& sets, Shape shape) {
  for (const ElementSet& set : sets)
    for (const basis::Quadrature& rule : set.operators.side_rules)
      if (rule.shape == shape) return rule;
  throw std::logic_error("FaceSet: no element has a side of this shape");
}

bool stores_traces(const std::vector<ElementSet>& sets) {
  return sets.size() > 1 || sets.front().structure->stores_traces;
}

/// Whether a stage leaves traces for the next one (kernels/element/residual.hpp).
bool leaves_traces(const std::vector<ElementSet>& sets) {
  return std::any_of(sets.begin(), sets.end(), [](const ElementSet& set) { return !set.structure->simplices; });
}

}  // namespace

FaceSet::FaceSet(Shape shape, std::string label, const mesh::Mesh& mesh, const std::vector<ElementSet>& sets,
                 const device::Device& device, const Spec& spec, const std::vector<mesh::CutSide>& cut)
    : shape_(shape),
      label_(std::move(label)),
      mesh_(mesh),
      sets_(sets),
      spec_(spec),
      rule_(rule_of(sets, shape)),
      stores_traces_(stores_traces(sets)),
      first_slots_{0} {
  for (const ElementSet& set : sets)
    first_slots_.push_back(first_slots_.back() + set.blocks.padded() * like_sides(set.operators.shape, shape));
  for (const mesh::CutSide& side : cut)
    if (side_shape(mesh.shape(side.side.element), side.side.side) == shape) cut_.push_back(side);
  cut_slots_ = make_blocks(static_cast<std::int64_t>(cut_.size()), device, spec.precision).padded();
  arrange_boundary(make_blocks(1, device, spec.precision));
}

/// Each boundary starts a new block (a new thread block on Cuda), so that a block has one condition.
void FaceSet::arrange_boundary(const Blocks& unit) {
  const auto chunk = static_cast<std::size_t>(unit.padded());
  const auto fill_block = [&] {
    while (face_of_lane_.size() % chunk) {
      face_of_lane_.push_back(face_of_lane_.back());
      is_padding_.push_back(true);
    }
  };
  const auto boundary_of = [&](mesh::Index face) { return mesh_.faces[static_cast<std::size_t>(face)].boundary; };
  for (mesh::Index f = 0; f < mesh_.boundary_faces; ++f) {
    const mesh::Side& side = mesh_.faces[static_cast<std::size_t>(f)].left;
    if (side_shape(mesh_.shape(side.element), side.side) != shape_) continue;
    if (!face_of_lane_.empty() && boundary_of(f) != boundary_of(face_of_lane_.back())) fill_block();
    face_of_lane_.push_back(f);
    is_padding_.push_back(false);
  }
  fill_block();
  blocks_.lanes = unit.lanes;
  blocks_.items = static_cast<std::int64_t>(face_of_lane_.size());
  blocks_.count = blocks_.items / unit.lanes;
}

std::int64_t FaceSet::slot_of(const mesh::Side& side) const {
  const auto [block, position] = mesh_.locate(side.element);
  const auto b = static_cast<std::size_t>(block);
  const ElementSet& set = sets_[b];
  const std::int64_t lanes = set.blocks.lanes;
  const Shape element = set.operators.shape;
  return first_slots_[b] + (position / lanes * like_sides(element, shape_) + side_rank(element, side.side)) * lanes +
         position % lanes;
}

std::vector<std::int64_t> FaceSet::lane_of_face() const {
  std::vector<std::int64_t> lanes(static_cast<std::size_t>(mesh_.boundary_faces), -1);
  for_each_face([&](std::size_t lane, mesh::Index face) {
    lanes[static_cast<std::size_t>(face)] = static_cast<std::int64_t>(lane);
  });
  return lanes;
}

std::size_t FaceSet::report_bytes() const {
  return static_cast<std::size_t>(blocks_.items * 2 * rule_.size() * spec_.variable_count() *
                                  bytes_of(spec_.precision));
}

void FaceSet::allocate(device::Device& device) {
  const std::int64_t point_bytes = rule_.size() * spec_.variable_count() * bytes_of(spec_.precision);
  const std::int64_t slots = first_ghost() + blocks_.items;
  const auto array = [&](const std::string& purpose, std::int64_t bytes) {
    return allocate_cleared(device, purpose, static_cast<std::size_t>(bytes));
  };
  // With viscosity a second row of ghosts holds what jumps on the boundary are taken to.
  const std::int64_t trace_bytes = (slots + (spec_.diffuses() ? blocks_.items : 0)) * point_bytes;
  const bool both = leaves_traces(sets_);
  const std::string stored = stores_traces_ ? "traces on sides" : "ghost states";
  const std::string purpose = both ? "traces on sides, of this stage and the next" : stored;
  traces_ = array(purpose, trace_bytes);
  if (both) next_traces_ = array(purpose, trace_bytes);
  if (spec_.diffuses()) {
    viscous_traces_ = array("viscous fluxes on sides", slots * point_bytes);
    face_gradients_ = array("gradients on the boundary", blocks_.items * mesh_.dimension * point_bytes);
  }
  if (blocks_.items == 0) return;
  const std::int64_t flux_bytes = blocks_.items * spec_.variable_count() * static_cast<std::int64_t>(sizeof(double));
  pending_flux_ = array("fluxes through the boundary", flux_bytes);
  total_flux_ = array("fluxes through the boundary", flux_bytes);
  report_ = allocate_cleared(device, "fluxes at points of the boundary, for reports",
                             (spec_.diffuses() ? 2 : 1) * report_bytes());
}

/// n numbers at each point, by padded lanes.
std::unique_ptr<device::Memory> FaceSet::upload_points(device::Device& device, const Lazy<BoundaryPoints>& points,
                                                       const std::vector<double> BoundaryPoints::*values,
                                                       std::size_t n) const {
  const auto count = static_cast<std::size_t>(rule_.size());
  return upload_blocked(device, "boundary faces", spec_.precision, blocks_, static_cast<std::int64_t>(n * count), [&] {
    std::vector<double> by_lane;
    by_lane.reserve(face_of_lane_.size() * n * count);
    for (mesh::Index face : face_of_lane_) {
      const auto from = (points().*values).begin() +
                        static_cast<std::ptrdiff_t>(n * points().first_point[static_cast<std::size_t>(face)]);
      by_lane.insert(by_lane.end(), from, from + static_cast<std::ptrdiff_t>(n * count));
    }
    return by_lane;
  });
}

void FaceSet::upload(device::Device& device, const Lazy<BoundaryPoints>& points) {
  if (blocks_.items == 0) return;
  const std::string purpose = "boundary faces";
  const auto d = static_cast<std::size_t>(mesh_.dimension);
  positions_ = upload_points(device, points, &BoundaryPoints::positions, 3);
  normals_ = upload_points(device, points, &BoundaryPoints::normals, d);
  wall_normals_ = upload_points(device, points, &BoundaryPoints::wall_normals, d);
  counts_ = upload_blocked(device, purpose, spec_.precision, blocks_, 1, [&] {
    std::vector<double> counts;
    for (const bool padding : is_padding_) counts.push_back(padding ? 0 : 1);
    return counts;
  });
  slots_ = upload_integers(device, purpose, blocks_, 1, [&] {
    std::vector<std::int32_t> slots;
    for (mesh::Index face : face_of_lane_)
      slots.push_back(static_cast<std::int32_t>(slot_of(mesh_.faces[static_cast<std::size_t>(face)].left)));
    return slots;
  });
  std::vector<std::int32_t> conditions;
  for (std::size_t lane = 0; lane < face_of_lane_.size(); lane += static_cast<std::size_t>(blocks_.lanes))
    conditions.push_back(mesh_.faces[static_cast<std::size_t>(face_of_lane_[lane])].boundary);
  conditions_ = dg::upload(device, purpose, conditions);
}

kernels::FaceArrays FaceSet::arrays() const {
  return {static_cast<const std::int32_t*>(address(slots_)),
          static_cast<const std::int32_t*>(address(conditions_)),
          address(positions_),
          address(normals_),
          address(wall_normals_),
          address(counts_)};
}

kernels::GhostArguments FaceSet::ghost_arguments() const {
  kernels::GhostArguments g{};
  g.faces = arrays();
  g.traces = traces();
  g.viscous_traces = viscous_traces();
  g.face_gradients = face_gradients();
  g.first_ghost = first_ghost();
  g.face_count = blocks_.items;
  g.pending_flux = static_cast<double*>(address(pending_flux_));
  g.total_flux = static_cast<double*>(address(total_flux_));
  return g;
}

void* FaceSet::report(Report which) const {
  return static_cast<char*>(report_->address()) + (which == Report::viscous ? report_bytes() : 0);
}

void FaceSet::read_report(device::Device& device, Report which, std::size_t quantity, const BoundaryPoints& points,
                          std::vector<double>& values) const {
  if (blocks_.items == 0) return;
  const auto variables = static_cast<std::size_t>(spec_.variable_count()),
             count = static_cast<std::size_t>(rule_.size()), numbers = count * 2 * variables;
  const std::vector<double> all =
      read_blocked(device, spec_.precision, blocks_, *report_, static_cast<std::int64_t>(numbers), 1,
                   which == Report::viscous ? report_bytes() : 0);
  values.resize(points.first_point.back() * variables);
  for_each_face([&](std::size_t lane, mesh::Index face) {
    for (std::size_t q = 0; q < count; ++q)
      std::copy_n(all.begin() + static_cast<std::ptrdiff_t>(lane * numbers + (2 * q + quantity) * variables), variables,
                  values.begin() + static_cast<std::ptrdiff_t>(
                                       (points.first_point[static_cast<std::size_t>(face)] + q) * variables));
  });
}

/// In [face block][variable][lane].
std::size_t FaceSet::sum_position(std::size_t lane, std::size_t variable) const {
  const auto lanes = static_cast<std::size_t>(blocks_.lanes),
             variables = static_cast<std::size_t>(spec_.variable_count());
  return (lane / lanes * variables + variable) * lanes + lane % lanes;
}

void FaceSet::gather(const std::vector<double>& values, std::vector<double>& to) const {
  const auto variables = static_cast<std::size_t>(spec_.variable_count());
  to.resize(static_cast<std::size_t>(mesh_.boundary_faces) * variables);
  for_each_face([&](std::size_t lane, mesh::Index face) {
    for (std::size_t v = 0; v < variables; ++v)
      to[static_cast<std::size_t>(face) * variables + v] = values[sum_position(lane, v)];
  });
}

std::vector<double> FaceSet::scatter(const std::vector<double>& values) const {
  const auto variables = static_cast<std::size_t>(spec_.variable_count());
  if (values.size() != static_cast<std::size_t>(mesh_.boundary_faces) * variables)
    throw std::invalid_argument("sums over other boundary faces");
  std::vector<double> result(static_cast<std::size_t>(blocks_.items) * variables, 0.0);
  for_each_face([&](std::size_t lane, mesh::Index face) {
    for (std::size_t v = 0; v < variables; ++v)
      result[sum_position(lane, v)] = values[static_cast<std::size_t>(face) * variables + v];
  });
  return result;
}

void FaceSet::add(const std::vector<double>& values, const std::function<bool(const mesh::Face&)>& counts,
                  std::vector<ExactSum>& to) const {
  const auto variables = to.size(), lanes = static_cast<std::size_t>(blocks_.lanes);
  for (std::size_t k = 0; k < values.size(); ++k) {
    const std::size_t v = k / lanes % variables, lane = k / lanes / variables * lanes + k % lanes;
    if (!is_padding_[lane] && counts(mesh_.faces[static_cast<std::size_t>(face_of_lane_[lane])])) to[v].add(values[k]);
  }
}

const FaceSet& faces_of(const FaceSets& faces, Shape shape) {
  return *std::find_if(faces.begin(), faces.end(), [&](const FaceSet& set) { return set.shape() == shape; });
}

}  // namespace galerna::dg
