/// \file
/// The connectivity of tiles of elements (kernels/tile/residual.hpp).
#pragma once

#include <cstdint>
#include <vector>

namespace galerna::dg {

/// See kernels::TileArguments.
struct Tiles {
  std::int64_t count = 0;
  int outside = 0;  ///< slots for traces from outside, in each tile
  int columns = 0;
  std::vector<std::int32_t> neighbours;  ///< [tile][side][element]
  std::vector<std::int32_t> codes;       ///< [tile][slot], sorted by the side that is looked at, ghosts last
};

/// \param codes [element][side] neighbours (dg/sides/side_codes.hpp), or −1 − ghost. \param padded elements with
/// padding.
Tiles make_tiles(const std::vector<std::int32_t>& codes, std::int64_t padded, int tile_elements, int sides);

}  // namespace galerna::dg
