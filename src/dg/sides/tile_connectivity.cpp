#include "dg/sides/tile_connectivity.hpp"

#include <algorithm>
#include <atomic>

#include "base/parallel.hpp"
#include "dg/sides/side_codes.hpp"
#include "kernels/arguments.hpp"

namespace galerna::dg {

namespace {

/// The elements of tiles, and what lies beyond their sides.
class TileSides {
 public:
  TileSides(const std::vector<std::int32_t>& codes, int tile_elements, int sides)
      : codes_(codes),
        tile_elements_(tile_elements),
        sides_(sides),
        elements_(static_cast<std::int64_t>(codes.size()) / sides) {}

  /// Calls visit(side, column, code, inside) for all sides of a tile but those of padding, which repeats the last
  /// element.
  template <class Visit>
  void for_each(std::int64_t tile, const Visit& visit) const {
    for (int side = 0; side < sides_; ++side)
      for (int column = 0; column < tile_elements_; ++column) {
        const std::int64_t element = tile * tile_elements_ + column;
        if (is_padding(tile, column)) continue;
        const std::int32_t code = codes_[static_cast<std::size_t>(std::min(element, elements_ - 1) * sides_ + side)];
        visit(side, column, code, code >= 0 && coded_element(code, sides_) / tile_elements_ == tile);
      }
  }
  bool is_padding(std::int64_t tile, int column) const {
    return tile * tile_elements_ + column >= elements_ && column > 0;
  }

 private:
  const std::vector<std::int32_t>& codes_;
  int tile_elements_, sides_;
  std::int64_t elements_;
};

constexpr std::int64_t tiles_at_once = 1024;

/// The most traces from outside that a tile has.
int most_outside(const TileSides& all, std::int64_t tiles) {
  std::atomic<int> most = 0;
  in_parallel(tiles, tiles_at_once, [&](std::int64_t begin, std::int64_t end) {
    int here = 0;
    for (std::int64_t tile = begin; tile < end; ++tile) {
      int outside = 0;
      all.for_each(tile, [&](int, int, std::int32_t, bool inside) { outside += inside ? 0 : 1; });
      here = std::max(here, outside);
    }
    for (int before = most; here > before && !most.compare_exchange_weak(before, here);) {
    }
  });
  return most;
}

}  // namespace

Tiles make_tiles(const std::vector<std::int32_t>& codes, std::int64_t padded, int tile_elements, int sides) {
  const TileSides all(codes, tile_elements, sides);
  Tiles tiles;
  tiles.count = padded / tile_elements;
  tiles.outside = most_outside(all, tiles.count);
  tiles.neighbours.resize(static_cast<std::size_t>(padded * sides));
  tiles.codes.resize(static_cast<std::size_t>(tiles.count * tiles.outside), kernels::TileArguments::unused);

  /// A trace from outside: what it is of, and who asks for it.
  struct Outside {
    std::int32_t code;
    int side;  ///< that is looked at; `sides` of ghosts
    std::int32_t* asking;
  };
  in_parallel(tiles.count, tiles_at_once, [&](std::int64_t begin, std::int64_t end) {
    std::vector<Outside> slots;
    for (std::int64_t tile = begin; tile < end; ++tile) {
      slots.clear();
      std::int32_t* const entries = tiles.neighbours.data() + tile * sides * tile_elements;
      all.for_each(tile, [&](int side, int column, std::int32_t code, bool inside) {
        std::int32_t& entry = entries[side * tile_elements + column];
        if (inside)
          entry = element_code(coded_element(code, sides) % tile_elements, coded_side(code, sides), sides);
        else
          slots.push_back({code, code < 0 ? sides : coded_side(code, sides), &entry});
      });
      std::stable_sort(slots.begin(), slots.end(), [](const auto& a, const auto& b) { return a.side < b.side; });
      for (std::size_t slot = 0; slot < slots.size(); ++slot) {
        *slots[slot].asking = element_code(tile_elements + static_cast<std::int64_t>(slot) / sides,
                                           static_cast<int>(slot) % sides, sides);
        tiles.codes[static_cast<std::size_t>(tile * tiles.outside) + slot] = slots[slot].code;
      }
      for (int side = 0; side < sides; ++side)
        for (int column = 1; column < tile_elements; ++column)
          if (all.is_padding(tile, column))
            entries[side * tile_elements + column] = entries[side * tile_elements + column - 1];
    }
  });
  // Odd, so that the points of an element lie in different banks of shared memory.
  tiles.columns = (tile_elements + (tiles.outside + sides - 1) / sides) | 1;
  return tiles;
}

}  // namespace galerna::dg
