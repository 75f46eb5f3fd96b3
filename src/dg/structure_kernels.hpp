/// \file
/// Entries, launches and operations of the rows of dg/structures.hpp.
#pragma once

#include "dg/element_set.hpp"
#include "dg/program_writer.hpp"

namespace galerna::dg {

// Straight triangles by themselves: SIMD packs, threads, tiles.
std::vector<Entry> pack_entries(const KernelRequest& request);
std::vector<Entry> thread_entries(const KernelRequest& request);
std::vector<Entry> tile_entries(const KernelRequest& request);

/// kernels/element: on the GPU threads share an element.
std::vector<Entry> element_entries(const KernelRequest& request);
std::vector<Entry> viscous_tile_entries(const KernelRequest& request);
std::vector<Entry> warp_tile_entries(const KernelRequest& request);
std::vector<Entry> curved_warp_entries(const KernelRequest& request);
std::vector<Entry> viscous_warp_entries(const KernelRequest& request);
std::vector<Entry> line_entries(const KernelRequest& request);
std::vector<Entry> viscous_line_entries(const KernelRequest& request);

/// Config::tile_elements.
std::vector<std::string> tile_members(const KernelRequest& request);
std::vector<std::string> viscous_tile_members(const KernelRequest& request);
std::vector<std::string> warp_tile_members(const KernelRequest& request);
std::vector<std::string> curved_warp_members(const KernelRequest& request);
/// The same, and Config::viscous_warps.
std::vector<std::string> viscous_warp_members(const KernelRequest& request);

/// For each pack of elements on Host, each element on Cuda.
Entry monitor_of_elements(const Target& target);
Entry monitor_of_tiles(const Target& target);
Entry monitor_of_warps(const Target& target);
/// For groups of lines on Cuda.
Entry monitor_of_lines(const Target& target);

/// Blocks of elements on Host, a thread for each element on Cuda.
device::Range range_of(const Blocks& blocks, device::Kind kind);

device::Range range_of_elements(const ElementSet& set, const Spec& spec, device::Kind kind);
device::Range range_of_tiles(const ElementSet& set, const Spec& spec, device::Kind kind);
/// Of the kernels `traces` and `viscous`.
device::Range trace_range_of(const ElementSet& set, const Spec& spec, device::Kind kind);
device::Range viscous_range_of(const ElementSet& set, const Spec& spec, device::Kind kind);
device::Range range_of_groups(const ElementSet& set, const Spec& spec, device::Kind kind);
device::Range range_of_viscous_tiles(const ElementSet& set, const Spec& spec, device::Kind kind);
device::Range range_of_warp_tiles(const ElementSet& set, const Spec& spec, device::Kind kind);
device::Range range_of_curved_warps(const ElementSet& set, const Spec& spec, device::Kind kind);
device::Range range_of_viscous_warps(const ElementSet& set, const Spec& spec, device::Kind kind);
device::Range viscous_range_of_warps(const ElementSet& set, const Spec& spec, device::Kind kind);
device::Range range_of_lines(const ElementSet& set, const Spec& spec, device::Kind kind);
device::Range trace_range_of_lines(const ElementSet& set, const Spec& spec, device::Kind kind);
device::Range viscous_range_of_lines(const ElementSet& set, const Spec& spec, device::Kind kind);
device::Range monitor_range_of_elements(const ElementSet& set, const Spec& spec, device::Kind kind);
device::Range monitor_range_of_tiles(const ElementSet& set, const Spec& spec, device::Kind kind);
device::Range monitor_range_of_warps(const ElementSet& set, const Spec& spec, device::Kind kind);
device::Range monitor_range_of_lines(const ElementSet& set, const Spec& spec, device::Kind kind);

/// Structure::operations of kernels/tile/viscous_residual.hpp and viscous_warp_residual.hpp: products, and what is done
/// at points and with modes.
double viscous_tile_operations(KernelCounter& counter, const ElementSet& set, const Spec& spec,
                               const CountedStage& stage);
double viscous_warp_operations(KernelCounter& counter, const ElementSet& set, const Spec& spec,
                               const CountedStage& stage);

}  // namespace galerna::dg
