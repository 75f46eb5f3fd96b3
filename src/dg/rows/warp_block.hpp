/// \file
/// Thread blocks of kernels whose warps take eight elements each (kernels/tile), and what rows of such kernels have in
/// common.
#pragma once

#include <string>
#include <vector>

#include "dg/structure.hpp"
#include "kernels/tile/warp_sizes.hpp"

namespace galerna::dg {

/// Without warps where less than two fit into the shared memory of a multiprocessor, of which a block has all.
struct WarpBlock {
  int warps = 0;
  int shared_bytes = 0;
};

/// \param most warps, as registers allow. \param operator_numbers, warp_numbers of the block and of each warp
WarpBlock largest_block(int operator_numbers, int warp_numbers, int most, int number_bytes = sizeof(double));

/// Of kernels/tile/warp_residual.hpp, whose numbers have `number_bytes`, 8 on curved elements.
kernels::WarpTileSizes warp_sizes(const Operators& operators, int variables, bool curved,
                                  int number_bytes = sizeof(double));

Entry warp_entry(const std::string& name, const std::string& function, const WarpBlock& block);
/// residual_I_O for all stages.
void add_warp_residuals(std::vector<Entry>& entries, const KernelRequest& request, const std::string& function,
                        const WarpBlock& block);
/// The kernels of `element` that read traces, and residuals by whole warps.
std::vector<Entry> warp_entries(const KernelRequest& request, const std::string& function, const WarpBlock& block);
device::Range range_of_warps(const LaunchRequest& launch, const WarpBlock& block);
/// Config::tile_elements.
std::string tile_member(int elements);

}  // namespace galerna::dg
