#include "dg/rows/conditions.hpp"
#include "dg/rows/element_parts.hpp"
#include "dg/rows/fragments.hpp"
#include "dg/rows/rows.hpp"
#include "dg/rows/warp_block.hpp"
#include "dg/set_plan.hpp"
#include "kernels/tile/viscous_sizes.hpp"

namespace galerna::dg {
namespace {

using namespace conditions;

/// The largest that is fast.
WarpBlock viscous_tile(const Operators& o, int variables) {
  const kernels::ViscousTileSizes sizes{element_counts(o, variables)};
  return largest_block(sizes.operator_numbers(), sizes.warp_numbers(), 8);
}

WarpBlock viscous_tile_of(const KernelRequest& request) {
  return viscous_tile(request.operators, request.spec.variable_count());
}

constexpr Condition pairs_of_variables = {
    "an even number of variables",
    [](const Elements&, const Spec& spec, const device::Target&) { return spec.variable_count() % 2 == 0; }};
constexpr Condition room_for_two_warps = {"two warps that fit into the shared memory of a multiprocessor",
                                          [](const Elements& elements, const Spec& spec, const device::Target&) {
                                            return viscous_tile(elements.operators, spec.variable_count()).warps > 0;
                                          }};

std::vector<Entry> viscous_tile_entries(const KernelRequest& request) {
  return warp_entries(request, "viscous_tile_residual", viscous_tile_of(request));
}

std::vector<std::string> viscous_tile_members(const KernelRequest& request) {
  return {tile_member(viscous_tile_of(request).warps * 8)};
}

device::Range range_of_viscous_tiles(const LaunchRequest& launch) {
  return range_of_warps(launch, viscous_tile(launch.plan.operators, launch.spec.variable_count()));
}

/// Values and derivatives at volume points, values at the points of all sides, weighted derivatives, lift to modes and
/// to volume points. Rows are all in the order of results.
std::vector<double> viscous_tile_operators(const Operators& o) {
  const auto [side_values, lift] = side_matrices(o);
  const Operators exact = make_operators(o.shape, o.degree);
  std::vector<double> result;
  append_in_columns(result, o.volume_basis.transpose(), 0);
  for (const basis::Matrix& derivative : exact.weighted_derivatives)
    append_in_columns(result, derivative.transpose() * exact.volume_basis * o.volume_basis.transpose(), -1);
  append_in_columns(result, side_values.transpose(), 0);
  for (const basis::Matrix& derivative : o.weighted_derivatives) append_in_columns(result, derivative, -1);
  append_in_columns(result, lift, -1);
  append_in_columns(result, lift * o.volume_basis.transpose(), -1);
  return result;
}

}  // namespace

Structure viscous_tiles() {
  Structure row = as_element();
  row.name = "viscous-tiles";
  row.what =
      "A warp takes eight elements from their stored traces to the next ones by products on matrix units, and "
      "copies what its next elements need while it computes (`kernels/tile/viscous_residual.hpp`).";
  row.measured = "H200, orders 3 and 4: 33 and 34 GDOF/s, `element` 28 and 23";
  row.needs = {gpu,       straight_triangles, viscous,      no_shock_viscosity, matrix_units,
               no_source, in_double,          from_order_3, pairs_of_variables, room_for_two_warps};
  row.headers_beside = {"kernels/tile/viscous_residual.hpp"};
  row.entries = viscous_tile_entries;
  row.members = viscous_tile_members;
  row.residual_range = range_of_viscous_tiles;
  row.products = viscous_tile_operators;
  return row;
}

}  // namespace galerna::dg
