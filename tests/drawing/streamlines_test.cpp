#include "drawing/streamlines.hpp"

#include <cmath>

#include "solutions.hpp"

namespace galerna::drawing {
namespace {

using analysis::PointLocator;
using analysis::Solution;

double one(double, double, double) {
  return 1;
}

/// Rotation about (1, 0.5).
Solution rotation(const mesh::Mesh& mesh) {
  return tests::project(
      mesh, 2,
      {one, [](double, double y, double) { return 0.5 - y; }, [](double x, double, double) { return x - 1; }, one});
}

StreamlineOptions options(double spacing, double step) {
  StreamlineOptions result;
  result.spacing = spacing;
  result.step = step;
  return result;
}

TEST(Streamlines, OfARotationAreCircles) {
  const mesh::Mesh mesh = tests::triangles(8, 4);
  const Solution solution = rotation(mesh);
  const PointLocator locator(mesh);
  for (const double radius : {0.1, 0.25, 0.45}) {
    const Streamline line = streamline(solution, locator, {1 + radius, 0.5}, options(0.1, 0.02));
    ASSERT_GT(line.size(), 10u);
    EXPECT_EQ(line.front(), line.back()) << "closed";
    double length = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
      EXPECT_NEAR(std::hypot(line[i][0] - 1, line[i][1] - 0.5), radius, 1e-5);
      if (i > 0) length += std::hypot(line[i][0] - line[i - 1][0], line[i][1] - line[i - 1][1]);
    }
    EXPECT_NEAR(length, 2 * 3.14159265 * radius, 0.01);
  }
}

TEST(Streamlines, RunFromBoundaryToBoundaryInTheDirectionOfTheFlow) {
  const mesh::Mesh mesh = tests::triangles(4, 4);
  const Solution solution = tests::project(
      mesh, 1, {one, [](double, double, double) { return 2.0; }, [](double, double, double) { return 0.5; }, one});
  const Streamline line = streamline(solution, PointLocator(mesh), {1, 0.5}, options(0.1, 0.05));
  EXPECT_LT(line.front()[0], 0.06);
  EXPECT_GT(line.back()[0], 1.94);
  for (const auto& p : line) EXPECT_NEAR(p[1], 0.5 + 0.25 * (p[0] - 1), 1e-12);
  EXPECT_TRUE(streamline(solution, PointLocator(mesh), {3, 0.5}, options(0.1, 0.05)).empty()) << "outside";
}

TEST(Streamlines, KeepTheirDistance) {
  const mesh::Mesh mesh = tests::triangles(8, 4);
  const auto lines = streamlines(rotation(mesh), window_of(mesh), options(0.1, 0.02));
  ASSERT_GT(lines.size(), 4u);
  for (std::size_t i = 0; i < lines.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      for (const auto& p : lines[i])
        for (const auto& q : lines[k]) ASSERT_GT(std::hypot(p[0] - q[0], p[1] - q[1]), 0.049);
}

TEST(Streamlines, EndWhereNothingFlows) {
  const mesh::Mesh mesh = tests::triangles(2, 2);
  EXPECT_TRUE(streamlines(tests::project(mesh, 1,
                                         {one, [](double, double, double) { return 0.0; },
                                          [](double, double, double) { return 0.0; }, one}),
                          window_of(mesh), options(0.2, 0.05))
                  .empty());
}

}  // namespace
}  // namespace galerna::drawing
