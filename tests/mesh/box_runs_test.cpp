/// Boxes that meet a box are found whatever their order and number.
#include "mesh/box_runs.hpp"

#include <gtest/gtest.h>

#include <random>

namespace galerna::mesh {
namespace {

Box random_box(std::mt19937& random, double size) {
  std::uniform_real_distribution<double> place(0, 1);
  Box box;
  for (std::size_t k = 0; k < 3; ++k) {
    box.lower[k] = place(random);
    box.upper[k] = box.lower[k] + size * place(random);
  }
  return box;
}

TEST(BoxRuns, VisitThoseThatMeetABoxInOrder) {
  std::mt19937 random(7);
  for (const std::size_t count : {0, 1, 7, 8, 9, 64, 65, 600}) {
    std::vector<Box> boxes;
    for (std::size_t i = 0; i < count; ++i) boxes.push_back(random_box(random, 0.2));
    const BoxRuns runs(boxes);
    for (int n = 0; n < 20; ++n) {
      const Box box = random_box(random, 0.5);
      std::vector<std::size_t> expected, visited;
      for (std::size_t i = 0; i < count; ++i)
        if (BoxRuns::meet(boxes[i], box)) expected.push_back(i);
      runs.visit(box, [&](std::size_t i) { visited.push_back(i); });
      EXPECT_EQ(visited, expected) << count;
    }
  }
}

TEST(BoxRuns, MeetWhereTheyTouch) {
  const Box box{{0, 0, 0}, {1, 1, 1}};
  EXPECT_TRUE(BoxRuns::meet(box, {{1, 1, 1}, {2, 2, 2}}));
  EXPECT_FALSE(BoxRuns::meet(box, {{0, 0, 1.001}, {1, 1, 2}}));
}

}  // namespace
}  // namespace galerna::mesh
