#include "analysis/reverse_flow.hpp"

#include <cmath>

#include "mesh/box.hpp"
#include "mesh/prepare.hpp"
#include "solutions.hpp"

namespace galerna::analysis {
namespace {

double one(double, double, double) {
  return 1;
}

/// Backward between x = 0.3 and 1.1.
double bubble(double x, double, double) {
  return (x - 0.3) * (x - 1.1);
}

TEST(ReverseFlow, EndsWhereTheVelocityTurns) {
  const mesh::Mesh mesh = tests::triangles(7, 3);
  const Solution solution = tests::project(mesh, 3, {one, bubble, one, one});
  const PointLocator locator(mesh);
  EXPECT_NEAR(reverse_flow_length(solution, locator, {0.5, 0.4, 0}, {2, 0.4, 0}, 40), 0.6, 1e-9);
  EXPECT_NEAR(reverse_flow_length(solution, locator, {0, 0.4, 0}, {2, 0.4, 0}, 40), 1.1, 1e-9);
  EXPECT_NEAR(reverse_flow_length(solution, locator, {-0.5, 0.4, 0}, {2, 0.4, 0}, 40), 1.6, 1e-9) << "begins outside";
  EXPECT_EQ(reverse_flow_length(solution, locator, {1.2, 0.4, 0}, {2, 0.4, 0}, 40), 0);
  EXPECT_TRUE(std::isnan(reverse_flow_length(solution, locator, {0.5, 0.4, 0}, {1, 0.4, 0}, 40)));
  // Against x the flow runs backward outside of the bubble; across it nothing does.
  EXPECT_NEAR(reverse_flow_length(solution, locator, {2, 0.4, 0}, {0, 0.4, 0}, 40), 0.9, 1e-9);
  EXPECT_EQ(reverse_flow_length(solution, locator, {0.5, 0, 0}, {0.5, 1, 0}, 40), 0);
}

TEST(ReverseFlow, IsMeasuredInSpaceAlongAnyDirection) {
  mesh::Mesh mesh = mesh::make_box({3, 3, 3}, {1, 1, 1}, 0, Shape::hexahedron);
  mesh::prepare(mesh);
  const auto along_z = [](double, double, double z) { return (z - 0.2) * (z - 0.7); };
  const Solution solution = tests::project(mesh, 2, {one, one, one, along_z, one});
  const PointLocator locator(mesh);
  EXPECT_NEAR(reverse_flow_length(solution, locator, {0.3, 0.4, 0.5}, {0.3, 0.4, 1}, 40), 0.2, 1e-9);
  EXPECT_NEAR(reverse_flow_length(solution, locator, {0, 0, 0.5}, {0, 0, 1}, 40), 0.2, 1e-9) << "an edge of the mesh";
  EXPECT_EQ(reverse_flow_length(solution, locator, {0, 0.4, 0.5}, {1, 0.4, 0.5}, 40), 0) << "across";
}

}  // namespace
}  // namespace galerna::analysis
