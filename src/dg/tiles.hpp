/// \file
/// What kernels/tile needs beside the arrays of all kernels: operators in the order in which matrix units take them,
/// and the connectivity of tiles.
#pragma once

#include <cstdint>
#include <vector>

#include "device/device.hpp"
#include "dg/metric.hpp"
#include "dg/operators.hpp"
#include "kernels/tile/element_counts.hpp"

namespace galerna::dg {

/// Operators as fragments of 4 × 8 numbers, one for each lane of a warp (kernels/tile/product.hpp): values at volume
/// points, weighted derivatives, values at the points of all sides, lift. Columns are in the order of
/// kernels/tile/columns.hpp; those past the last point repeat point 0, so that states there are physical; rows past the
/// last mode or point are 0.
std::vector<double> tile_operators(const Operators& operators);

/// The same for kernels/tile/viscous_residual.hpp: values and derivatives at volume points, values at the points of all
/// sides, weighted derivatives, lift to modes and to volume points. Rows are all in the order of results
/// (kernels/tile/columns.hpp).
std::vector<double> viscous_tile_operators(const Operators& operators);

/// The same for kernels/tile/warp_residual.hpp: values at volume points and at the points of all sides, weighted
/// derivatives, lift. Rows are in the order of results.
std::vector<double> warp_tile_operators(const Operators& operators);

/// The same and, of curved elements, weighted values.
std::vector<double> curved_warp_operators(const Operators& operators);

/// Metric terms of curved elements, eight after eight, in the order in which tile kernels read them
/// (kernels/tile/metric_rows.hpp).
/// \param metric with points of sides in the elements' own order \param viscous with gradients at sides
/// \param padded elements; the last one is repeated.
std::vector<double> tile_metric(const Operators& operators, const Metric& metric, bool viscous, std::int64_t padded);
/// Numbers of it in eight elements.
std::int64_t tile_metric_numbers(const Operators& operators, bool viscous);

/// The same for kernels/tile/viscous_warp_residual.hpp, of straight and of curved tetrahedra: those of the residual,
/// then those of the fluxes at sides.
std::vector<double> viscous_warp_operators(const Operators& operators);
std::vector<double> curved_viscous_warp_operators(const Operators& operators);

/// What the sizes of tile kernels follow from.
kernels::ElementCounts element_counts(const Operators& operators, int variables);

/// A thread block of kernels whose warps take eight elements each.
struct WarpBlock {
  int warps = 0;
  int shared_bytes = 0;
};

/// Of kernels/tile/viscous_residual.hpp: the largest that is fast and fits into the shared memory of a multiprocessor,
/// of which it has all; without warps where less than two fit.
WarpBlock viscous_tile(const Operators& operators, int variables);
/// The same of kernels/tile/warp_residual.hpp, on straight and on curved elements, these in double precision.
WarpBlock warp_tile(const Operators& operators, int variables, device::Precision precision);
WarpBlock curved_warp_tile(const Operators& operators, int variables);
/// The same of kernels/tile/viscous_warp_residual.hpp, without warps where elements do not fit; of the residual and of
/// the fluxes at sides.
WarpBlock viscous_warp_tile(const Operators& operators, int variables, bool curved);
WarpBlock viscous_warp_fluxes(const Operators& operators, int variables, bool curved);

/// See kernels::TileArguments.
struct Tiles {
  std::int64_t count = 0;
  int outside = 0;  ///< slots for traces from outside, in each tile
  int columns = 0;
  std::vector<std::int32_t> neighbours;  ///< [tile][side][element]
  std::vector<std::int32_t> codes;       ///< [tile][slot], sorted by the side that is looked at, ghosts last
};

/// \param codes [element][side] neighbours (dg/side_codes.hpp), or −1 − ghost. \param padded elements with padding.
Tiles make_tiles(const std::vector<std::int32_t>& codes, std::int64_t padded, int tile_elements, int sides);

}  // namespace galerna::dg
