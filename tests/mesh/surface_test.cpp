#include "mesh/surface.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/vectors.hpp"
#include "mesh/geometry.hpp"
#include "mesh/plane_curve.hpp"
#include "mesh/round_surface.hpp"

namespace galerna::mesh {
namespace {

/// At a point off the surface: the nearest one lies on it, along the normal.
void expect_perpendicular(const Surface& surface, const Point& x, double off) {
  const Point y = surface.nearest(x).value(), n = surface.normal(x).value();
  EXPECT_NEAR(distance(x, y), off, 1e-12) << surface.name();
  EXPECT_NEAR(norm(n), 1, 1e-14);
  EXPECT_NEAR(norm(cross(n, minus(x, y))), 0, 1e-9) << surface.name();
  EXPECT_LT(distance(surface.nearest(y).value(), y), 1e-12) << surface.name();
}

TEST(Surface, NearestPointsLieAlongTheNormal) {
  expect_perpendicular(RoundSurface::sphere({1, 2, 3}, 2), {1, 5, 7}, 3);
  expect_perpendicular(RoundSurface::cylinder({1, 2, 3}, {0, 0, 4}, 2), {4, 6, 8}, 3);
  expect_perpendicular(*make_circle({1, 2, 0}, 2), {4, 6, 0.5}, 3);
  const auto section = make_naca4("2412", 1, {}, TrailingEdge::closed);
  const Point on = section->at(0.6), along = unit(section->derivative(0.6));
  expect_perpendicular(*section, {on[0] - 0.1 * along[1], on[1] + 0.1 * along[0], 0}, 0.1);
}

TEST(Surface, PointsWithoutANearestOneHaveNone) {
  EXPECT_FALSE(RoundSurface::sphere({1, 2, 3}, 2).nearest({1, 2, 3}));
  EXPECT_FALSE(RoundSurface::cylinder({}, {0, 0, 1}, 2).normal({0, 0, 5}));
}

TEST(Surface, PointsOfEdgesLieOnIt) {
  const RoundSurface sphere = RoundSurface::sphere({}, 1);
  const std::vector<Point> points = sphere.between({1, 0, 0}, {0, 1, 0}, 4);
  ASSERT_EQ(points.size(), 3U);
  for (const Point& x : points) EXPECT_NEAR(norm(x), 1, 1e-15);
  EXPECT_NEAR(points[1][0], points[1][1], 1e-15);

  const auto circle = make_circle({}, 2);
  const std::vector<Point> turned = circle->between({2, 0, 7}, {0, 2, 7}, 3);
  ASSERT_EQ(turned.size(), 2U);
  EXPECT_LT(distance(turned[0], {2 * std::cos(M_PI / 6), 1, 7}), 1e-14) << "evenly spaced in the angle, z kept";

  const auto blunt = make_naca4("0012", 1, {}, TrailingEdge::blunt);
  const Point upper = blunt->at(1), lower = blunt->at(-1);
  EXPECT_LT(distance(blunt->between(lower, upper, 2)[0], times(0.5, plus(lower, upper))), 1e-15)
      << "the base is straight";
}

}  // namespace
}  // namespace galerna::mesh
