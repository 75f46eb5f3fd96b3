#include "dg/sides/tile_connectivity.hpp"

#include <gtest/gtest.h>

#include "dg/structures.hpp"
#include "kernels/arguments.hpp"

namespace galerna::tests {
namespace {

constexpr std::int32_t unused = kernels::TileArguments::unused;

/// Two tiles of 32 in a ring of 50 "elements" with two sides: side 0 looks at the element before, side 1 at the next
/// one; element 7 has a ghost beyond its side 1 in place of element 8, and element 8 one beyond side 0.
std::vector<std::int32_t> ring() {
  std::vector<std::int32_t> codes;
  for (int e = 0; e < 50; ++e) {
    codes.push_back(e == 8 ? -1 - 4 : (e + 49) % 50 * 4 + 1);
    codes.push_back(e == 7 ? -1 - 3 : (e + 1) % 50 * 4 + 0);
  }
  return codes;
}

TEST(QuickTiles, EverySideFindsItsNeighbour) {
  const auto codes = ring();
  const dg::Tiles tiles = dg::make_tiles(codes, 64, 32, 2);
  ASSERT_EQ(tiles.count, 2);
  EXPECT_EQ(tiles.columns % 2, 1);
  for (int e = 0; e < 50; ++e)
    for (int side = 0; side < 2; ++side) {
      const int tile = e / 32, column = e % 32;
      const std::int32_t found = tiles.neighbours[static_cast<std::size_t>((tile * 2 + side) * 32 + column)];
      ASSERT_LT(found >> 2, tiles.columns);
      const std::int32_t expected = codes[static_cast<std::size_t>(e * 2 + side)];
      if ((found >> 2) < 32) {
        EXPECT_EQ((tile * 32 + (found >> 2)) * 4 + (found & 3), expected) << e << " " << side;
      } else {
        const int slot = ((found >> 2) - 32) * 2 + (found & 3);
        ASSERT_LT(slot, tiles.outside);
        EXPECT_EQ(tiles.codes[static_cast<std::size_t>(tile * tiles.outside + slot)], expected) << e << " " << side;
      }
    }
}

TEST(QuickTiles, PaddingRepeatsTheLastElementAndUnusedSlotsAreMarked) {
  const dg::Tiles tiles = dg::make_tiles(ring(), 64, 32, 2);
  for (int side = 0; side < 2; ++side)
    for (std::size_t column = 18; column < 32; ++column)
      EXPECT_EQ(tiles.neighbours[static_cast<std::size_t>(2 + side) * 32 + column],
                tiles.neighbours[static_cast<std::size_t>(2 + side) * 32 + 17]);
  EXPECT_EQ(tiles.outside, 4);  // first tile: two ghosts and both ends; second tile: both ends
  EXPECT_EQ(tiles.codes[4 + 2], unused);
  EXPECT_EQ(tiles.codes[4 + 3], unused);
}

/// The operators as the matrix units see them: lane (g, t) holds row t, column g of each 4 × 8 block. Of the 12 points
/// the last four are even columns of a block of their own, and of the 10 modes the last two.
TEST(QuickTiles, OperatorsAreThoseOfTheDiscretization) {
  const dg::Operators o = dg::make_operators(Shape::triangle, 3);
  const std::vector<double> numbers = dg::find_structure("tiles-32").products(o);
  const int fours = (o.modes + 3) / 4, points = o.volume.size();
  ASSERT_EQ(points, 12);
  const auto column = [](int i) { return i < 8 ? i : 2 * (i - 8); };
  for (int q = 0; q < points; ++q)
    for (int j = 0; j < o.modes; ++j) {
      const int fragment = q / 8 * fours + j / 4, lane = column(q) * 4 + j % 4;
      EXPECT_EQ(numbers[static_cast<std::size_t>(fragment * 32 + lane)], o.volume_basis(q, j));
    }
  // Behind the values at volume points: the first derivative, rows 0, 2, 4, 6, then 1, 3, 5, 7, then 8 to 11.
  const int first = 2 * fours, rows = 3;
  for (int q = 0; q < points; ++q)
    for (int j = 0; j < o.modes; ++j) {
      const int fragment = first + j / 8 * rows + (q < 8 ? q % 2 : 2);
      const int lane = column(j) * 4 + (q < 8 ? q / 2 : q - 8);
      EXPECT_EQ(numbers[static_cast<std::size_t>(fragment * 32 + lane)], o.weighted_derivatives[0](q, j));
    }
}

}  // namespace
}  // namespace galerna::tests
