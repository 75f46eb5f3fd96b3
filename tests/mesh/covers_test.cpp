/// Parts of a mesh that lie over one another without a common side, and elements on one side of their common side.
#include "mesh/covers.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "mesh/box.hpp"
#include "mesh/generate.hpp"
#include "mesh/prepare.hpp"
#include "parts.hpp"

namespace galerna::mesh {
namespace {

std::string refusal(Mesh mesh) {
  try {
    prepare(mesh);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

constexpr const char* covered = "This part of the domain is meshed more than once";

::testing::AssertionResult is_covered(const Mesh& mesh) {
  const std::string text = refusal(mesh);
  if (text.find(covered) != std::string::npos) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "says '" << text << "'";
}

TEST(Covers, AreFoundForAllShapesOfThePlane) {
  for (const CellStyle a : {CellStyle::triangles, CellStyle::quadrilaterals})
    for (const CellStyle b : {CellStyle::triangles, CellStyle::quadrilaterals})
      for (const Index n : {1, 2, 3, 8}) {
        const Mesh square = make_rectangle(4, 4, {0, 0}, {1, 1}, a);
        EXPECT_TRUE(is_covered(beside(square, make_rectangle(n, n, {0.3, 0.2}, {0.7, 0.9}, b))));     // inside
        EXPECT_TRUE(is_covered(beside(square, make_rectangle(n, n, {0.5, 0.5}, {1.5, 1.25}, b))));    // along its sides
        EXPECT_TRUE(is_covered(beside(square, make_rectangle(n, n, {-1, -1}, {2.1, 3}, b))));         // around it
        EXPECT_TRUE(is_covered(beside(square, make_rectangle(n, 1, {-1, 0.125}, {2.1, 0.875}, b))));  // across it
      }
}

TEST(Covers, AreFoundForAllSolids) {
  constexpr std::array solids = {Shape::tetrahedron, Shape::pyramid, Shape::prism, Shape::hexahedron};
  for (const Shape a : solids)
    for (const Shape b : solids) {
      const Mesh box = make_box({2, 2, 2}, {1, 1, 1}, 0, a);
      for (const Point& by : {Point{0.5, 0.5, 0.5}, Point{0.3, 0.2, 0.1}, Point{-0.9, 0.05, 0.1}})
        EXPECT_TRUE(is_covered(beside(box, moved(make_box({2, 2, 2}, {1, 1, 1}, 0, b), by)))) << name(a) << name(b);
      EXPECT_TRUE(is_covered(beside(box, moved(make_box({1, 1, 1}, {0.2, 0.3, 0.1}, 0, b), {0.35, 0.35, 0.2}))));
    }
}

TEST(Covers, AreFoundOfCurvedElements) {
  for (const int order : {2, 3}) {
    const Mesh part = raised(make_rectangle(3, 4), order, ring);
    const Mesh other = raised(make_rectangle(3, 4, {0.4, 0.1}, {0.8, 0.8}, CellStyle::quadrilaterals), order, ring);
    EXPECT_TRUE(is_covered(beside(part, other))) << order;
    for (const Shape shape : {Shape::tetrahedron, Shape::pyramid, Shape::prism, Shape::hexahedron}) {
      if (order > 2 && shape != Shape::pyramid) continue;
      const Mesh solid = raised(make_box({2, 2, 2}, {1, 1, 1}, 0, shape), order, ring);
      EXPECT_TRUE(is_covered(beside(solid, moved(solid, {0.3, 0.2, 0.1})))) << order << name(shape);
      EXPECT_EQ(refusal(solid), "") << order << name(shape);
      const Mesh next = raised(moved(make_box({2, 3, 2}, {1, 1, 1}, 0, shape), {1.05, 0, 0}), order, ring);
      EXPECT_EQ(refusal(beside(solid, next)), "") << order << name(shape);
    }
  }
}

TEST(Covers, AreNamedWithPlaceAndRemedy) {
  Mesh mesh = beside(make_rectangle(1, 1, {0, 0}, {1, 1}, CellStyle::quadrilaterals),
                     make_rectangle(1, 1, {0.25, 0.25}, {0.75, 0.75}, CellStyle::quadrilaterals));
  mesh.numbers = {17, 18};
  const std::string text = refusal(mesh);
  EXPECT_NE(text.find("1 boundary element lies over others, at (0.2"), std::string::npos) << text;
  EXPECT_NE(text.find("(quadrilateral 18 and quadrilateral 17)"), std::string::npos) << text;
  EXPECT_NE(text.find("BooleanDifference"), std::string::npos) << text;
}

/// A ring of circles around the origin, closed but for a slit of no element; n cells around it.
Mesh whole_ring(Index n, int order, CellStyle style) {
  return raised(make_rectangle(2, n, {0, 0}, {1, 1}, style), order, [](const Point& x) {
    const double radius = 1 + 0.02 * x[0], angle = 6.2 * x[1];
    return Point{radius * std::cos(angle), radius * std::sin(angle), 0};
  });
}

TEST(Covers, AreNotInAnyMeshThatCoversEachPointOnce) {
  // Thin layers around a hole: boundary corners lie in the boxes around elements, not in them.
  for (const CellStyle style : {CellStyle::triangles, CellStyle::quadrilaterals})
    for (const int order : {2, 3, 4, 6}) EXPECT_EQ(refusal(whole_ring(12, order, style)), "") << order;
  EXPECT_EQ(refusal(whole_ring(60, 1, CellStyle::triangles)), "");
  // A ring in the hole of another one, with a gap.
  EXPECT_EQ(refusal(beside(whole_ring(24, 3, CellStyle::triangles),
                           raised(make_rectangle(2, 12, {0, 0}, {1, 1}), 3,
                                  [](const Point& x) {
                                    const double radius = 0.1 + 0.89 * x[0], angle = 6 * x[1];
                                    return Point{radius * std::cos(angle), radius * std::sin(angle), 0};
                                  }))),
            "");
  // Thin elements far from the origin.
  for (const double thin : {1e-3, 1e-6}) {
    const auto far = [&](const Point& x) {
      return Point{0.8 * x[0] - 0.6 * thin * x[1] + 100, 0.6 * x[0] + 0.8 * thin * x[1] - 70, x[2]};
    };
    for (const CellStyle style : {CellStyle::triangles, CellStyle::quadrilaterals})
      EXPECT_EQ(refusal(raised(make_rectangle(5, 4, {0, 0}, {1, 1}, style), 1, far)), "") << thin;
    for (const Shape shape : {Shape::tetrahedron, Shape::pyramid, Shape::prism, Shape::hexahedron})
      EXPECT_EQ(refusal(raised(make_box({3, 4, 2}, {1, 1, 1}, 0.1, shape), 1, far)), "") << thin << name(shape);
  }
  // Bodies that touch, and plates whose sides are meshed differently along a curve.
  EXPECT_EQ(refusal(beside(make_rectangle(3, 3), make_rectangle(2, 2, {1, 1}, {2, 2}))), "");
  EXPECT_EQ(refusal(beside(make_rectangle(3, 3), make_rectangle(2, 5, {1, 0}, {2, 1}))), "");
  for (const int order : {1, 2, 3})
    EXPECT_EQ(refusal(beside(raised(make_rectangle(2, 4), order, ring),
                             raised(make_rectangle(2, 5, {1, 0}, {2, 1}), order, ring))),
              "")
        << order;
}

/// Two triangles or tetrahedra with a common side, the last vertex of each at a height over it.
Mesh pair(int dimension, double first, double second) {
  Mesh mesh;
  mesh.dimension = dimension;
  mesh.nodes = dimension == 2
                   ? std::vector<Point>{{0, 0, 0}, {1, 0, 0}, {0.3, first, 0}, {0.6, second, 0}}
                   : std::vector<Point>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.3, 0.3, first}, {0.2, 0.4, second}};
  mesh.image = {0, 1, 2, 3, 4};
  mesh.image.resize(mesh.nodes.size());
  mesh.blocks = {dimension == 2 ? ElementBlock{Shape::triangle, 1, {0, 1, 2, 0, 1, 3}, {-1, -1}, {0, 1}}
                                : ElementBlock{Shape::tetrahedron, 1, {0, 1, 2, 3, 0, 1, 2, 4}, {-1, -1}, {0, 1}}};
  return mesh;
}

TEST(Folds, AreElementsOnOneSideOfTheSideBetweenThem) {
  for (const int dimension : {2, 3})
    for (const int sign : {-1, 1}) {
      const std::string text = refusal(pair(dimension, sign, 0.9 * sign));
      EXPECT_NE(text.find("are on the same side of the"), std::string::npos) << text;
      EXPECT_EQ(refusal(pair(dimension, sign, -0.9 * sign)), "");
    }
}

TEST(Folds, AreFoundInMeshesOfAllSolids) {
  // A layer of cells folded back over the one below it.
  for (const int order : {1, 2})
    for (const Shape shape : {Shape::tetrahedron, Shape::pyramid, Shape::prism, Shape::hexahedron}) {
      Mesh mesh = raised(make_box({2, 2, 2}, {1, 1, 1}, 0, shape), order, [](const Point& x) {
        return Point{x[0], x[1], x[2] > 0.5 ? 0.5 - 0.7 * (x[2] - 0.5) : x[2]};
      });
      EXPECT_NE(refusal(mesh).find("are on the same side of the face between them"), std::string::npos)
          << order << name(shape);
    }
}

}  // namespace
}  // namespace galerna::mesh
