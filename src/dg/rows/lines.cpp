#include <fmt/format.h>

#include "dg/rows/conditions.hpp"
#include "dg/rows/element_parts.hpp"
#include "dg/rows/rows.hpp"
#include "dg/set_plan.hpp"
#include "kernels/line/sizes.hpp"

namespace galerna::dg {
namespace {

using namespace conditions;

constexpr Condition hexahedra = {"hexahedra", [](const Elements& elements, const Spec&, const device::Target&) {
                                   return elements.operators.shape == Shape::hexahedron;
                                 }};
constexpr Condition points_of_degree = {"(p + 1)³ points in elements and (p + 1)² on sides",
                                        [](const Elements& elements, const Spec&, const device::Target&) {
                                          const Operators& o = elements.operators;
                                          return o.volume.size() == o.modes &&
                                                 o.side.size() == (o.degree + 1) * (o.degree + 1);
                                        }};
constexpr Condition orders_1_to_7 = {"orders 1 to 7", [](const Elements&, const Spec& spec, const device::Target&) {
                                       return spec.degree >= 1 && spec.degree <= 7;
                                     }};
constexpr Condition orders_1_to_4 = {"orders 1 to 4", [](const Elements&, const Spec& spec, const device::Target&) {
                                       return spec.degree >= 1 && spec.degree <= 4;
                                     }};
constexpr Condition room_for_lines = {
    "on a GPU thread blocks that fit into shared memory",
    [](const Elements&, const Spec& spec, const device::Target& target) {
      const kernels::LineSizes sizes = {spec.degree + 1, spec.variable_count(), spec.diffuses()};
      const int most = (target.matrix_units ? 227 : 64) * 1024;
      return target.kind == device::Kind::host || sizes.numbers(sizes.fields()) * bytes_of(spec.precision) <= most;
    }};

kernels::LineSizes line_sizes(const Operators& operators, const Spec& spec) {
  return {operators.degree + 1, spec.variable_count(), spec.diffuses()};
}

/// \param blocks thread blocks on a multiprocessor, which limit registers
Entry line_entry(const KernelRequest& request, const std::string& name, const std::string& function, int blocks) {
  if (request.target.kind == device::Kind::host) return {name, "ElementArguments", function};
  const kernels::LineSizes sizes = line_sizes(request.operators, request.spec);
  return {name, "ElementArguments", function, fmt::format("{}, {}", sizes.threads(), blocks), Entry::of_block};
}

std::vector<Entry> line_residual_entries(const KernelRequest& request, const std::string& function, int blocks) {
  std::vector<Entry> entries;
  for (const auto& [inputs, outputs] : request.stage_shapes)
    entries.push_back(line_entry(request, residual_entry(inputs, outputs),
                                 fmt::format("{}<Config, {}, {}>", function, inputs, outputs), blocks));
  return entries;
}

/// A thread block for so many elements at a time. \param group elements that it takes one after the other
device::Range range_of_fields(const LaunchRequest& launch, int fields, int group = 0) {
  if (launch.kind == device::Kind::host) return range_of(launch.blocks, launch.kind);
  const kernels::LineSizes sizes = line_sizes(launch.plan.operators, launch.spec);
  return {launch.blocks.padded() / (group > 0 ? group : sizes.elements()) * sizes.threads(), sizes.threads(),
          sizes.numbers(fields) * static_cast<int>(bytes_of(launch.spec.precision))};
}

std::vector<Entry> line_entries(const KernelRequest& request) {
  // As many thread blocks on a multiprocessor as limit registers without spilling many: shared memory leaves the first
  // cache little room for these.
  const int degree = request.operators.degree, blocks = degree == 1 ? 4 : degree <= 4 ? 3 : 2;
  std::vector<Entry> entries = {line_entry(request, "traces", "line_traces<Config>", blocks)};
  for (Entry& entry : line_residual_entries(request, "line_residual", blocks)) entries.push_back(std::move(entry));
  return entries;
}

std::vector<Entry> viscous_line_entries(const KernelRequest& request) {
  const int degree = request.operators.degree;
  // As many as shared memory has room for; the kernel `viscous` takes less of that.
  const int blocks = degree == 1 ? 3 : degree == 3 ? 4 : 2, viscous_blocks = degree == 1 ? 4 : degree == 3 ? 6 : 3;
  std::vector<Entry> entries = {line_entry(request, "traces", "line_traces<Config>", viscous_blocks),
                                line_entry(request, "viscous", "line_viscous<Config>", viscous_blocks)};
  for (Entry& entry : line_residual_entries(request, "viscous_line_residual", blocks))
    entries.push_back(std::move(entry));
  return entries;
}

/// For groups of lines on Cuda.
Entry monitor_of_lines(const device::Target& target) {
  if (target.kind == device::Kind::host) return {"monitor", "MonitorArguments", "line_monitor<Config>"};
  return {"monitor", "MonitorArguments", "line_monitor<Config>", "160", Entry::of_block};
}

device::Range range_of_lines(const LaunchRequest& launch) {
  return range_of_fields(launch, line_sizes(launch.plan.operators, launch.spec).fields());
}

device::Range trace_range_of_lines(const LaunchRequest& launch) {
  return range_of_fields(launch, kernels::LineSizes::trace_fields);
}

device::Range viscous_range_of_lines(const LaunchRequest& launch) {
  return range_of_fields(launch, kernels::LineSizes::viscous_fields);
}

device::Range monitor_range_of_lines(const LaunchRequest& launch) {
  return range_of_fields(launch, kernels::LineSizes::monitor_fields, 128);
}

/// What both rows have in common.
Structure any_lines() {
  Structure row = as_element();
  row.by_lines = true;
  row.monitor = monitor_of_lines;
  row.residual_range = range_of_lines;
  row.monitor_range = monitor_range_of_lines;
  row.trace_range = trace_range_of_lines;
  return row;
}

}  // namespace

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
  row.needs = {hexahedra, viscous, no_shock_viscosity, orders_1_to_4, points_of_degree, room_for_lines};
  row.headers_beside = {"kernels/line/viscous_residual.hpp", "kernels/line/monitor.hpp"};
  row.entries = viscous_line_entries;
  row.viscous_range = viscous_range_of_lines;
  return row;
}

}  // namespace galerna::dg
