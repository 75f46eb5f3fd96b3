#include "dg/rows/warp_block.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "dg/rows/element_parts.hpp"

namespace galerna::dg {
namespace {

// Of a multiprocessor with compute capability 9.0 or later.
constexpr int shared_bytes = 227 * 1024;

}  // namespace

WarpBlock largest_block(int operator_numbers, int warp_numbers, int most, int number_bytes) {
  const int operators = operator_numbers * static_cast<int>(sizeof(double)), warp = warp_numbers * number_bytes;
  const int warps = std::min(most, (shared_bytes - operators) / warp);
  return warps < 2 ? WarpBlock{} : WarpBlock{warps, operators + warps * warp};
}

kernels::WarpTileSizes warp_sizes(const Operators& o, int variables, bool curved, int number_bytes) {
  return kernels::WarpTileSizes::of(element_counts(o, variables), curved, number_bytes);
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

std::vector<Entry> warp_entries(const KernelRequest& request, const std::string& function, const WarpBlock& block) {
  std::vector<Entry> entries = side_entries(request);
  add_warp_residuals(entries, request, function, block);
  return entries;
}

device::Range range_of_warps(const LaunchRequest& launch, const WarpBlock& block) {
  return {launch.blocks.padded() * 4, block.warps * 32, block.shared_bytes, true};
}

std::string tile_member(int elements) {
  return fmt::format("static constexpr int tile_elements = {};", elements);
}

}  // namespace galerna::dg
