/// \file
/// What rows of the table of structures ask for (Structure::needs), each in the words in which people read it.
#pragma once

#include "dg/blocks.hpp"
#include "dg/structures.hpp"
#include "dg/tiles.hpp"
#include "kernels/line/sizes.hpp"

namespace galerna::dg::conditions {

inline constexpr Condition cpu = {
    "a CPU", [](const Elements&, const Spec&, const Target& target) { return target.kind == device::Kind::host; }};
inline constexpr Condition gpu = {
    "a GPU", [](const Elements&, const Spec&, const Target& target) { return target.kind == device::Kind::cuda; }};
inline constexpr Condition matrix_units = {
    "matrix units for fp64 (compute capability 9.0 or later)",
    [](const Elements&, const Spec&, const Target& t) { return t.matrix_units; }};
inline constexpr Condition straight_triangles = {
    "straight triangles", [](const Elements& elements, const Spec&, const Target&) {
      return elements.operators.shape == Shape::triangle && elements.geometry_order == 1;
    }};
inline constexpr Condition straight_simplices = {
    "straight triangles or tetrahedra", [](const Elements& elements, const Spec&, const Target&) {
      return is_simplex(elements.operators.shape) && elements.geometry_order == 1;
    }};
inline constexpr Condition straight_tetrahedra = {
    "straight tetrahedra", [](const Elements& elements, const Spec&, const Target&) {
      return elements.operators.shape == Shape::tetrahedron && elements.geometry_order == 1;
    }};
inline constexpr Condition curved_or_unlike_sides = {
    "curved tetrahedra, prisms or pyramids", [](const Elements& elements, const Spec&, const Target&) {
      const Shape shape = elements.operators.shape;
      return (shape == Shape::tetrahedron && elements.geometry_order > 1) || shape == Shape::prism ||
             shape == Shape::pyramid;
    }};
inline constexpr Condition curved_tetrahedra = {
    "curved tetrahedra", [](const Elements& elements, const Spec&, const Target&) {
      return elements.operators.shape == Shape::tetrahedron && elements.geometry_order > 1;
    }};
inline constexpr Condition alone = {
    "a mesh of nothing else", [](const Elements& elements, const Spec&, const Target&) { return elements.alone; }};
inline constexpr Condition inviscid = {"a flow without viscosity",
                                       [](const Elements&, const Spec& spec, const Target&) { return !spec.viscous; }};
inline constexpr Condition viscous = {"viscosity",
                                      [](const Elements&, const Spec& spec, const Target&) { return spec.viscous; }};
inline constexpr Condition no_source = {
    "equations without source terms",
    [](const Elements&, const Spec& spec, const Target&) { return !spec.has_source(); }};
inline constexpr Condition one_step = {
    "the same time step for all elements",
    [](const Elements&, const Spec& spec, const Target&) { return !spec.local_steps; }};
inline constexpr Condition in_double = {"double precision", [](const Elements&, const Spec& spec, const Target&) {
                                          return spec.precision == device::Precision::double_precision;
                                        }};
inline constexpr Condition from_order_2 = {
    "order 2 or higher", [](const Elements&, const Spec& spec, const Target&) { return spec.degree >= 2; }};
inline constexpr Condition from_order_3 = {
    "order 3 or higher", [](const Elements&, const Spec& spec, const Target&) { return spec.degree >= 3; }};
inline constexpr Condition pairs_of_variables = {
    "an even number of variables",
    [](const Elements&, const Spec& spec, const Target&) { return spec.variable_count() % 2 == 0; }};
inline constexpr Condition hexahedra = {"hexahedra", [](const Elements& elements, const Spec&, const Target&) {
                                          return elements.operators.shape == Shape::hexahedron;
                                        }};
inline constexpr Condition points_of_degree = {
    "(p + 1)³ points in elements and (p + 1)² on sides", [](const Elements& elements, const Spec&, const Target&) {
      const Operators& o = elements.operators;
      return o.volume.size() == o.modes && o.side.size() == (o.degree + 1) * (o.degree + 1);
    }};
inline constexpr Condition orders_1_to_7 = {"orders 1 to 7", [](const Elements&, const Spec& spec, const Target&) {
                                              return spec.degree >= 1 && spec.degree <= 7;
                                            }};
inline constexpr Condition orders_1_to_4 = {"orders 1 to 4", [](const Elements&, const Spec& spec, const Target&) {
                                              return spec.degree >= 1 && spec.degree <= 4;
                                            }};
inline constexpr Condition room_for_lines = {
    "on a GPU thread blocks that fit into shared memory", [](const Elements&, const Spec& spec, const Target& target) {
      const kernels::LineSizes sizes = {spec.degree + 1, spec.variable_count(), spec.viscous};
      const int most = (target.matrix_units ? 227 : 64) * 1024;
      return target.kind == device::Kind::host || sizes.numbers(sizes.fields()) * bytes_of(spec.precision) <= most;
    }};
inline constexpr Condition room_for_two_warps = {
    "two warps that fit into the shared memory of a multiprocessor",
    [](const Elements& elements, const Spec& spec, const Target&) {
      return viscous_tile(elements.operators, spec.variable_count()).warps > 0;
    }};

inline constexpr const char* room_for_sums =
    "a residual that fits into registers, and two warps that fit into the shared memory of a multiprocessor";
inline constexpr Condition room_for_warp_tiles = {
    room_for_sums, [](const Elements& elements, const Spec& spec, const Target&) {
      return warp_tile(elements.operators, spec.variable_count(), spec.precision).warps > 0;
    }};
inline constexpr Condition room_for_curved_warps = {
    room_for_sums, [](const Elements& elements, const Spec& spec, const Target&) {
      return curved_warp_tile(elements.operators, spec.variable_count()).warps > 0;
    }};
inline constexpr const char* pairs_of_points =
    "an even number of points on a side, a multiple of eight on all of them, and two warps that fit into the shared "
    "memory of a multiprocessor";
template <bool curved>
bool viscous_warps_fit(const Elements& elements, const Spec& spec, const Target&) {
  const int variables = spec.variable_count();
  return viscous_warp_tile(elements.operators, variables, curved).warps > 0 &&
         viscous_warp_fluxes(elements.operators, variables, curved).warps > 0;
}
inline constexpr Condition room_for_viscous_warps = {pairs_of_points, viscous_warps_fit<false>},
                           room_for_curved_viscous_warps = {pairs_of_points, viscous_warps_fit<true>};

// Beside other elements the traces between the sets are stored, too, which not everything pays for.
inline constexpr Condition low_order_beside_others = {
    "order 2 or lower beside other elements",
    [](const Elements& elements, const Spec& spec, const Target&) { return elements.alone || spec.degree <= 2; }};
// With more modes their registers spill.
inline constexpr Condition low_order_of_tetrahedra = {
    "order 1 or lower on tetrahedra", [](const Elements& elements, const Spec& spec, const Target&) {
      return elements.operators.shape != Shape::tetrahedron || spec.degree <= 1;
    }};

inline constexpr Condition high_order_beside_others = {
    "order 3 or higher and double precision beside other elements",
    [](const Elements& elements, const Spec& spec, const Target& target) {
      return elements.alone || (from_order_3.holds(elements, spec, target) && in_double.holds(elements, spec, target));
    }};

inline constexpr Condition at_order_3 = {"order 3 in double precision",
                                         [](const Elements& elements, const Spec& spec, const Target& target) {
                                           return spec.degree == 3 && in_double.holds(elements, spec, target);
                                         }};
inline constexpr Condition above_order_3 = {"order 4 or higher in double precision",
                                            [](const Elements& elements, const Spec& spec, const Target& target) {
                                              return spec.degree > 3 && in_double.holds(elements, spec, target);
                                            }};

}  // namespace galerna::dg::conditions
