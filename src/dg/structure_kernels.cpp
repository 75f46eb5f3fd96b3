#include "dg/structure_kernels.hpp"

#include "dg/kernel_counter.hpp"
#include "dg/tiles.hpp"
#include "kernels/element/arguments.hpp"
#include "kernels/line/sizes.hpp"
#include "kernels/tile/viscous_sizes.hpp"
#include "kernels/tile/viscous_warp_sizes.hpp"

namespace galerna::dg {
namespace {

std::vector<Entry> triangle_entries(const KernelRequest& request, const std::string& function) {
  std::vector<Entry> entries;
  for (const auto& [inputs, outputs] : request.stage_shapes)
    entries.push_back({residual_entry(inputs, outputs), "ResidualArguments",
                       fmt::format("{}<Config, {}, {}>", function, inputs, outputs),
                       request.spec.degree == 2 ? "128, 3" : "128"});
  return entries;
}

/// Threads in a thread block, and how many of those a multiprocessor shall hold at least: where that limits registers
/// of the kernels of kernels/element/thread_group.hpp without spilling many (measured on an H200).
std::string group_bounds(const KernelRequest& request, bool residual) {
  const Operators& operators = request.operators;
  const bool viscous = request.spec.viscous;
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

Entry group_entry(const KernelRequest& request, const std::string& name, const std::string& function) {
  const int threads =
      request.target.kind == device::Kind::host ? 1 : kernels::threads_per_element(request.spec.variable_count());
  const bool residual = name.starts_with("residual");
  return {name, "ElementArguments", function, group_bounds(request, residual), threads};
}

/// What a residual of kernels/element reads of sides.
std::vector<Entry> side_entries(const KernelRequest& request) {
  std::vector<Entry> entries = {group_entry(request, "traces", "element_traces<Config>")};
  if (request.spec.viscous) entries.push_back(group_entry(request, "viscous", "element_viscous<Config>"));
  return entries;
}

WarpBlock viscous_tile_of(const KernelRequest& request) {
  return viscous_tile(request.operators, request.spec.variable_count());
}
WarpBlock warp_tile_of(const KernelRequest& request) {
  return warp_tile(request.operators, request.spec.variable_count(), request.spec.precision);
}
WarpBlock curved_warp_tile_of(const KernelRequest& request) {
  return curved_warp_tile(request.operators, request.spec.variable_count());
}
WarpBlock viscous_warp_tile_of(const KernelRequest& request) {
  return viscous_warp_tile(request.operators, request.spec.variable_count(), request.structure.tile_metric);
}
WarpBlock viscous_warp_fluxes_of(const KernelRequest& request) {
  return viscous_warp_fluxes(request.operators, request.spec.variable_count(), request.structure.tile_metric);
}

Entry warp_entry(const std::string& name, const std::string& function, const WarpBlock& block) {
  return {name, "ElementArguments", function, fmt::format("{}, 1", block.warps * 32), Entry::of_block};
}

void add_warp_residuals(std::vector<Entry>& entries, const KernelRequest& request, const std::string& function,
                        const WarpBlock& block) {
  for (const auto& [inputs, outputs] : request.stage_shapes)
    entries.push_back(warp_entry(residual_entry(inputs, outputs),
                                 fmt::format("{}<Config, {}, {}>", function, inputs, outputs), block));
}

/// Those that read traces, and residuals by whole warps.
std::vector<Entry> warp_entries(const KernelRequest& request, const std::string& function, const WarpBlock& block) {
  std::vector<Entry> entries = side_entries(request);
  add_warp_residuals(entries, request, function, block);
  return entries;
}

device::Range range_of_warps(const ElementSet& set, const WarpBlock& block) {
  return {set.blocks.padded() * 4, block.warps * 32, block.shared_bytes, true};
}

kernels::LineSizes line_sizes(const Operators& operators, const Spec& spec) {
  return {operators.degree + 1, spec.variable_count(), spec.viscous};
}

/// \param blocks thread blocks on a multiprocessor, which limit registers
Entry line_entry(const KernelRequest& request, const std::string& name, const std::string& function, int blocks) {
  if (request.target.kind == device::Kind::host || request.target.counting) return {name, "ElementArguments", function};
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
device::Range range_of_lines(const ElementSet& set, const Spec& spec, device::Kind kind, int fields, int group = 0) {
  if (kind == device::Kind::host) return range_of(set.blocks, kind);
  const kernels::LineSizes sizes = line_sizes(set.operators, spec);
  return {set.blocks.padded() / (group > 0 ? group : sizes.elements()) * sizes.threads(), sizes.threads(),
          sizes.numbers(fields) * static_cast<int>(bytes_of(spec.precision))};
}

/// Of the residual of viscous tiles: products, and what is done at points and with modes.
double tile_operations(KernelCounter& counter, const ElementSet& set, const kernels::ElementCounts& sizes,
                       double multiply_adds, const CountedStage& stage) {
  const Operators& o = set.operators;
  const kernels::OperationCounts physics = counter.points();
  const double v = sizes.variables, d = sizes.dimension;
  const double normal = 2 * d * d + 2 * d + 2 + d, jump = 3 + d, flux = 4;
  const double side_point = physics.riemann + v * (jump + flux);
  const double volume_point = physics.primitive + d * (physics.flux + physics.viscous_flux + v) + 2 * d * d * v;
  // dt R, and the combination of inputs as stage_output() forms it
  const double update = 1 + 2 + 4 * (static_cast<double>(stage.inputs.size()) - 1);
  return 2 * multiply_adds + o.sides() * normal + sizes.trace_point_count() * side_point +
         o.volume.size() * volume_point + static_cast<double>(stage.outputs.size()) * v * o.modes * update;
}

std::string tile_member(int elements) {
  return fmt::format("static constexpr int tile_elements = {};", elements);
}

}  // namespace

std::vector<Entry> pack_entries(const KernelRequest& request) {
  return triangle_entries(request, "pack_residual");
}

std::vector<Entry> thread_entries(const KernelRequest& request) {
  return triangle_entries(request, "residual");
}

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

std::vector<Entry> element_entries(const KernelRequest& request) {
  std::vector<Entry> entries;
  for (const auto& [inputs, outputs] : request.stage_shapes)
    entries.push_back(group_entry(request, residual_entry(inputs, outputs),
                                  fmt::format("element_residual<Config, {}, {}>", inputs, outputs)));
  for (Entry& entry : side_entries(request)) entries.push_back(std::move(entry));
  return entries;
}

std::vector<Entry> viscous_tile_entries(const KernelRequest& request) {
  return warp_entries(request, "viscous_tile_residual", viscous_tile_of(request));
}

std::vector<Entry> warp_tile_entries(const KernelRequest& request) {
  return warp_entries(request, "warp_residual", warp_tile_of(request));
}

std::vector<Entry> curved_warp_entries(const KernelRequest& request) {
  return warp_entries(request, "warp_residual", curved_warp_tile_of(request));
}

std::vector<Entry> viscous_warp_entries(const KernelRequest& request) {
  std::vector<Entry> entries = {group_entry(request, "traces", "element_traces<Config>"),
                                warp_entry("viscous", "warp_viscous<Config>", viscous_warp_fluxes_of(request))};
  add_warp_residuals(entries, request, "viscous_warp_residual", viscous_warp_tile_of(request));
  return entries;
}

std::vector<std::string> tile_members(const KernelRequest& request) {
  return {tile_member(request.structure.tile)};
}

std::vector<std::string> viscous_tile_members(const KernelRequest& request) {
  return {tile_member(viscous_tile_of(request).warps * 8)};
}

std::vector<std::string> warp_tile_members(const KernelRequest& request) {
  return {tile_member(warp_tile_of(request).warps * 8)};
}

std::vector<std::string> curved_warp_members(const KernelRequest& request) {
  return {tile_member(curved_warp_tile_of(request).warps * 8)};
}

std::vector<std::string> viscous_warp_members(const KernelRequest& request) {
  return {tile_member(viscous_warp_tile_of(request).warps * 8),
          fmt::format("static constexpr int viscous_warps = {};", viscous_warp_fluxes_of(request).warps)};
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

Entry monitor_of_elements(const Target& target) {
  return {"monitor", "MonitorArguments",
          target.kind == device::Kind::host ? "pack_monitor<Config>" : "monitor<Config>"};
}

Entry monitor_of_lines(const Target& target) {
  if (target.kind == device::Kind::host || target.counting)
    return {"monitor", "MonitorArguments", "line_monitor<Config>"};
  return {"monitor", "MonitorArguments", "line_monitor<Config>", "160", Entry::of_block};
}

Entry monitor_of_tiles(const Target&) {
  return {"monitor", "MonitorArguments", "tile_monitor<Config>", "256"};
}

Entry monitor_of_warps(const Target&) {
  return {"monitor", "MonitorArguments", "warp_monitor<Config>", "512"};
}

device::Range range_of(const Blocks& blocks, device::Kind kind) {
  if (kind == device::Kind::cuda) return {blocks.padded(), 128};
  return {blocks.count, 1};
}

device::Range range_of_elements(const ElementSet& set, const Spec&, device::Kind kind) {
  return range_of(set.blocks, kind);
}

device::Range range_of_tiles(const ElementSet& set, const Spec&, device::Kind) {
  return {set.blocks.padded() * 4, set.structure->tile * 4, 0, true};
}

device::Range range_of_groups(const ElementSet& set, const Spec& spec, device::Kind kind) {
  device::Range range = range_of(set.blocks, kind);
  range.group = kernels::group_block;  // as the kernels' shared memory expects
  if (kind == device::Kind::cuda) range.items *= kernels::threads_per_element(spec.variable_count());
  return range;
}

device::Range trace_range_of(const ElementSet& set, const Spec& spec, device::Kind kind) {
  return (set.structure->trace_range ? set.structure->trace_range : range_of_groups)(set, spec, kind);
}

device::Range viscous_range_of(const ElementSet& set, const Spec& spec, device::Kind kind) {
  return (set.structure->viscous_range ? set.structure->viscous_range : range_of_groups)(set, spec, kind);
}

device::Range range_of_viscous_tiles(const ElementSet& set, const Spec& spec, device::Kind) {
  return range_of_warps(set, viscous_tile(set.operators, spec.variable_count()));
}

device::Range range_of_warp_tiles(const ElementSet& set, const Spec& spec, device::Kind) {
  return range_of_warps(set, warp_tile(set.operators, spec.variable_count(), spec.precision));
}

device::Range range_of_curved_warps(const ElementSet& set, const Spec& spec, device::Kind) {
  return range_of_warps(set, curved_warp_tile(set.operators, spec.variable_count()));
}

device::Range range_of_viscous_warps(const ElementSet& set, const Spec& spec, device::Kind) {
  return range_of_warps(set, viscous_warp_tile(set.operators, spec.variable_count(), set.structure->tile_metric));
}

device::Range viscous_range_of_warps(const ElementSet& set, const Spec& spec, device::Kind) {
  return range_of_warps(set, viscous_warp_fluxes(set.operators, spec.variable_count(), set.structure->tile_metric));
}

device::Range range_of_lines(const ElementSet& set, const Spec& spec, device::Kind kind) {
  return range_of_lines(set, spec, kind, line_sizes(set.operators, spec).fields());
}

device::Range trace_range_of_lines(const ElementSet& set, const Spec& spec, device::Kind kind) {
  return range_of_lines(set, spec, kind, kernels::LineSizes::trace_fields);
}

device::Range viscous_range_of_lines(const ElementSet& set, const Spec& spec, device::Kind kind) {
  return range_of_lines(set, spec, kind, kernels::LineSizes::viscous_fields);
}

device::Range monitor_range_of_lines(const ElementSet& set, const Spec& spec, device::Kind kind) {
  return range_of_lines(set, spec, kind, kernels::LineSizes::monitor_fields, 128);
}

device::Range monitor_range_of_elements(const ElementSet& set, const Spec&, device::Kind kind) {
  return range_of(set.blocks, kind);
}

device::Range monitor_range_of_tiles(const ElementSet& set, const Spec&, device::Kind) {
  return {set.blocks.padded() * 4, 256};  // on matrix units four threads work on an element
}

device::Range monitor_range_of_warps(const ElementSet& set, const Spec&, device::Kind) {
  return {set.blocks.padded() * 4, 512};
}

double viscous_tile_operations(KernelCounter& counter, const ElementSet& set, const Spec& spec,
                               const CountedStage& stage) {
  const kernels::ViscousTileSizes sizes{element_counts(set.operators, spec.variable_count())};
  return tile_operations(counter, set, sizes, sizes.multiply_adds(stage.follows), stage);
}

double viscous_warp_operations(KernelCounter& counter, const ElementSet& set, const Spec& spec,
                               const CountedStage& stage) {
  const kernels::ViscousWarpSizes sizes{element_counts(set.operators, spec.variable_count()), false};
  return tile_operations(counter, set, sizes, sizes.residual_multiply_adds(stage.follows), stage);
}

}  // namespace galerna::dg
