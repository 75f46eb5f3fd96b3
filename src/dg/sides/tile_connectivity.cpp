#include "dg/sides/tile_connectivity.hpp"

#include <algorithm>

#include "dg/sides/side_codes.hpp"
#include "kernels/arguments.hpp"

namespace galerna::dg {

Tiles make_tiles(const std::vector<std::int32_t>& codes, std::int64_t padded, int tile_elements, int sides) {
  Tiles tiles;
  tiles.count = padded / tile_elements;
  tiles.neighbours.resize(static_cast<std::size_t>(padded * sides));
  const auto elements = static_cast<std::int64_t>(codes.size()) / sides;

  /// A trace from outside: what it is of, and who asks for it.
  struct Outside {
    std::int32_t code;
    int side;  ///< that is looked at; `sides` of ghosts
    std::int32_t* asking;
  };
  std::vector<std::vector<Outside>> outside(static_cast<std::size_t>(tiles.count));
  for (std::int64_t tile = 0; tile < tiles.count; ++tile) {
    auto& slots = outside[static_cast<std::size_t>(tile)];
    for (int side = 0; side < sides; ++side)
      for (int column = 0; column < tile_elements; ++column) {
        const std::int64_t element = tile * tile_elements + column;
        if (element >= elements && column > 0) continue;  // padding repeats the last element: below
        const std::int32_t code = codes[static_cast<std::size_t>(std::min(element, elements - 1) * sides + side)];
        const std::int64_t neighbour = coded_element(code, sides);
        std::int32_t& entry =
            tiles.neighbours[static_cast<std::size_t>((tile * sides + side) * tile_elements + column)];
        if (code >= 0 && neighbour / tile_elements == tile)
          entry = element_code(neighbour % tile_elements, coded_side(code, sides), sides);
        else
          slots.push_back({code, code < 0 ? sides : coded_side(code, sides), &entry});
      }
    std::stable_sort(slots.begin(), slots.end(), [](const auto& a, const auto& b) { return a.side < b.side; });
    for (std::size_t slot = 0; slot < slots.size(); ++slot)
      *slots[slot].asking =
          element_code(tile_elements + static_cast<std::int64_t>(slot) / sides, static_cast<int>(slot) % sides, sides);
    tiles.outside = std::max(tiles.outside, static_cast<int>(slots.size()));
    for (int side = 0; side < sides; ++side)
      for (int column = 1; column < tile_elements; ++column)
        if (tile * tile_elements + column >= elements) {
          const auto at = static_cast<std::size_t>((tile * sides + side) * tile_elements + column);
          tiles.neighbours[at] = tiles.neighbours[at - 1];
        }
  }
  for (const auto& slots : outside) {
    for (const Outside& slot : slots) tiles.codes.push_back(slot.code);
    tiles.codes.resize(tiles.codes.size() + static_cast<std::size_t>(tiles.outside) - slots.size(),
                       kernels::TileArguments::unused);
  }
  // Odd, so that the points of an element lie in different banks of shared memory.
  tiles.columns = (tile_elements + (tiles.outside + sides - 1) / sides) | 1;
  return tiles;
}

}  // namespace galerna::dg
