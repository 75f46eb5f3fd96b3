#include "algebra/block_matrix.hpp"

#include <gtest/gtest.h>

namespace galerna::algebra {
namespace {

/// [1 2 | 0] [3 4 | 5] [0 6 | 7] with blocks of two rows and one.
BlockMatrix<double> example() {
  BlockMatrix<double> matrix{{{2, 1}, {0, 2, 4}, {0, 1, 0, 1}, {}}, {1, 2, 3, 4, 0, 5, 0, 6, 7}};
  set_offsets(matrix.pattern);
  return matrix;
}

TEST(BlockMatrix, OffsetsFollowFromTheSizes) {
  EXPECT_EQ(example().pattern.offsets, (std::vector<std::int64_t>{0, 4, 6, 8, 9}));
  EXPECT_EQ(first_unknowns(example().pattern.sizes), (std::vector<std::int64_t>{0, 2, 3}));
}

TEST(BlockMatrix, FindsBlocks) {
  const BlockPattern pattern = example().pattern;
  EXPECT_EQ(find_block(pattern, 1, 0), 2);
  EXPECT_EQ(find_block(pattern, 1, 1), 3);
  EXPECT_EQ(find_block(pattern, 1, 2), -1);
}

TEST(BlockMatrix, MultipliesBlocksOfDifferentSizes) {
  const std::vector<double> x = {1, 10, 100};
  std::vector<double> y = {-1, -1, -1};
  multiply<double>(example(), x, y);
  EXPECT_EQ(y, (std::vector<double>{21, 543, 760}));
}

}  // namespace
}  // namespace galerna::algebra
