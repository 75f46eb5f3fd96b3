// Construction of a Discretization: programs, and the arrays of mesh and operators on the device.
#include <algorithm>
#include <cmath>

#include "dg/discretization.hpp"
#include "dg/memory_plan.hpp"
#include "dg/tiles.hpp"

namespace galerna::dg {

using device::Kind;

Discretization::Discretization(device::Device& device, const mesh::Mesh& mesh, Spec spec,
                               const std::vector<std::optional<WallShape>>& walls,
                               const std::set<std::pair<int, int>>& stage_shapes)
    : device_(device),
      mesh_(mesh),
      spec_(std::move(spec)),
      operators_(make_operators(spec_.shape, spec_.degree, spec_.volume_quadrature, spec_.face_quadrature)),
      geometry_(make_geometry(mesh)),
      blocks_(make_blocks(mesh.element_count(), device, spec_.precision)) {
  load_programs(stage_shapes);
  upload_boundary(walls);
  upload_elements();
  upload_neighbours();
  control_ = allocate_cleared(device_, sizeof(kernels::Control));
  earlier_flux_.assign(static_cast<std::size_t>(spec_.variable_count()), 0.0);
}

void Discretization::load_programs(const std::set<std::pair<int, int>>& stage_shapes) {
  const Target target = target_of(device_, spec_.precision);
  tile_elements_ = tile_elements(spec_, target);
  const device::ProgramSource core = core_program(spec_, operators_, target, stage_shapes);
  const device::ProgramSource formulas = case_program(spec_, operators_, target);
  core_ = device_.load(core);
  formulas_ = device_.load(formulas);
  for (const std::string& entry : core.entries) kernels_[entry] = device_.kernel(*core_, entry);
  for (const std::string& entry : formulas.entries) kernels_[entry] = device_.kernel(*formulas_, entry);
}

void Discretization::upload_elements() {
  const auto precision = spec_.precision;
  const std::int64_t d = geometry_.dimension;
  gradients_ = upload_blocked(device_, precision, blocks_, geometry_.gradients, d * d);
  diameters_ = upload_blocked(device_, precision, blocks_, geometry_.diameters, 1);
  if (spec_.has_source()) vertices_ = upload_blocked(device_, precision, blocks_, geometry_.vertices, (d + 1) * d);

  // Padding lanes repeat the last element but count for nothing in integrals: their determinant is zero.
  std::vector<double> padded = geometry_.determinants;
  padded.resize(static_cast<std::size_t>(blocks_.padded()), 0.0);
  Blocks all = blocks_;
  all.items = blocks_.padded();
  determinants_ = upload_blocked(device_, precision, all, padded, 1);

  std::vector<double> side_basis;
  for (const basis::Matrix& m : operators_.side_basis)
    side_basis.insert(side_basis.end(), m.data(), m.data() + m.size());
  side_basis_ = upload_numbers(device_, precision, side_basis);
  const auto rows = static_cast<std::size_t>(std::max(2 + spec_.variable_count(), 3 * spec_.variable_count()));
  const auto block_count = static_cast<std::size_t>(blocks_.count);
  step_limit_count_ = monitor_groups(blocks_, tile_elements_, device_.kind());
  step_limits_ = allocate_cleared(device_, static_cast<std::size_t>(step_limit_count_) * sizeof(double));
  partials_ = allocate_cleared(device_, rows * block_count * sizeof(double));
}

void Discretization::upload_neighbours() {
  // Sides: the neighbour's element · 4 + side, or −1 − (padded lane of the boundary face).
  const int sides = operators_.sides();
  std::vector<std::int32_t> codes(static_cast<std::size_t>(mesh_.element_count() * sides));
  const auto code = [&](const mesh::Side& at) -> std::int32_t& {
    return codes[static_cast<std::size_t>(at.element * sides + at.side)];
  };
  for (std::size_t f = static_cast<std::size_t>(mesh_.boundary_faces); f < mesh_.faces.size(); ++f) {
    const mesh::Face& face = mesh_.faces[f];
    code(face.left) = static_cast<std::int32_t>(face.right.element * 4 + face.right.side);
    code(face.right) = static_cast<std::int32_t>(face.left.element * 4 + face.left.side);
  }
  for (std::size_t lane = 0; lane < face_of_lane_.size(); ++lane)
    if (!lane_is_padding_[lane])
      code(mesh_.faces[static_cast<std::size_t>(face_of_lane_[lane])].left) = -1 - static_cast<std::int32_t>(lane);

  if (spec_.limiter) upload_limiter(codes);
  if (tile_elements_ > 0) upload_tiles(codes);
  if (device_.kind() == Kind::host) {
    // Stored traces: the slot of the trace, [block][side][lane]; ghosts follow all element blocks.
    const std::int64_t lanes = blocks_.lanes, ghosts = blocks_.count * sides * lanes;
    for (std::int32_t& c : codes) {
      const std::int64_t element = c / 4, side = c % 4;
      c = static_cast<std::int32_t>(c < 0 ? ghosts + (-1 - c)
                                          : (element / lanes * sides + side) * lanes + element % lanes);
    }
  }
  neighbours_ = upload_integers(device_, blocks_, pad(codes, sides), sides);
}

void Discretization::upload_tiles(const std::vector<std::int32_t>& codes) {
  const auto upload = [&](const auto& values) {
    auto memory = device_.allocate(values.size() * sizeof(values[0]));
    device_.write(*memory, values.data(), values.size() * sizeof(values[0]));
    return memory;
  };
  const int sides = operators_.sides();
  const Tiles tiles = make_tiles(codes, blocks_.padded(), tile_elements_, sides);
  const std::vector<double> operators = tile_operators(operators_);
  tile_operators_ = upload(operators);
  tile_neighbours_ = upload(tiles.neighbours);
  tile_codes_ = upload(tiles.codes);
  tiles_.operators = static_cast<const double*>(tile_operators_->address());
  tiles_.neighbours = static_cast<const std::int32_t*>(tile_neighbours_->address());
  tiles_.codes = static_cast<const std::int32_t*>(tile_codes_->address());
  tiles_.count = tiles.count;
  tiles_.outside = tiles.outside;
  tiles_.columns = tiles.columns;
  // kernels/tile/residual.hpp, TileMemory: operators, and twice traces, normals and neighbours
  const int pairs = (spec_.variable_count() + 1) / 2, numbers = static_cast<int>(operators.size());
  const auto even = [](int n) { return n + n % 2; };
  tile_range_ = {tiles.count * tile_elements_ * 4, tile_elements_ * 4, 0, true};
  tile_range_.shared_bytes =
      even(numbers) * 8 + 2 * (pairs * sides * operators_.side.size() * tiles.columns * 16 +
                               even(sides * (geometry_.dimension + 1) * tile_elements_) * 8 + sides * tile_elements_ * 4);
}

std::vector<std::int32_t> Discretization::pad(const std::vector<std::int32_t>& values, std::int64_t n) const {
  std::vector<std::int32_t> padded;
  padded.reserve(static_cast<std::size_t>(blocks_.padded() * n));
  for (std::int64_t lane = 0; lane < blocks_.padded(); ++lane)
    for (std::int64_t k = 0; k < n; ++k) padded.push_back(values[static_cast<std::size_t>(blocks_.item(lane) * n + k)]);
  return padded;
}

void Discretization::upload_limiter(const std::vector<std::int32_t>& codes) {
  const LimiterSpec& limiter = *spec_.limiter;
  const bool hierarchical = limiter.slopes == LimiterSpec::Slopes::hierarchical;
  const auto numbers = static_cast<std::size_t>(blocks_.padded() * bytes_of(spec_.precision));
  // The GPU's array of neighbours has the same codes.
  if (device_.kind() == Kind::host)
    face_neighbours_ = upload_integers(device_, blocks_, pad(codes, operators_.sides()), operators_.sides());
  if (looks_around_vertices(spec_)) {
    const VertexNeighbours around = make_vertex_neighbours(mesh_);
    around_slots_ = around.slots;
    const int n = operators_.sides() * around.slots;
    around_ = upload_integers(device_, blocks_, pad(around.elements, n), n);
  }
  if (hierarchical) {
    derivatives_ = allocate_cleared(device_, numbers * static_cast<std::size_t>(limiter_derivatives(spec_)));
    troubled_ = allocate_cleared(device_, numbers);
  }
  limiter_counts_ = allocate_cleared(device_, 2 * static_cast<std::size_t>(blocks_.count) * sizeof(double));
}

std::vector<double> Discretization::side_coordinates() const {
  std::vector<double> result;
  for (const basis::Point& point : operators_.side.points) result.push_back(0.5 * (1 + point[0]));
  return result;
}

void Discretization::upload_boundary(const std::vector<std::optional<WallShape>>& walls) {
  // Each boundary starts a new block (a new thread block on Cuda), so that a block has one condition.
  const Blocks unit = make_blocks(1, device_, spec_.precision);
  const auto chunk = static_cast<std::size_t>(unit.padded());
  std::vector<std::int32_t> conditions;
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
  face_blocks_.lanes = blocks_.lanes;
  face_blocks_.items = static_cast<std::int64_t>(face_of_lane_.size());
  face_blocks_.count = face_blocks_.items / blocks_.lanes;

  const int variables = spec_.variable_count(), points = operators_.side.size();
  const std::size_t slot_bytes = static_cast<std::size_t>(points * variables * bytes_of(spec_.precision));
  std::size_t slots = face_of_lane_.size();
  if (device_.kind() == Kind::host) slots += static_cast<std::size_t>(blocks_.padded() * operators_.sides());
  traces_ = allocate_cleared(device_, slots * slot_bytes);
  if (face_of_lane_.empty()) return;

  const BoundaryFaces faces = make_boundary_faces(mesh_, side_coordinates(), walls);
  std::vector<double> positions, normals, measures;
  std::vector<std::int32_t> elements;
  const auto append = [](std::vector<double>& to, const std::vector<double>& from, std::size_t face, std::size_t n) {
    to.insert(to.end(), from.begin() + static_cast<std::ptrdiff_t>(face * n),
              from.begin() + static_cast<std::ptrdiff_t>((face + 1) * n));
  };
  const auto q = static_cast<std::size_t>(points), d = static_cast<std::size_t>(mesh_.dimension);
  for (std::size_t lane = 0; lane < face_of_lane_.size(); ++lane) {
    const auto f = static_cast<std::size_t>(face_of_lane_[lane]);
    const mesh::Face& face = mesh_.faces[f];
    append(positions, faces.positions, f, q * 3);
    append(normals, faces.wall_normals, f, q * d);
    measures.push_back(lane_is_padding_[lane] ? 0.0 : faces.measures[f]);
    elements.push_back(static_cast<std::int32_t>(face.left.element * 4 + face.left.side));
    if (lane % static_cast<std::size_t>(blocks_.lanes) == 0) conditions.push_back(face.boundary);
  }
  const auto precision = spec_.precision;
  positions_ = upload_blocked(device_, precision, face_blocks_, positions, static_cast<std::int64_t>(q * 3));
  wall_normals_ = upload_blocked(device_, precision, face_blocks_, normals, static_cast<std::int64_t>(q * d));
  face_measures_ = upload_blocked(device_, precision, face_blocks_, measures, 1);
  face_elements_ = upload_integers(device_, face_blocks_, elements, 1);
  face_conditions_ = device_.allocate(conditions.size() * sizeof(std::int32_t));
  device_.write(*face_conditions_, conditions.data(), conditions.size() * sizeof(std::int32_t));
  const std::size_t flux_bytes = face_of_lane_.size() * static_cast<std::size_t>(variables) * sizeof(double);
  pending_flux_ = allocate_cleared(device_, flux_bytes);
  total_flux_ = allocate_cleared(device_, flux_bytes);
}

}  // namespace galerna::dg
