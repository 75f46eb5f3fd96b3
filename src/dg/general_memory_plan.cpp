#include <algorithm>

#include "dg/memory_plan.hpp"
#include "dg/metric.hpp"
#include "dg/tiles.hpp"
#include "kernels/arguments.hpp"

namespace galerna::dg {
namespace {

/// Numbers for each element of a set that upload_metric() writes.
int metric_numbers(const SetSizes& set, const Operators& operators, bool viscous) {
  constexpr int diameter = 1;
  if (set.map == ElementMap::affine) return diameter + 4;
  if (set.map == ElementMap::bilinear) return diameter + 6;
  const int in_volume = 5 * operators.volume.size(), at_side_point = viscous ? 6 : 2;
  return diameter + in_volume + operators.modes + at_side_point * operators.sides() * operators.side.size();
}

}  // namespace

Operators formula_operators(Shape shape, int degree, int geometry_order) {
  return make_operators(shape, degree, std::max(2 * degree + 4, degree + geometry_order + 1));
}

MemoryPlan general_memory_plan(const Spec& spec, const MeshSizes& sizes, const Target& target) {
  std::vector<std::pair<Shape, int>> kinds;
  for (const SetSizes& set : sizes.sets) kinds.emplace_back(set.shape, set.order);
  const std::vector<Operators> operators =
      make_block_operators(kinds, spec.degree, spec.volume_quadrature, spec.face_quadrature);
  const auto number = static_cast<std::size_t>(bytes_of(spec.precision)), integer = sizeof(std::int32_t),
             variables = static_cast<std::size_t>(spec.variable_count()),
             points = static_cast<std::size_t>(operators[0].side.size()), faces = face_lanes(sizes, target);

  MemoryPlan plan;
  std::size_t edges = 0, all_lanes = 0, slots = 0, geometry = 0, blocks = 0, groups = 0, formula_lanes = 0, nodes = 0;
  for (std::size_t s = 0; s < sizes.sets.size(); ++s) {
    const SetSizes& set = sizes.sets[s];
    const Blocks elements = make_blocks(set.elements, target.kind, target.lanes);
    const auto lanes = static_cast<std::size_t>(elements.padded());
    all_lanes += lanes;
    slots += lanes * static_cast<std::size_t>(operators[s].sides());
    geometry += lanes * static_cast<std::size_t>(metric_numbers(set, operators[s], spec.viscous)) * number;
    nodes += lanes * static_cast<std::size_t>(2 * node_count(set.shape, set.order)) * number;
    const Structure& structure =
        *choose_structure({operators[s], set.order, sizes.sets.size() == 1}, spec, target).structure;
    if (structure.products && !structure.triangles)
      plan.arrays.push_back({"operators of tiles", viscous_tile_operators(operators[s]).size() * sizeof(double)});
    if (set.tile > 0) add_tiles(plan, operators[s], elements, set.tile, set.outside);
    if (set.reads_neighbours)
      edges += static_cast<std::size_t>(make_blocks(set.edges, target.kind, target.lanes).padded()) * integer +
               static_cast<std::size_t>(operators[s].sides() * operators[s].modes) * points * number;
    blocks += static_cast<std::size_t>(elements.count);
    groups += static_cast<std::size_t>(monitor_groups(elements, set.tile, target.kind));
    const std::int64_t formula_points =
        std::min(set.elements, formula_elements) * formula_operators(set.shape, spec.degree, set.order).volume.size();
    formula_lanes = std::max(formula_lanes,
                             static_cast<std::size_t>(make_blocks(formula_points, target.kind, target.lanes).padded()));
  }
  plan.arrays.push_back({"metric terms", geometry});
  plan.arrays.push_back({"neighbours", slots * integer});
  plan.arrays.push_back({"traces on sides, of this stage and the next",
                         2 * (slots + (spec.viscous ? 2 : 1) * faces) * points * variables * number});
  if (edges > 0) plan.arrays.push_back({"edges of sets of triangles", edges});
  if (spec.has_source()) plan.arrays.push_back({"coordinates of nodes, for the source", nodes});
  if (spec.viscous) plan.arrays.push_back({"viscous fluxes on sides", (slots + faces) * points * variables * number});
  if (faces > 0) {
    if (spec.viscous) plan.arrays.push_back({"gradients on the boundary", faces * points * 2 * variables * number});
    const std::size_t numbers = points * 3 + 2 * points * 2 + 1;  // positions, normals of faces and walls, counts
    plan.arrays.push_back({"boundary faces", faces * (numbers * number + integer) +
                                                 faces / static_cast<std::size_t>(target.lanes) * integer});
    plan.arrays.push_back({"fluxes through the boundary", 2 * faces * variables * sizeof(double)});
    plan.arrays.push_back({"fluxes at points of the boundary, for reports",
                           (spec.viscous ? 4 : 2) * faces * points * variables * number});
  }
  if (spec.limiter) add_limiter(plan, spec, sizes, target);
  if (spec.local_steps) plan.arrays.push_back({"steps of elements", all_lanes * number});
  const auto rows = static_cast<std::size_t>(partial_rows(spec));
  plan.arrays.push_back({"reductions over blocks", (rows * blocks + groups) * sizeof(double)});
  const std::size_t no_gradients = spec.viscous && faces == 0 ? 8 : 0;  // arrays are never empty
  plan.arrays.push_back({"control", sizeof(kernels::Control) + no_gradients});
  plan.temporary = formula_lanes * (3 + variables) * number;
  return plan;
}

}  // namespace galerna::dg
