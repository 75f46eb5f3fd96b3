// Construction of a Discretization: programs, and the arrays of mesh and operators on the device.
#include <algorithm>
#include <cmath>

#include "dg/discretization.hpp"
#include "dg/general_program.hpp"
#include "dg/side_codes.hpp"
#include "dg/tiles.hpp"

namespace galerna::dg {

using device::Kind;

namespace {

/// One for each shape of sides.
FaceSets make_face_sets(const mesh::Mesh& mesh, const std::vector<ElementSet>& sets, const device::Device& device,
                        const Spec& spec) {
  std::set<Shape> shapes;
  for (const ElementSet& set : sets)
    for (int side = 0; side < set.operators.sides(); ++side) shapes.insert(side_shape(set.operators.shape, side));
  FaceSets faces;
  for (Shape shape : shapes) faces.emplace_back(shape, face_label(sets, shape), mesh, sets, device, spec);
  return faces;
}

}  // namespace

Discretization::Discretization(device::Device& device, const mesh::Mesh& mesh, Spec spec,
                               const std::vector<std::optional<WallShape>>& walls,
                               const std::set<std::pair<int, int>>& stage_shapes)
    : device_(device),
      launcher_(device),
      mesh_(mesh),
      spec_(std::move(spec)),
      sets_(make_element_sets(mesh, spec_, target_of(device, spec_.precision))),
      general_(!are_simplices_alone(sets_)),
      faces_(make_face_sets(mesh, sets_, device, spec_)),
      boundary_points_([this, walls] { return make_boundary_points(mesh_, sets_, walls); }) {
  load_programs(stage_shapes);
  for (FaceSet& faces : faces_) faces.allocate(device_);
  for (std::size_t b = 0; b < sets_.size(); ++b) {
    if (general_)
      upload_general(b);
    else
      upload_simplices();
    upload_neighbours(b);
  }
  if (spec_.limiter) limiter_.emplace(device_, mesh_, spec_, first_set(), faces_[0]);
  for (FaceSet& faces : faces_) faces.upload(device_, boundary_points_);
  allocate_reductions();
  control_ = allocate_cleared(device_, "control", sizeof(kernels::Control));
  earlier_flux_.assign(static_cast<std::size_t>(spec_.variable_count()), 0.0);
}

void Discretization::load_programs(const std::set<std::pair<int, int>>& stage_shapes) {
  const Programs programs = make_programs(sets_, spec_, target_of(device_, spec_.precision), stage_shapes);
  for (const auto& [source, label] : programs.labelled) launcher_.load(source, label);
  if (programs.sequence) launcher_.load(*programs.sequence);
}

void Discretization::upload_simplices() {
  ElementSet& set = sets_[0];
  const Geometry geometry = device_.stores() ? make_geometry(mesh_) : Geometry{};
  const auto precision = spec_.precision;
  const std::int64_t d = mesh_.dimension;
  set.gradients = upload_blocked(
      device_, "gradients of barycentric coordinates", precision, set.blocks,
      d * d, [&]() -> auto& { return geometry.gradients; });
  set.diameters_array = upload_blocked(
      device_, "diameters", precision, set.blocks, 1, [&]() -> auto& { return geometry.diameters; });
  set.diameters = geometry.diameters;
  for (double determinant : geometry.determinants) set.measure += determinant * reference_measure(set.operators.shape);
  if (spec_.has_source()) upload_nodes(set, device_, precision, mesh_, mesh_.blocks[0]);

  // Padding lanes repeat the last element but count for nothing in integrals: their determinant is zero.
  Blocks all = set.blocks;
  all.items = set.blocks.padded();
  set.determinants = upload_blocked(device_, "determinants", precision, all, 1, [&] {
    std::vector<double> padded = geometry.determinants;
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

/// What lies beyond the sides of a set.
void Discretization::upload_neighbours(std::size_t b) {
  ElementSet& set = sets_[b];
  const int sides = set.operators.sides();
  const Lazy<std::vector<std::int32_t>> codes([&] { return side_codes(mesh_, sets_, faces_, b); });
  set.neighbours =
      upload_integers(device_, "neighbours", set.blocks, sides, [&] { return padded(set.blocks, codes(), sides); });
  if (set.structure->tile > 0) upload_tiles(set, codes());
  if (!set.structure->simplices || sets_.size() == 1) return;
  std::vector<std::int32_t> edges;
  for (std::size_t k = 0; k < codes().size(); ++k)
    if (codes()[k] < 0)
      edges.push_back(element_code(static_cast<std::int64_t>(k) / sides, static_cast<int>(k) % sides, sides));
  if (edges.empty()) return;
  set.edge_blocks = make_blocks(static_cast<std::int64_t>(edges.size()), device_, spec_.precision);
  set.edges = upload_integers(device_, "edges of sets of triangles", set.edge_blocks, 1,
                              [&] { return padded(set.edge_blocks, edges, 1); });
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

}  // namespace galerna::dg
