#include "dg/memory_plan.hpp"

#include <algorithm>

#include "dg/element_set.hpp"
#include "dg/operators.hpp"
#include "dg/tiles.hpp"
#include "dg/vertex_neighbours.hpp"
#include "kernels/arguments.hpp"

namespace galerna::dg {
namespace {

constexpr std::size_t integer = sizeof(std::int32_t);

/// Arrays of a device are never empty.
std::size_t at_least_one_number(std::size_t bytes) {
  return std::max<std::size_t>(bytes, 8);
}

}  // namespace

void add_tiles(MemoryPlan& plan, const Operators& operators, const Blocks& blocks, int tile, int outside) {
  const std::int64_t codes = blocks.padded() * operators.sides() + blocks.padded() / tile * outside;
  plan.arrays.push_back({"connectivity of tiles", static_cast<std::size_t>(codes) * integer});
  plan.arrays.push_back({"operators of tiles", tile_operators(operators).size() * sizeof(double)});
}

void add_limiter(MemoryPlan& plan, const Spec& spec, const MeshSizes& sizes, const Target& target) {
  const Blocks blocks = make_blocks(sizes.elements, target.kind, target.lanes);
  const auto lanes = static_cast<std::size_t>(blocks.padded());
  const auto sides = static_cast<std::size_t>(side_count(spec.shape));
  const auto number = static_cast<std::size_t>(bytes_of(spec.precision));
  if (!sizes.sets.empty() || target.kind == device::Kind::host)
    plan.arrays.push_back({"neighbours, for the limiter", lanes * sides * integer});
  if (looks_around_vertices(spec))
    plan.arrays.push_back(
        {"elements around vertices", lanes * sides * static_cast<std::size_t>(sizes.vertex_slots) * integer});
  if (spec.limiter->slopes == LimiterSpec::Slopes::hierarchical) {
    plan.arrays.push_back(
        {"derivatives, for the limiter", lanes * number * static_cast<std::size_t>(limiter_derivatives(spec))});
    plan.arrays.push_back({"troubled elements", lanes * number});
  }
  const std::size_t faces = face_lanes(sizes, target);
  if (spec.bounds_slopes_at_boundary() && faces > 0)
    plan.arrays.push_back({"states on the boundary, for the limiter",
                           faces * (static_cast<std::size_t>(spec.variable_count()) * number + integer)});
  plan.arrays.push_back({"counts of the limiter", 2 * static_cast<std::size_t>(blocks.count) * sizeof(double)});
}

std::size_t MemoryPlan::held() const {
  std::size_t sum = 0;
  for (const PlannedArray& array : arrays) sum += array.bytes;
  return sum;
}

std::size_t face_lanes(const MeshSizes& sizes, const Target& target) {
  std::int64_t lanes = 0;
  for (std::int64_t faces : sizes.boundary_faces) lanes += make_blocks(faces, target.kind, target.lanes).padded();
  return static_cast<std::size_t>(lanes);
}

int partial_rows(const Spec& spec) {
  return std::max(2 + spec.variable_count(), 3 * spec.variable_count());
}

bool looks_around_vertices(const Spec& spec) {
  return spec.limiter && (spec.limiter->vertex_neighbours || spec.limiter->slopes == LimiterSpec::Slopes::hierarchical);
}

int limiter_derivatives(const Spec& spec) {
  const int p = spec.degree;
  return std::max(1, spec.variable_count() * (p * (p + 1) / 2 - 1));
}

MeshSizes mesh_sizes(const mesh::Mesh& mesh, const Spec& spec, const Target& target) {
  // Slots that a tile of so many elements has for traces from outside.
  const auto outside = [&](const std::vector<std::int32_t>& codes, std::int64_t elements, int tile) {
    const std::int64_t padded = make_blocks(elements, target.kind, target.lanes).padded();
    return make_tiles(codes, padded, tile, side_count(Shape::triangle)).outside;
  };
  MeshSizes sizes;
  sizes.elements = mesh.element_count();
  for (mesh::Index f = 0; f < mesh.boundary_faces; ++f) {
    const auto boundary = static_cast<std::size_t>(mesh.faces[static_cast<std::size_t>(f)].boundary);
    if (sizes.boundary_faces.size() <= boundary) sizes.boundary_faces.resize(boundary + 1);
    sizes.boundary_faces[boundary] += 1;
  }
  if (looks_around_vertices(spec)) sizes.vertex_slots = vertex_slots(mesh, spec.bounds_slopes_at_boundary());
  const std::vector<ElementSet> sets = make_element_sets(mesh, spec, target);
  if (!are_triangles_alone(sets)) {
    for (std::size_t b = 0; b < mesh.blocks.size(); ++b) {
      const mesh::ElementBlock& block = mesh.blocks[b];
      sizes.sets.push_back({block.shape, block.order, block.size(), sets[b].map});
      if (!sets[b].structure->triangles) continue;
      SetSizes& set = sizes.sets.back();
      const std::vector<std::int32_t> codes = neighbour_codes(mesh, static_cast<int>(b));
      set.reads_neighbours = true;
      set.edges = std::count(codes.begin(), codes.end(), -1);
      set.tile = sets[b].structure->tile;
      if (set.tile > 0) set.outside = outside(codes, block.size(), set.tile);
    }
    return sizes;
  }
  if (!target.matrix_units) return sizes;
  const std::vector<std::int32_t> codes = neighbour_codes(mesh, 0);
  for (int tile : {32, 64}) sizes.tile_outside[tile] = outside(codes, mesh.element_count(), tile);
  return sizes;
}

std::size_t state_bytes(const Spec& spec, const MeshSizes& sizes, const Target& target) {
  const auto bytes = [&](Shape shape, std::int64_t elements) {
    const std::int64_t values = spec.variable_count() * basis::mode_count(shape, spec.degree);
    return static_cast<std::size_t>(make_blocks(elements, target.kind, target.lanes).padded() * values *
                                    bytes_of(spec.precision));
  };
  if (sizes.sets.empty()) return bytes(spec.shape, sizes.elements);
  std::size_t sum = 0;
  for (const SetSizes& set : sizes.sets) sum += bytes(set.shape, set.elements);
  return sum;
}

std::int64_t formula_blocks(const Blocks& elements) {
  constexpr std::int64_t most = 16384;  // elements: whole thread blocks, and enough of them to fill a GPU
  return std::min(elements.count, most / elements.lanes);
}

MemoryPlan memory_plan(const Spec& spec, const MeshSizes& sizes, const Target& target) {
  if (!sizes.sets.empty()) return general_memory_plan(spec, sizes, target);
  const Operators operators = make_operators(spec.shape, spec.degree, spec.volume_quadrature, spec.face_quadrature);
  const Blocks blocks = make_blocks(sizes.elements, target.kind, target.lanes);
  const auto lanes = static_cast<std::size_t>(blocks.padded()), faces = face_lanes(sizes, target);
  const auto number = static_cast<std::size_t>(bytes_of(spec.precision)),
             d = static_cast<std::size_t>(dimension(spec.shape)), sides = static_cast<std::size_t>(operators.sides()),
             points = static_cast<std::size_t>(operators.side.size()),
             variables = static_cast<std::size_t>(spec.variable_count()),
             modes = static_cast<std::size_t>(operators.modes);
  const bool host = target.kind == device::Kind::host;

  MemoryPlan plan;
  plan.arrays = {{"gradients of barycentric coordinates", lanes * d * d * number},
                 {"neighbours", lanes * sides * integer},
                 {"determinants", lanes * number},
                 {"diameters", lanes * number},
                 {host ? "traces on sides" : "ghost states",
                  at_least_one_number((faces + (host ? lanes * sides : 0)) * points * variables * number)}};
  if (faces > 0) {
    const std::size_t numbers = points * 3 + points * d + 1;  // positions, normals of walls, measures
    plan.arrays.push_back({"boundary faces", faces * (numbers * number + integer) +
                                                 faces / static_cast<std::size_t>(target.lanes) * integer});
    plan.arrays.push_back({"fluxes through the boundary", 2 * faces * variables * sizeof(double)});
    plan.arrays.push_back({"fluxes at points of the boundary, for reports", 2 * faces * points * variables * number});
  }
  if (spec.has_source()) plan.arrays.push_back({"corner coordinates, for the source", lanes * (d + 1) * d * number});
  if (spec.limiter) add_limiter(plan, spec, sizes, target);
  if (spec.local_steps) plan.arrays.push_back({"steps of elements", lanes * number});
  const int tile = choose_structure({operators}, spec, target).structure->tile;
  if (tile > 0) {
    const auto slots = static_cast<std::size_t>(sizes.tile_outside.at(tile));
    plan.arrays.push_back(
        {"connectivity of tiles", lanes * sides * integer + lanes / static_cast<std::size_t>(tile) * slots * integer});
    plan.arrays.push_back({"operators of tiles", tile_operators(operators).size() * sizeof(double)});
  }
  const auto rows = static_cast<std::size_t>(partial_rows(spec)), count = static_cast<std::size_t>(blocks.count);
  const auto groups = static_cast<std::size_t>(monitor_groups(blocks, tile, target.kind));
  plan.arrays.push_back({"reductions over blocks", (rows * count + groups) * sizeof(double)});
  plan.arrays.push_back({"tables and control", sides * points * modes * number + sizeof(kernels::Control)});
  plan.temporary = static_cast<std::size_t>(formula_blocks(blocks) * blocks.lanes) * (d + 1) * d * number;
  return plan;
}

}  // namespace galerna::dg
