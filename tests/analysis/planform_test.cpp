#include "analysis/planform.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "mesh/box.hpp"
#include "mesh/generate.hpp"

namespace galerna::analysis {
namespace {

/// A swept wing with chords from 1 to 0.5 on a span of 2, a tenth thick: its numbers follow by integration of
/// c = 1 − b/4 and of the nose at 0.3 b.
void expect_tapered_wing(Shape shape) {
  mesh::Mesh wing = mesh::make_box({3, 7, 2}, {1, 2, 0.1}, 0, shape);
  mesh::transform(wing, [](const mesh::Point& x) {
    return mesh::Point{0.3 * x[1] + x[0] * (1 - 0.25 * x[1]), x[1], x[2]};
  });
  const std::vector<std::string> all = {"left", "right", "front", "back", "bottom", "top"};
  const Planform level = planform_of(wing, all, {1, 0, 0}, {0, 0, 1});
  EXPECT_NEAR(level.area, 1.5, 1e-12);
  EXPECT_NEAR(level.span, 2, 1e-12);
  EXPECT_NEAR(level.chord, 7. / 9, 1e-6);
  EXPECT_NEAR(level.quarter[0], 4. / 15 + 7. / 36, 1e-6);
  EXPECT_NEAR(std::abs(level.quarter[1]), 8. / 9, 1e-6);
  // The stream's part along up does not count.
  const Planform inclined = planform_of(wing, all, {std::cos(0.1), 0, std::sin(0.1)}, {0, 0, 2});
  EXPECT_NEAR(inclined.chord, level.chord, 1e-12);
  EXPECT_NEAR(inclined.area, 1.5, 1e-12);
  // From the side.
  EXPECT_NEAR(planform_of(wing, {"front"}, {1, 0, 0}, {0, 1, 0}).area, 0.5 * 0.1, 1e-12);
}

TEST(QuickPlanform, OfATaperedWingIsExact) {
  expect_tapered_wing(Shape::tetrahedron);
  expect_tapered_wing(Shape::hexahedron);
}

TEST(QuickPlanform, InThePlaneIsTheLargestWidth) {
  mesh::Mesh ring = mesh::make_rectangle(3, 24, {0, 0}, {1, 2 * M_PI});
  mesh::transform(ring, [](const mesh::Point& x) {
    return mesh::Point{1 + (0.5 + x[0]) * std::cos(x[1]), 0.2 * (0.5 + x[0]) * std::sin(x[1]), 0};
  });
  const Planform planform = planform_of(ring, {"left"}, {1, 0, 0}, {0, 0, 1});
  EXPECT_NEAR(planform.chord, 1, 1e-12);
  EXPECT_EQ(planform.area, 0);
}

}  // namespace
}  // namespace galerna::analysis
