#include <fmt/format.h>

#include "dg/rows/conditions.hpp"
#include "dg/rows/fragments.hpp"
#include "dg/rows/rows.hpp"
#include "dg/rows/warp_block.hpp"
#include "dg/set_plan.hpp"

namespace galerna::dg {
namespace {

using namespace conditions;

constexpr Condition one_step = {
    "the same time step for all elements",
    [](const Elements&, const Spec& spec, const device::Target&) { return !spec.local_steps; }};
constexpr Condition high_order_beside_others = {
    "order 3 or higher and double precision beside other elements",
    [](const Elements& elements, const Spec& spec, const device::Target& target) {
      return elements.alone || (from_order_3.holds(elements, spec, target) && in_double.holds(elements, spec, target));
    }};
constexpr Condition at_order_3 = {"order 3 in double precision",
                                  [](const Elements& elements, const Spec& spec, const device::Target& target) {
                                    return spec.degree == 3 && in_double.holds(elements, spec, target);
                                  }};
constexpr Condition above_order_3 = {"order 4 or higher in double precision",
                                     [](const Elements& elements, const Spec& spec, const device::Target& target) {
                                       return spec.degree > 3 && in_double.holds(elements, spec, target);
                                     }};

std::vector<Entry> tile_entries(const KernelRequest& request) {
  // As many registers as allow 8 warps (from degree 5 on) to 16 (degree 3) on a multiprocessor: measured on an H200.
  const int degree = request.spec.degree, threads = request.structure.tile * 4;
  const int warps = degree <= 3 ? 16 : degree == 4 ? 12 : 8;
  std::vector<Entry> entries;
  for (const auto& [inputs, outputs] : request.stage_shapes)
    entries.push_back({residual_entry(inputs, outputs), "ResidualArguments",
                       fmt::format("tile_residual<Config, {}, {}>", inputs, outputs),
                       fmt::format("{}, {}", threads, warps * 32 / threads), Entry::of_block});
  return entries;
}

std::vector<std::string> tile_members(const KernelRequest& request) {
  return {tile_member(request.structure.tile)};
}

Entry monitor_of_tiles(const device::Target&) {
  return {"monitor", "MonitorArguments", "tile_monitor<Config>", "256"};
}

device::Range range_of_tiles(const LaunchRequest& launch) {
  return {launch.blocks.padded() * 4, launch.plan.structure->tile * 4, 0, true};
}

device::Range monitor_range_of_tiles(const LaunchRequest& launch) {
  return {launch.blocks.padded() * 4, 256};  // on matrix units four threads work on an element
}

/// Values at volume points, weighted derivatives, values at the points of all sides, lift. Columns past the last point
/// repeat point 0, so that states there are physical; rows past the last mode or point are 0.
std::vector<double> tile_operators(const Operators& o) {
  const auto [side_values, lift] = side_matrices(o);
  std::vector<double> result;
  append_in_fours(result, o.volume_basis.transpose(), 0);
  for (const basis::Matrix& derivative : o.weighted_derivatives) append_in_columns(result, derivative, -1);
  append_in_fours(result, side_values.transpose(), 0);
  append_in_columns(result, -o.side_scale * lift, -1);
  return result;
}

Structure tiles_of(int elements) {
  Structure row = {};
  row.needs = {gpu,       straight_triangles, inviscid,     matrix_units,
               no_source, one_step,           from_order_2, high_order_beside_others};
  row.timed = {"", [](const Elements&, const Spec&, const device::Target&) { return true; }};
  row.simplices = true;
  row.beyond = Beyond::neighbour;
  row.stores_traces = false;
  row.tile = elements;
  row.headers = row.headers_beside = {"kernels/tile/residual.hpp", "kernels/tile/monitor.hpp"};
  row.entries = tile_entries;
  row.members = tile_members;
  row.monitor = monitor_of_tiles;
  row.residual_range = range_of_tiles;
  row.monitor_range = monitor_range_of_tiles;
  row.products = tile_operators;
  return row;
}

}  // namespace

Structure tiles_of_32() {
  Structure row = tiles_of(32);
  row.name = "tiles-32";
  row.what =
      "A thread block takes 32 elements at a time. Interpolation, integration and lifting are products of small "
      "matrices on matrix units, whose operands never leave the registers: at higher orders these no longer hold an "
      "element (`kernels/tile`).";
  row.measured = "H200, orders 4 and 5: 75 and 56 GDOF/s, `threads` 46 and 27";
  row.first = above_order_3;
  return row;
}

Structure tiles_of_64() {
  Structure row = tiles_of(64);
  row.name = "tiles-64";
  row.what =
      "As `tiles-32`, with 64 elements at a time: fewer of the traces that a tile needs come from outside of it.";
  row.measured = "H200, order 3: 73 GDOF/s, `threads` 55";
  row.first = at_order_3;
  return row;
}

}  // namespace galerna::dg
