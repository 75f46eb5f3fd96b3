#include <fmt/format.h>

#include "dg/rows/element_parts.hpp"
#include "dg/rows/rows.hpp"
#include "kernels/element/arguments.hpp"

namespace galerna::dg {
namespace {

/// Threads in a thread block, and how many of those a multiprocessor shall hold at least: where that limits registers
/// of the kernels of kernels/element/thread_group.hpp without spilling many (measured on an H200).
std::string group_bounds(const KernelRequest& request, bool residual) {
  const Operators& operators = request.operators;
  const bool viscous = request.spec.diffuses();
  const bool single = request.spec.precision == device::Precision::single_precision;
  const int degree = operators.degree;
  const bool tensor = is_tensor(operators);
  int blocks = 0;
  if (degree == 1 && viscous && residual && operators.shape == Shape::triangle) blocks = 5;
  if (degree == 2) blocks = tensor == viscous ? 0 : 4;
  if (degree == 3) blocks = tensor && !viscous ? 4 : 3;
  if (degree == 4 && !viscous) blocks = 3;
  if (single && !viscous && operators.shape == Shape::quadrilateral && (degree == 2 || degree == 3))
    blocks = 8 - degree;
  return blocks > 0 ? fmt::format("{}, {}", kernels::group_block, blocks) : fmt::format("{}", kernels::group_block);
}

std::vector<Entry> element_entries(const KernelRequest& request) {
  std::vector<Entry> entries;
  for (const auto& [inputs, outputs] : request.stage_shapes)
    entries.push_back(group_entry(request, residual_entry(inputs, outputs),
                                  fmt::format("element_residual<Config, {}, {}>", inputs, outputs)));
  for (Entry& entry : side_entries(request)) entries.push_back(std::move(entry));
  return entries;
}

}  // namespace

Entry group_entry(const KernelRequest& request, const std::string& name, const std::string& function) {
  const int threads =
      request.target.kind == device::Kind::host ? 1 : kernels::threads_per_element(request.spec.variable_count());
  const bool residual = name.starts_with("residual");
  return {name, "ElementArguments", function, group_bounds(request, residual), threads};
}

std::vector<Entry> side_entries(const KernelRequest& request) {
  std::vector<Entry> entries = {group_entry(request, "traces", "element_traces<Config>")};
  if (request.spec.diffuses()) entries.push_back(group_entry(request, "viscous", "element_viscous<Config>"));
  return entries;
}

Entry monitor_of_elements(const device::Target& target) {
  return {"monitor", "MonitorArguments",
          target.kind == device::Kind::host ? "pack_monitor<Config>" : "monitor<Config>"};
}

device::Range range_of_elements(const LaunchRequest& launch) {
  return range_of(launch.blocks, launch.kind);
}

device::Range range_of_groups(const LaunchRequest& launch) {
  return shared_range_of(launch.blocks, launch.kind, launch.spec.variable_count());
}

Structure as_element() {
  Structure row = {};
  row.monitor = monitor_of_elements;
  row.monitor_range = range_of_elements;
  row.trace_range = range_of_groups;
  row.viscous_range = range_of_groups;
  return row;
}

Structure element() {
  Structure row = as_element();
  row.name = "element";
  row.what =
      "The algorithm itself, for every shape, order, equation and device: the residual reads stored traces and "
      "leaves those of the new state for the next stage. On a GPU as many threads as there are variables share an "
      "element, on a CPU a SIMD pack holds a group of them; quadrilaterals with (p + 1)² points are computed line "
      "by line (`kernels/element`).";
  row.measured = "";
  row.in_loops = true;
  row.entries = element_entries;
  row.residual_range = range_of_groups;
  return row;
}

}  // namespace galerna::dg
