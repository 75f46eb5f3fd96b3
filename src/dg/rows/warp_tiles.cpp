#include "dg/rows/conditions.hpp"
#include "dg/rows/element_parts.hpp"
#include "dg/rows/fragments.hpp"
#include "dg/rows/rows.hpp"
#include "dg/rows/warp_block.hpp"
#include "dg/set_plan.hpp"

namespace galerna::dg {
namespace {

using namespace conditions;

WarpBlock block_of(const kernels::WarpTileSizes& sizes) {
  if (!sizes.fit()) return {};
  const int most = sizes.number_bytes == 4 && sizes.mode_count <= 10 ? 12 : 8;  // measured on an H100
  return largest_block(sizes.block_numbers(), sizes.warp_numbers(), most, sizes.number_bytes);
}

WarpBlock warp_tile(const Operators& o, int variables, device::Precision precision) {
  return block_of(warp_sizes(o, variables, false, static_cast<int>(bytes_of(precision))));
}

/// In double precision.
WarpBlock curved_warp_tile(const Operators& o, int variables) {
  return block_of(warp_sizes(o, variables, true));
}

WarpBlock warp_tile_of(const KernelRequest& request) {
  return warp_tile(request.operators, request.spec.variable_count(), request.spec.precision);
}

WarpBlock curved_warp_tile_of(const KernelRequest& request) {
  return curved_warp_tile(request.operators, request.spec.variable_count());
}

constexpr Condition curved_or_unlike_sides = {"curved tetrahedra, prisms or pyramids",
                                              [](const Elements& elements, const Spec&, const device::Target&) {
                                                const Shape shape = elements.operators.shape;
                                                return (shape == Shape::tetrahedron && elements.geometry_order > 1) ||
                                                       shape == Shape::prism || shape == Shape::pyramid;
                                              }};
constexpr const char* room_for_sums =
    "a residual that fits into registers, and two warps that fit into the shared memory of a multiprocessor";
constexpr Condition room_for_warp_tiles = {
    room_for_sums, [](const Elements& elements, const Spec& spec, const device::Target&) {
      return warp_tile(elements.operators, spec.variable_count(), spec.precision).warps > 0;
    }};
constexpr Condition room_for_curved_warps = {
    room_for_sums, [](const Elements& elements, const Spec& spec, const device::Target&) {
      return curved_warp_tile(elements.operators, spec.variable_count()).warps > 0;
    }};

std::vector<Entry> warp_tile_entries(const KernelRequest& request) {
  return warp_entries(request, "warp_residual", warp_tile_of(request));
}

std::vector<Entry> curved_warp_entries(const KernelRequest& request) {
  return warp_entries(request, "warp_residual", curved_warp_tile_of(request));
}

std::vector<std::string> warp_tile_members(const KernelRequest& request) {
  return {tile_member(warp_tile_of(request).warps * 8)};
}

std::vector<std::string> curved_warp_members(const KernelRequest& request) {
  return {tile_member(curved_warp_tile_of(request).warps * 8)};
}

Entry monitor_of_warps(const device::Target&) {
  return {"monitor", "MonitorArguments", "warp_monitor<Config>", "512"};
}

device::Range range_of_warp_tiles(const LaunchRequest& launch) {
  return range_of_warps(launch, warp_tile(launch.plan.operators, launch.spec.variable_count(), launch.spec.precision));
}

device::Range range_of_curved_warps(const LaunchRequest& launch) {
  return range_of_warps(launch, curved_warp_tile(launch.plan.operators, launch.spec.variable_count()));
}

device::Range monitor_range_of_warps(const LaunchRequest& launch) {
  return {launch.blocks.padded() * 4, 512};
}

/// Values at volume points and at the points of all sides, weighted derivatives, lift. Rows are in the order of
/// results.
std::vector<double> warp_tile_operators(const Operators& o) {
  const auto [side_values, lift] = side_matrices(o, warp_sizes(o, 1, false));
  std::vector<double> result;
  append_in_columns(result, side_values.transpose(), 0);
  append_in_columns(result, o.volume_basis.transpose(), 0);
  append_in_columns(result, lift, -1);
  for (const basis::Matrix& derivative : o.weighted_derivatives) append_in_columns(result, derivative, -1);
  return result;
}

/// The same and weighted values.
std::vector<double> curved_warp_operators(const Operators& o) {
  std::vector<double> result = warp_tile_operators(o);
  append_in_columns(result, weighted_values(o), -1);
  return result;
}

}  // namespace

Structure warp_tiles() {
  Structure row = as_element();
  row.name = "warp-tiles";
  row.what =
      "A warp takes eight elements from their modes and the stored traces of their neighbours to the next modes and "
      "traces by products on matrix units, in double precision whatever that of the numbers in memory "
      "(`kernels/tile/warp_residual.hpp`).";
  row.measured =
      "H100, orders 2 to 5: 31, 33, 28 and 12 GDOF/s, in single precision 49, 49, 38 and 17; H200, `element` at orders "
      "2 and 3: 20 and 5";
  row.needs = {gpu, straight_tetrahedra, inviscid, matrix_units, no_source, from_order_2, room_for_warp_tiles};
  row.headers_beside = {"kernels/tile/warp_residual.hpp", "kernels/tile/warp_monitor.hpp"};
  row.monitor = monitor_of_warps;
  row.monitor_range = monitor_range_of_warps;
  row.entries = warp_tile_entries;
  row.members = warp_tile_members;
  row.residual_range = range_of_warp_tiles;
  row.products = warp_tile_operators;
  return row;
}

Structure curved_warp_tiles() {
  Structure row = warp_tiles();
  row.name = "curved-warp-tiles";
  row.what =
      "As `warp-tiles`, with metric terms at points, which lie in memory in the order in which threads read them, and "
      "two products more for the weight-adjusted inverse of the mass matrix (`kernels/tile/tile_geometry.hpp`). Of "
      "prisms and pyramids, straight or not, states on sides go through a table of how the sides are turned "
      "(`kernels/tile/tile_traces.hpp`).";
  row.measured =
      "H100, orders 2 to 5: 19, 21, 17 and 8 GDOF/s, `element` at orders 2 and 3: 16 and 4; prisms of orders 2 and 3: "
      "17 and 13, `element` 8 and 3";
  row.needs = {gpu,          curved_or_unlike_sides, inviscid, matrix_units, no_source, in_double,
               from_order_2, room_for_curved_warps};
  row.tile_metric = true;
  row.entries = curved_warp_entries;
  row.members = curved_warp_members;
  row.residual_range = range_of_curved_warps;
  row.products = curved_warp_operators;
  return row;
}

}  // namespace galerna::dg
