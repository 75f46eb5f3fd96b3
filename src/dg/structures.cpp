#include "dg/structures.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "dg/structure_conditions.hpp"
#include "dg/structure_kernels.hpp"
#include "dg/tiles.hpp"

namespace galerna::dg {
namespace {

using namespace conditions;

Structure packs() {
  Structure row = {
      "packs",
      "A SIMD pack computes as many elements as it has lanes. One pass stores the traces of all elements, the "
      "next reads them, integrates and updates; fluxes of a pack stay in the fastest cache, sums of its products "
      "in registers (`kernels/packs`).",
      "AVX-512, one thread, orders 1 and 3: 2.2 and 1.6 times as fast as `element`; tetrahedra of orders 1 and 2: 1.5 "
      "and 1.2 times",
      {cpu, straight_simplices, inviscid, alone}};
  row.simplices = true;
  row.beyond = Beyond::slot;
  row.headers = {"kernels/packs/residual.hpp", "kernels/packs/monitor.hpp", "kernels/packs/traces.hpp"};
  row.entries = pack_entries;
  row.monitor = monitor_of_elements;
  row.residual_range = range_of_elements;
  row.monitor_range = monitor_range_of_elements;
  return row;
}

Structure threads() {
  Structure row = {
      "threads",
      "A thread computes an element. It evaluates its neighbours' traces from their coefficients, which takes "
      "arithmetic and saves storing and reading traces (`kernels/residual.hpp`).",
      "H200, order 1: 99 GDOF/s, `element` 50; tetrahedra: 52, `element` 26",
      {gpu, straight_simplices, inviscid, low_order_beside_others, low_order_of_tetrahedra}};
  row.timed = true;
  row.simplices = true;
  row.beyond = Beyond::neighbour;
  row.stores_traces = false;
  row.headers = {"kernels/residual.hpp", "kernels/monitor.hpp"};
  row.entries = thread_entries;
  row.monitor = monitor_of_elements;
  row.residual_range = range_of_elements;
  row.monitor_range = monitor_range_of_elements;
  row.steps_by_one_kernel = {2, 20'000};  // measured on an H200
  return row;
}

Structure tiles(int elements) {
  Structure row = {};
  row.needs = {gpu,       straight_triangles, inviscid,     matrix_units,
               no_source, one_step,           from_order_2, high_order_beside_others};
  row.timed = true;
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
  row.counted_as = "threads";
  row.operations_as = "packs";  // they, too, evaluate every trace once
  return row;
}

Structure tiles_of_32() {
  Structure row = tiles(32);
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
  Structure row = tiles(64);
  row.name = "tiles-64";
  row.what =
      "As `tiles-32`, with 64 elements at a time: fewer of the traces that a tile needs come from outside of it.";
  row.measured = "H200, order 3: 73 GDOF/s, `threads` 55";
  row.first = at_order_3;
  return row;
}

/// What rows of tiles have in common that leave all but the residual to `element`.
Structure any_tiles() {
  Structure row = {};
  row.monitor = monitor_of_elements;
  row.monitor_range = monitor_range_of_elements;
  row.counted_as = "element";
  return row;
}

Structure viscous_tiles() {
  Structure row = any_tiles();
  row.name = "viscous-tiles";
  row.what =
      "A warp takes eight elements from their stored traces to the next ones by products on matrix units, and "
      "copies what its next elements need while it computes (`kernels/tile/viscous_residual.hpp`).";
  row.measured = "H200, orders 3 and 4: 33 and 34 GDOF/s, `element` 28 and 23";
  row.needs = {gpu,          straight_triangles, viscous,           matrix_units, no_source, in_double,
               from_order_3, pairs_of_variables, room_for_two_warps};
  row.headers_beside = {"kernels/tile/viscous_residual.hpp"};
  row.entries = viscous_tile_entries;
  row.members = viscous_tile_members;
  row.residual_range = range_of_viscous_tiles;
  row.products = viscous_tile_operators;
  row.operations = viscous_tile_operations;
  return row;
}

Structure warp_tiles() {
  Structure row = any_tiles();
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

Structure viscous_warp_tiles() {
  Structure row = any_tiles();
  row.name = "viscous-warp-tiles";
  row.what =
      "As `warp-tiles`, with one kernel more for the viscous fluxes at sides. What jumps add to gradients is a product "
      "with the states beyond the sides, and one with the modes that is part of the derivative's "
      "(`kernels/tile/viscous_warp_residual.hpp`).";
  row.measured = "H200, orders 2 and 3: 13.5 and 11.1 GDOF/s, `element` 4.9 and 1.6";
  row.needs = {gpu,       straight_tetrahedra, viscous,      matrix_units,
               no_source, in_double,           from_order_2, room_for_viscous_warps};
  row.headers_beside = {"kernels/tile/viscous_warp_residual.hpp"};
  row.entries = viscous_warp_entries;
  row.members = viscous_warp_members;
  row.residual_range = range_of_viscous_warps;
  row.viscous_range = viscous_range_of_warps;
  row.products = viscous_warp_operators;
  row.operations = viscous_warp_operations;
  return row;
}

Structure curved_viscous_warp_tiles() {
  Structure row = viscous_warp_tiles();
  row.name = "curved-viscous-warp-tiles";
  row.what =
      "As `viscous-warp-tiles`, with metric terms at points as `curved-warp-tiles` takes them. Jumps at points take "
      "the "
      "place of the states beyond sides; their products with normals are lifted, one for each direction "
      "(`kernels/tile/viscous_warp_tile.hpp`).";
  row.measured = "H100, orders 2 and 3: 6.4 and 6.8 GDOF/s, `element` 1.0 at order 2";
  row.needs = {gpu,       curved_tetrahedra, viscous,      matrix_units,
               no_source, in_double,         from_order_2, room_for_curved_viscous_warps};
  row.tile_metric = true;
  row.products = curved_viscous_warp_operators;
  row.operations = nullptr;
  return row;
}

/// What both rows of lines have in common.
Structure any_lines() {
  Structure row = {};
  row.by_lines = true;
  row.monitor = monitor_of_lines;
  row.residual_range = range_of_lines;
  row.monitor_range = monitor_range_of_lines;
  row.trace_range = trace_range_of_lines;
  return row;
}

Structure lines() {
  Structure row = any_lines();
  row.name = "lines";
  row.what =
      "Values at points, integrals and modes follow from each other line by line (sum factorization), "
      "metric terms from the trilinear map where edges are straight. On a GPU a thread works on a line, and the "
      "numbers at the "
      "points of the thread block's elements lie in shared memory; on a CPU a SIMD pack of elements goes "
      "through its lines (`kernels/line`).";
  row.measured =
      "AVX-512, orders 2 and 3: 2.1 and 3.1 times as fast as `element`; H200, 512 elements of order 2: a stage "
      "in 19 µs, `element` 62";
  row.needs = {hexahedra, inviscid, orders_1_to_7, points_of_degree, room_for_lines};
  row.headers_beside = {"kernels/line/residual.hpp", "kernels/line/monitor.hpp"};
  row.entries = line_entries;
  return row;
}

Structure viscous_lines() {
  Structure row = any_lines();
  row.name = "viscous-lines";
  row.what =
      "As `lines`. The jump at the end of a line is lifted to the points of this line alone, so that gradients follow "
      "line by line, too; they are complete where the fluxes along all three directions are taken "
      "(`kernels/line/viscous_residual.hpp`).";
  row.measured = "H200, orders 1, 2 and 3: 9.5, 10.6 and 13.1 GDOF/s, `element` 1.4 at order 2";
  row.needs = {hexahedra, viscous, orders_1_to_4, points_of_degree, room_for_lines};
  row.headers_beside = {"kernels/line/viscous_residual.hpp", "kernels/line/monitor.hpp"};
  row.entries = viscous_line_entries;
  row.viscous_range = viscous_range_of_lines;
  return row;
}

Structure element() {
  Structure row = {
      "element",
      "The algorithm itself, for every shape, order, equation and device: the residual reads stored traces and "
      "leaves those of the new state for the next stage. On a GPU as many threads as there are variables share an "
      "element, on a CPU a SIMD pack holds a group of them; quadrilaterals with (p + 1)² points are computed line "
      "by line (`kernels/element`).",
      "",
      {}};
  row.in_loops = true;
  row.entries = element_entries;
  row.monitor = monitor_of_elements;
  row.residual_range = range_of_groups;
  row.monitor_range = monitor_range_of_elements;
  return row;
}

/// "packs needs straight triangles; tiles-32 and tiles-64 need …": what the rows for this device lack.
std::string lacks(const Elements& elements, const Spec& spec, const Target& target) {
  std::vector<std::pair<std::string, std::vector<std::string>>> groups;
  for (const Structure& row : structures()) {
    const Condition* lack = missing(row, elements, spec, target);
    if (!lack || lack == &row.needs.front()) continue;  // the first one is the device
    const auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& g) { return g.first == lack->what; });
    if (group == groups.end())
      groups.push_back({lack->what, {row.name}});
    else
      group->second.push_back(row.name);
  }
  std::string text;
  for (const auto& [what, names] : groups)
    text += fmt::format("{}{} {} {}", text.empty() ? "" : "; ", list_names(names, "and"),
                        names.size() > 1 ? "need" : "needs", what);
  return text;
}

/// Why the first of the rows that fit is taken.
std::string why_first(const std::vector<const Structure*>& fitting, const Elements& elements, const Spec& spec,
                      const Target& target) {
  if (fitting.size() == 1) return lacks(elements, spec, target);
  std::vector<std::string> others;
  for (std::size_t i = 1; i < fitting.size(); ++i) others.push_back(fitting[i]->name);
  return fmt::format("fits, and is tried before {}", list_names(others, "and"));
}

std::string needs_text(const Structure& row) {
  std::string text;
  for (const Condition& condition : row.needs) text += (text.empty() ? "" : ", ") + std::string(condition.what);
  return text.empty() ? "nothing" : text;
}

}  // namespace

const std::vector<Structure>& structures() {
  static const std::vector<Structure> table = {packs(),
                                               threads(),
                                               tiles_of_32(),
                                               tiles_of_64(),
                                               viscous_tiles(),
                                               warp_tiles(),
                                               curved_warp_tiles(),
                                               viscous_warp_tiles(),
                                               curved_viscous_warp_tiles(),
                                               lines(),
                                               viscous_lines(),
                                               element()};
  return table;
}

const Structure& find_structure(const std::string& name) {
  std::vector<std::string> names;
  for (const Structure& row : structures()) {
    if (row.name == name) return row;
    names.push_back(row.name);
  }
  const std::string near = nearest_name(name, names);
  throw InputError({"--structure"},
                   fmt::format("unknown structure \"{}\"{}; allowed: {}", name,
                               near.empty() ? "" : "; did you mean \"" + near + "\"?", list_names(names)));
}

const Condition* missing(const Structure& structure, const Elements& elements, const Spec& spec, const Target& target) {
  for (const Condition& condition : structure.needs)
    if (!condition.holds(elements, spec, target)) return &condition;
  return nullptr;
}

std::vector<const Structure*> fitting_structures(const Elements& elements, const Spec& spec, const Target& target) {
  std::vector<const Structure*> rows;
  for (const Structure& row : structures())
    if (!missing(row, elements, spec, target)) rows.push_back(&row);
  std::stable_partition(rows.begin(), rows.end(), [&](const Structure* row) {
    return row->first.what && row->first.holds(elements, spec, target);
  });
  return rows;
}

Choice choose_structure(const Elements& elements, const Spec& spec, const Target& target) {
  std::string note;
  if (spec.structure) {
    const Structure& asked = find_structure(*spec.structure);
    const Condition* lack = missing(asked, elements, spec, target);
    if (!lack) return {&asked, spec.structure_why};
    note = fmt::format("; {}, {}, needs {}", asked.name, spec.structure_why, lack->what);
  }
  const auto fitting = fitting_structures(elements, spec, target);
  return {fitting.front(), why_first(fitting, elements, spec, target) + note};
}

std::string structures_markdown() {
  std::string text =
      "# Structures of kernels\n\n"
      "What computes the residual of a set of elements (all elements of one shape and geometry order) is a row of this "
      "table. `element` is the algorithm; the others are accelerations of it, for what they need. All of them give the "
      "same "
      "residual up to rounding.\n\n"
      "| row | what it is | needs | measured (fp64) |\n| --- | --- | --- | --- |\n";
  for (const Structure& row : structures())
    text += fmt::format("| `{}` | {} | {} | {} |\n", row.name, row.what, needs_text(row), row.measured);
  text +=
      "\n## How a row is chosen\n\n"
      "Every set gets the first row of the table that has what it needs, with these exceptions:\n\n"
      "- ";
  for (const Structure& row : structures())
    if (row.first.what) text += fmt::format("`{}` is tried before all others at {}. ", row.name, row.first.what);
  text.back() = '\n';
  std::vector<std::string> timed;
  for (const Structure& row : structures())
    if (row.timed) timed.push_back(fmt::format("`{}`", row.name));
  text += fmt::format(
      "- On a GPU, where a mesh holds nothing else and more than one of {} fit, they are timed, once for each device, "
      "equations, flux, order and precision, and the fastest is taken. The cache of compiled programs remembers it, "
      "and a "
      "checkpoint carries it, so that runs and restarts repeat bit for bit.\n"
      "- `--structure NAME` (`galerna run`, `check` and `bench`) asks for a row: sets that it fits get it.\n\n"
      "The log of a run, `galerna check`, `galerna bench` and `report.json` say which row every set got and why; "
      "`galerna bench --structures` runs a case with every row that fits and prints them side by side.\n",
      list_names(timed, "and"));
  return text;
}

}  // namespace galerna::dg
