// Construction of a Discretization: programs, and the arrays of mesh and operators on the device.
#include <algorithm>
#include <cmath>

#include "dg/discretization.hpp"
#include "dg/tiles.hpp"

namespace galerna::dg {

using device::Kind;

namespace {

/// Whether the spec's limiter looks at all elements around the vertices.
bool looks_around_vertices(const LimiterSpec& limiter) {
  return limiter.vertex_neighbours || limiter.slopes == LimiterSpec::Slopes::hierarchical;
}

/// Means of derivatives that the hierarchical limiter stores for each element, all variables.
int limiter_derivatives(const Spec& spec) {
  const int p = spec.degree;
  return std::max(1, spec.variable_count() * (p * (p + 1) / 2 - 1));
}

}  // namespace

Discretization::Discretization(device::Device& device, const mesh::Mesh& mesh, Spec spec,
                               const std::vector<std::optional<WallShape>>& walls,
                               const std::set<std::pair<int, int>>& stage_shapes)
    : device_(device),
      mesh_(mesh),
      spec_(std::move(spec)),
      sets_(make_element_sets(mesh, spec_, target_of(device, spec_.precision))),
      general_(!are_triangles_alone(sets_)) {
  if (!general_ && device_.stores()) geometry_ = make_geometry(mesh);
  arrange_boundary();
  allocate_traces();
  if (general_) {
    load_general_programs(stage_shapes);
    upload_general(walls);
  } else {
    load_programs(stage_shapes);
    upload_boundary(walls);
    upload_triangles();
    upload_neighbours();
  }
  allocate_reductions();
  control_ = allocate_cleared(device_, "control", sizeof(kernels::Control));
  earlier_flux_.assign(static_cast<std::size_t>(spec_.variable_count()), 0.0);
}

void Discretization::load_programs(const std::set<std::pair<int, int>>& stage_shapes) {
  const Target target = target_of(device_, spec_.precision);
  const device::ProgramSource core = core_program(spec_, operators(), *sets_[0].structure, target, stage_shapes);
  const device::ProgramSource formulas = case_program(spec_, operators(), target);
  sets_[0].program = device_.load(core);
  formulas_ = device_.load(formulas);
  for (const std::string& entry : core.entries) kernels_[entry] = device_.kernel(*sets_[0].program, entry);
  for (const std::string& entry : formulas.entries) kernels_[entry] = device_.kernel(*formulas_, entry);
  const Structure& structure = *sets_[0].structure;
  if (!steps_by_one_kernel(structure, spec_.degree, mesh_.element_count())) return;
  const Sequence sequence = sequence_program(spec_, operators(), structure, target, stage_shapes);
  sequence_program_ = device_.load(sequence.source);
  sequence_ = {device_.kernel(*sequence_program_, "sequence"), sequence.entries};
}

void Discretization::upload_triangles() {
  ElementSet& set = sets_[0];
  const auto precision = spec_.precision;
  const std::int64_t d = mesh_.dimension;
  set.gradients = upload_blocked(
      device_, "gradients of barycentric coordinates", precision, set.blocks,
      d * d, [&]() -> auto& { return geometry_.gradients; });
  set.diameters_array = upload_blocked(
      device_, "diameters", precision, set.blocks, 1, [&]() -> auto& { return geometry_.diameters; });
  set.diameters = geometry_.diameters;
  for (double determinant : geometry_.determinants) set.measure += determinant * reference_measure(set.operators.shape);
  if (spec_.has_source()) upload_nodes(set, device_, precision, mesh_, mesh_.blocks[0]);

  // Padding lanes repeat the last element but count for nothing in integrals: their determinant is zero.
  Blocks all = set.blocks;
  all.items = set.blocks.padded();
  set.determinants = upload_blocked(device_, "determinants", precision, all, 1, [&] {
    std::vector<double> padded = geometry_.determinants;
    padded.resize(static_cast<std::size_t>(all.items), 0.0);
    return padded;
  });
  upload_side_basis(set, "tables");
}

void Discretization::upload_side_basis(ElementSet& set, const std::string& purpose) {
  std::vector<double> side_basis;
  for (const basis::Matrix& m : set.operators.side_basis)
    side_basis.insert(side_basis.end(), m.data(), m.data() + m.size());
  set.side_basis = upload_numbers(device_, purpose, spec_.precision, side_basis);
}

void Discretization::allocate_reductions() {
  const ElementSet& last = sets_.back();
  block_count_ = last.first_block + last.blocks.count;
  step_limit_count_ = last.first_group + monitor_groups(last.blocks, last.structure->tile, device_.kind());
  const auto rows = static_cast<std::size_t>(std::max(2 + spec_.variable_count(), 3 * spec_.variable_count()));
  const std::string purpose = "reductions over blocks";
  step_limits_ = allocate_cleared(device_, purpose, static_cast<std::size_t>(step_limit_count_) * sizeof(double));
  partials_ = allocate_cleared(device_, purpose, rows * static_cast<std::size_t>(block_count_) * sizeof(double));
  if (!spec_.local_steps) return;
  for (ElementSet& set : sets_)
    set.element_limits = allocate_cleared(device_, "steps of elements",
                                          static_cast<std::size_t>(set.blocks.padded() * bytes_of(spec_.precision)));
}

/// Of all sides of a mesh of straight triangles: the neighbour's element · 4 + side, or −1 − (padded lane of the
/// boundary face).
std::vector<std::int32_t> Discretization::triangle_codes() const {
  std::vector<std::int32_t> codes = neighbour_codes(mesh_, 0);
  for (std::size_t lane = 0; lane < face_of_lane_.size(); ++lane)
    if (!lane_is_padding_[lane]) {
      const mesh::Side& side = mesh_.faces[static_cast<std::size_t>(face_of_lane_[lane])].left;
      codes[static_cast<std::size_t>(side.element * operators().sides() + side.side)] =
          -1 - static_cast<std::int32_t>(lane);
    }
  return codes;
}

void Discretization::upload_neighbours() {
  const Blocks& blocks = triangles().blocks;
  const int sides = operators().sides();
  const Lazy<std::vector<std::int32_t>> codes([this] { return triangle_codes(); });
  if (spec_.limiter) upload_limiter(codes);
  if (triangles().structure->tile > 0) upload_tiles(sets_[0], codes());
  // Stored traces: the slot of the trace, [block][side][lane]; ghosts follow all element blocks.
  const auto slot_of_code = [lanes = std::int64_t{blocks.lanes}, sides,
                             ghosts = blocks.padded() * sides](std::int64_t code) {
    const std::int64_t element = code / 4, side = code % 4;
    return static_cast<std::int32_t>(code < 0 ? ghosts + (-1 - code)
                                              : (element / lanes * sides + side) * lanes + element % lanes);
  };
  sets_[0].neighbours = upload_integers(device_, "neighbours", blocks, sides, [&] {
    std::vector<std::int32_t> beyond = codes();
    if (device_.kind() == Kind::host) std::transform(beyond.begin(), beyond.end(), beyond.begin(), slot_of_code);
    return pad(blocks, beyond, sides);
  });
}

void Discretization::upload_tiles(ElementSet& set, const std::vector<std::int32_t>& codes) {
  const int sides = set.operators.sides(), points = set.operators.side.size(), elements = set.structure->tile;
  const Tiles tiles = make_tiles(codes, set.blocks.padded(), elements, sides);
  const std::vector<double> fragments = set.structure->products(set.operators);
  tile_operators_ = upload(device_, "operators of tiles", fragments);
  tile_neighbours_ = upload(device_, "connectivity of tiles", tiles.neighbours);
  tile_codes_ = upload(device_, "connectivity of tiles", tiles.codes);
  tiles_.operators = static_cast<const double*>(tile_operators_->address());
  tiles_.neighbours = static_cast<const std::int32_t*>(tile_neighbours_->address());
  tiles_.codes = static_cast<const std::int32_t*>(tile_codes_->address());
  tiles_.count = tiles.count;
  tiles_.outside = tiles.outside;
  tiles_.columns = tiles.columns;
  // kernels/tile/residual.hpp, TileMemory: operators, and twice traces, normals and neighbours
  const int pairs = (spec_.variable_count() + 1) / 2, numbers = static_cast<int>(fragments.size());
  const auto even = [](int n) { return n + n % 2; };
  set.residual_range.shared_bytes =
      even(numbers) * 8 + 2 * (pairs * sides * points * tiles.columns * 16 +
                               even(sides * (mesh_.dimension + 1) * elements) * 8 + sides * elements * 4);
}

std::vector<std::int32_t> Discretization::pad(const Blocks& blocks, const std::vector<std::int32_t>& values,
                                              std::int64_t n) const {
  std::vector<std::int32_t> padded;
  padded.reserve(static_cast<std::size_t>(blocks.padded() * n));
  for (std::int64_t lane = 0; lane < blocks.padded(); ++lane)
    for (std::int64_t k = 0; k < n; ++k) padded.push_back(values[static_cast<std::size_t>(blocks.item(lane) * n + k)]);
  return padded;
}

void Discretization::upload_limiter(const Lazy<std::vector<std::int32_t>>& codes) {
  const LimiterSpec& limiter = *spec_.limiter;
  const Blocks& blocks = triangles().blocks;
  const bool hierarchical = limiter.slopes == LimiterSpec::Slopes::hierarchical;
  const auto numbers = static_cast<std::size_t>(blocks.padded() * bytes_of(spec_.precision));
  // Where nothing but the triangles' own kernels run on a GPU, their array of neighbours has the same codes.
  if (general_ || device_.kind() == Kind::host)
    face_neighbours_ = upload_integers(device_, "neighbours, for the limiter", blocks, operators().sides(),
                                       [&] { return pad(blocks, codes(), operators().sides()); });
  if (looks_around_vertices(limiter)) upload_vertex_neighbours();
  if (spec_.bounds_slopes_at_boundary() && face_blocks_.count > 0) {
    const auto faces = static_cast<std::size_t>(face_blocks_.items * bytes_of(spec_.precision));
    const std::string purpose = "states on the boundary, for the limiter";
    boundary_means_ = allocate_cleared(device_, purpose, faces * static_cast<std::size_t>(spec_.variable_count()));
    limited_faces_ = upload_integers(device_, purpose, face_blocks_, 1, [this] { return face_codes(); });
  }
  if (hierarchical) {
    derivatives_ = allocate_cleared(device_, "derivatives, for the limiter",
                                    numbers * static_cast<std::size_t>(limiter_derivatives(spec_)));
    troubled_ = allocate_cleared(device_, "troubled elements", numbers);
  }
  limiter_counts_ =
      allocate_cleared(device_, "counts of the limiter", 2 * static_cast<std::size_t>(blocks.count) * sizeof(double));
}

void Discretization::upload_vertex_neighbours() {
  const bool with_boundary = spec_.bounds_slopes_at_boundary();
  const Lazy<VertexNeighbours> neighbours([&] { return make_vertex_neighbours(mesh_, with_boundary); });
  around_slots_ = device_.stores() ? neighbours().slots : dg::vertex_slots(mesh_, with_boundary);
  const int n = operators().sides() * around_slots_;
  const Blocks& blocks = triangles().blocks;
  around_ = upload_integers(device_, "elements around vertices", blocks, n, [&] {
    std::vector<std::int32_t> around = neighbours().around;
    const std::vector<std::int64_t> lanes = lane_of_face();
    for (std::int32_t& code : around)
      if (code < 0) code = static_cast<std::int32_t>(-1 - lanes[static_cast<std::size_t>(-1 - code)]);
    return pad(blocks, around, n);
  });
}

std::vector<std::int64_t> Discretization::lane_of_face() const {
  std::vector<std::int64_t> lanes(static_cast<std::size_t>(mesh_.boundary_faces));
  for (std::size_t lane = 0; lane < face_of_lane_.size(); ++lane)
    if (!lane_is_padding_[lane]) lanes[static_cast<std::size_t>(face_of_lane_[lane])] = static_cast<std::int64_t>(lane);
  return lanes;
}

std::vector<std::int32_t> Discretization::face_codes() const {
  std::vector<std::int32_t> codes;
  for (std::int64_t face : face_of_lane_) {
    const mesh::Side& side = mesh_.faces[static_cast<std::size_t>(face)].left;
    codes.push_back(static_cast<std::int32_t>(side.element * 4 + side.side));
  }
  return codes;
}

std::vector<double> Discretization::side_coordinates() const {
  std::vector<double> result;
  for (const basis::Point& point : operators().side.points) result.push_back(0.5 * (1 + point[0]));
  return result;
}

void Discretization::arrange_boundary() {
  // Each boundary starts a new block (a new thread block on Cuda), so that a block has one condition.
  const Blocks unit = make_blocks(1, device_, spec_.precision);
  const auto chunk = static_cast<std::size_t>(unit.padded());
  for (mesh::Index f = 0; f < mesh_.boundary_faces; ++f) {
    const int boundary = mesh_.faces[static_cast<std::size_t>(f)].boundary;
    if (f > 0 && boundary != mesh_.faces[static_cast<std::size_t>(f - 1)].boundary)
      while (face_of_lane_.size() % chunk) {
        face_of_lane_.push_back(f - 1);
        lane_is_padding_.push_back(true);
      }
    face_of_lane_.push_back(f);
    lane_is_padding_.push_back(false);
  }
  while (face_of_lane_.size() % chunk) {
    face_of_lane_.push_back(mesh_.boundary_faces - 1);
    lane_is_padding_.push_back(true);
  }
  face_blocks_.lanes = unit.lanes;
  face_blocks_.items = static_cast<std::int64_t>(face_of_lane_.size());
  face_blocks_.count = face_blocks_.items / unit.lanes;
}

void Discretization::allocate_traces() {
  const std::int64_t point_bytes = operators().side.size() * spec_.variable_count() * bytes_of(spec_.precision);
  std::int64_t slots = face_blocks_.items;
  if (general_ || device_.kind() == Kind::host) slots += sets_.back().first_slot + sets_.back().slots();
  // With viscosity a second row of ghosts holds what jumps on the boundary are taken to.
  const std::int64_t lifted = spec_.viscous ? face_blocks_.items : 0;
  const auto trace_bytes = static_cast<std::size_t>((slots + lifted) * point_bytes);
  const std::string stored = device_.kind() == Kind::host ? "traces on sides" : "ghost states";
  const std::string purpose = general_ ? "traces on sides, of this stage and the next" : stored;
  traces_ = allocate_cleared(device_, purpose, trace_bytes);
  if (general_) next_traces_ = allocate_cleared(device_, purpose, trace_bytes);
  if (spec_.viscous) {
    viscous_traces_ =
        allocate_cleared(device_, "viscous fluxes on sides", static_cast<std::size_t>(slots * point_bytes));
    face_gradients_ = allocate_cleared(device_, "gradients on the boundary",
                                       static_cast<std::size_t>(face_blocks_.items * mesh_.dimension * point_bytes));
  }
  const std::size_t flux_bytes =
      face_of_lane_.size() * static_cast<std::size_t>(spec_.variable_count()) * sizeof(double);
  if (face_of_lane_.empty()) return;
  pending_flux_ = allocate_cleared(device_, "fluxes through the boundary", flux_bytes);
  total_flux_ = allocate_cleared(device_, "fluxes through the boundary", flux_bytes);
  report_ = allocate_cleared(device_, "fluxes at points of the boundary, for reports",
                             (spec_.viscous ? 2 : 1) * report_bytes());
}

/// Numbers [boundary face][n] by padded lanes.
std::unique_ptr<device::Memory> Discretization::upload_faces(std::int64_t n, const FaceNumbers& of_faces) {
  return upload_blocked(device_, "boundary faces", spec_.precision, face_blocks_, n, [&] {
    std::vector<double> by_lane;
    by_lane.reserve(static_cast<std::size_t>(face_blocks_.items * n));
    const std::vector<double>& values = of_faces();
    for (std::int64_t face : face_of_lane_) {
      const auto from = values.begin() + face * n;
      by_lane.insert(by_lane.end(), from, from + n);
    }
    return by_lane;
  });
}

/// Numbers [boundary face] that are 0 in padding.
std::unique_ptr<device::Memory> Discretization::upload_measures(const FaceNumbers& of_faces) {
  return upload_blocked(device_, "boundary faces", spec_.precision, face_blocks_, 1, [&] {
    std::vector<double> by_lane;
    const std::vector<double>& values = of_faces();
    for (std::size_t lane = 0; lane < face_of_lane_.size(); ++lane)
      by_lane.push_back(lane_is_padding_[lane] ? 0.0 : values[static_cast<std::size_t>(face_of_lane_[lane])]);
    return by_lane;
  });
}

/// The condition of each block of faces.
void Discretization::upload_conditions() {
  std::vector<std::int32_t> conditions;
  for (std::size_t lane = 0; lane < face_of_lane_.size(); lane += static_cast<std::size_t>(face_blocks_.lanes))
    conditions.push_back(mesh_.faces[static_cast<std::size_t>(face_of_lane_[lane])].boundary);
  face_conditions_ = upload(device_, "boundary faces", conditions);
}

void Discretization::upload_boundary(const std::vector<std::optional<WallShape>>& walls) {
  if (face_of_lane_.empty()) return;
  const Lazy<BoundaryFaces> faces([&] { return make_boundary_faces(mesh_, side_coordinates(), walls); });
  const int q = operators().side.size();
  positions_ = upload_faces(
      3 * q, [&]() -> auto& { return faces().positions; });
  wall_normals_ = upload_faces(
      mesh_.dimension * q, [&]() -> auto& { return faces().wall_normals; });
  face_measures_ = upload_measures([&]() -> auto& { return faces().measures; });
  face_elements_ = upload_integers(device_, "boundary faces", face_blocks_, 1, [this] { return face_codes(); });
  upload_conditions();
}

}  // namespace galerna::dg
