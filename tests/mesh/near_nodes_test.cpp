/// Boundary nodes that nearly coincide: found whatever the scale, and no thin elements are taken for them.
#include "mesh/near_nodes.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/vectors.hpp"
#include "mesh/box.hpp"
#include "mesh/generate.hpp"
#include "mesh/prepare.hpp"
#include "parts.hpp"

namespace galerna::mesh {
namespace {

std::vector<NearNodes> near_nodes(Mesh mesh) {
  prepare(mesh);
  return find_near_nodes(mesh);
}

TEST(NearNodes, OfBlocksThatHardlyMeet) {
  for (const double scale : {1e-6, 1.0, 1e6})
    for (const double gap : {3e-7, 1e-6, 1e-5}) {
      Mesh plane = beside(make_rectangle(4, 8), make_rectangle(4, 8, {1 + gap, 0}, {2, 1}));
      Mesh space =
          beside(make_box({2, 3, 2}), moved(make_box({2, 3, 2}, {1, 1, 1}, 0, Shape::hexahedron), {1 + gap, 0, 0}));
      for (Mesh* mesh : {&plane, &space}) transform(*mesh, [&](const Point& x) { return times(scale, x); });
      const auto pairs = near_nodes(plane);
      ASSERT_EQ(pairs.size(), 9U) << scale << " " << gap;
      EXPECT_NEAR(pairs.front().distance, scale * gap, 1e-9 * scale * gap + 1e-15 * scale);
      EXPECT_NEAR(pairs.front().edge, scale / 8, 1e-9 * scale);
      EXPECT_EQ(near_nodes(space).size(), 12U) << scale << " " << gap;
    }
}

/// Coordinates of one block that went through single precision.
TEST(NearNodes, OfRoundedCoordinates) {
  Mesh other = moved(make_box({2, 7, 7}, {1, 1, 1}, 0, Shape::hexahedron), {1, 0, 0});
  const auto rounded = [](double x) { return static_cast<double>(static_cast<float>(x)); };
  transform(other, [&](const Point& x) { return Point{rounded(x[0] + 0.1) - 0.1, rounded(x[1]), rounded(x[2])}; });
  EXPECT_GT(near_nodes(beside(make_box({2, 7, 7}, {1, 1, 1}, 0, Shape::hexahedron), other)).size(), 50U);
}

TEST(NearNodes, AreNotThoseOfThinElements) {
  for (const CellStyle style : {CellStyle::triangles, CellStyle::quadrilaterals}) {
    EXPECT_TRUE(near_nodes(make_rectangle(8, 1, {0, 0}, {1, 1e-6}, style)).empty());
    Mesh layers = make_rectangle(8, 12, {0, 0}, {1, 1}, style);
    transform(layers, [](const Point& x) { return Point{x[0], std::pow(10.0, 12 * (x[1] - 1)), 0}; });
    EXPECT_TRUE(near_nodes(layers).empty());
  }
  for (const Shape shape : {Shape::tetrahedron, Shape::prism, Shape::hexahedron, Shape::pyramid})
    EXPECT_TRUE(near_nodes(make_box({3, 3, 1}, {1, 1, 1e-5}, 0, shape)).empty()) << name(shape);
}

TEST(NearNodes, AreNeitherEqualNorApart) {
  for (const double gap : {0.0, 1e-11, 5e-3}) {
    const Mesh mesh = beside(make_rectangle(4, 4), make_rectangle(4, 4, {1 + gap, 1}, {2, 2}));
    EXPECT_TRUE(near_nodes(mesh).empty()) << gap;  // blocks that meet at a corner
  }
}

TEST(NearNodes, AreToldWithNumberPlacesAndRemedy) {
  Mesh mesh = beside(make_rectangle(2, 4), make_rectangle(2, 4, {1 + 1e-6, 0}, {2, 1}));
  prepare(mesh);
  const std::string text = describe_near_nodes(mesh, find_near_nodes(mesh));
  EXPECT_TRUE(text.starts_with("5 pairs of boundary nodes nearly coincide, at (1, ")) << text;
  EXPECT_NE(text.find("they are 1e-06 apart or less, 4e-06 of the edges there"), std::string::npos) << text;
  EXPECT_NE(text.find("Geometry.Tolerance = 1e-06 and Coherence Mesh"), std::string::npos) << text;
  EXPECT_EQ(describe_near_nodes(mesh, {}), "");
}

}  // namespace
}  // namespace galerna::mesh
