#include "analysis/planform.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/index.hpp"
#include "mesh/boundaries.hpp"
#include "mesh/box.hpp"
#include "mesh/generate.hpp"
#include "mesh/geometry.hpp"
#include "mesh/side_key.hpp"

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

/// Against all pairs.
TEST(QuickPlanform, LargestWidthIsThatOfAllPairs) {
  for (const double bend : {0.0, 0.3, 1.0, 3.0}) {
    mesh::Mesh mesh = mesh::make_rectangle(7, 5, {0, 0}, {3, 1});
    mesh::transform(mesh, [&](const mesh::Point& x) {
      return mesh::Point{x[0] * std::cos(bend * x[1]), x[0] * std::sin(bend * x[1]) + 0.1 * x[1], 0};
    });
    const std::vector<std::string> all = {"left", "right", "bottom", "top"};
    double largest = 0;
    for (const std::string& one : all)
      for (const std::string& other : all)
        for (const mesh::Side& a : mesh::find_boundary(mesh, one).sides)
          for (const mesh::Side& b : mesh::find_boundary(mesh, other).sides)
            for (const mesh::Index i : mesh::corners_of(mesh, a))
              for (const mesh::Index j : mesh::corners_of(mesh, b))
                largest = std::max(largest, mesh::distance(mesh.nodes[at(i)], mesh.nodes[at(j)]));
    EXPECT_NEAR(planform_of(mesh, all, {1, 0, 0}, {0, 0, 1}).chord, largest, 1e-14) << bend;
  }
}

TEST(QuickPlanform, OfOneLineIsItsLength) {
  const mesh::Mesh mesh = mesh::make_rectangle(7, 5, {0, 0}, {3, 1});
  EXPECT_NEAR(planform_of(mesh, {"bottom"}, {1, 0, 0}, {0, 0, 1}).chord, 3, 1e-14);
}

TEST(QuickPlanform, WallsThatCloseAreTheBody) {
  const std::vector<std::string> all = {"left", "right", "bottom", "top"};
  const mesh::Mesh plane = mesh::make_rectangle(4, 3, {0, 0}, {3, 1});
  EXPECT_EQ(closed_boundaries(plane, all), all);
  EXPECT_TRUE(closed_boundaries(plane, {"left", "right", "bottom"}).empty());
  const mesh::Mesh box = mesh::make_box({2, 2, 2}, {1, 1, 1}, 0, Shape::tetrahedron);
  const std::vector<std::string> six = {"left", "right", "front", "back", "bottom", "top"};
  EXPECT_EQ(closed_boundaries(box, six), six);
  EXPECT_TRUE(closed_boundaries(box, {"left", "right", "front", "bottom", "top"}).empty());
}

/// Two rectangles: all sides of one, and two opposite ones of the other.
TEST(QuickPlanform, WallsOfATunnelAreNot) {
  mesh::Mesh two = mesh::make_rectangle(2, 2, {0, 0}, {1, 1});
  mesh::Mesh both = two;
  const auto shift = static_cast<mesh::Index>(two.nodes.size());
  for (mesh::Point x : two.nodes) both.nodes.push_back({x[0] + 5, x[1], 0});
  for (const mesh::Index n : two.blocks[0].nodes) both.blocks[0].nodes.push_back(n + shift);
  const mesh::Index elements = two.element_count();
  for (const char* name : {"left", "right", "bottom", "top"}) {
    mesh::Boundary far{std::string("far ") + name, {}};
    for (const mesh::Side& side : mesh::find_boundary(two, name).sides)
      far.sides.push_back({side.element + elements, side.side});
    both.boundaries.push_back(far);
  }
  const std::vector<std::string> closed = {"left", "right", "bottom", "top"};
  std::vector<std::string> walls = closed;
  walls.insert(walls.end(), {"far bottom", "far top"});
  EXPECT_EQ(closed_boundaries(both, walls), closed);
}

}  // namespace
}  // namespace galerna::analysis
