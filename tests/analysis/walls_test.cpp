#include "analysis/walls.hpp"

#include <cmath>
#include <fstream>
#include <functional>
#include <numbers>
#include <sstream>

#include "solutions.hpp"

namespace galerna::analysis {
namespace {

using std::numbers::pi;

/// What flows through a wall at a point whose place and normal are known.
using Flow = std::function<void(WallPoint&)>;

Flow nothing() {
  return [](WallPoint&) {};
}

/// The shear of a velocity whose derivatives are ∂u/∂y and ∂v/∂x, at viscosity mu, under a pressure.
Flow shear(const std::function<double(double, double)>& rate, double pressure = 1) {
  return [=](WallPoint& point) {
    const double tau = rate(point.place[0], point.place[1]);
    point.friction = {-tau * point.normal[1], -tau * point.normal[0]};
    point.pressure = {pressure * point.normal[0], pressure * point.normal[1]};
  };
}

/// A boundary of a mesh with the points of Gauss and Legendre on its sides.
Wall wall_on(const mesh::Mesh& mesh, const std::string& name, int count, const Flow& flow) {
  basis::Quadrature rule = basis::gauss_legendre(count);
  for (double& weight : rule.weights) weight /= 2;
  Wall wall{name, true, {{Shape::line, rule}}, {}};
  for (const mesh::Boundary& boundary : mesh.boundaries) {
    if (boundary.name != name) continue;
    for (const mesh::Side& side : boundary.sides) {
      const mesh::Mesh::Location at = mesh.locate(side.element);
      const mesh::ElementBlock& block = mesh.blocks[static_cast<std::size_t>(at.block)];
      const auto points = basis::side_points(block.shape, side.side, rule.points);
      const auto ends = basis::side_points(block.shape, side.side, {{-1, 0, 0}, {1, 0, 0}});
      const basis::Matrix values = basis::lagrange_values(block.shape, block.order, points);
      const basis::Matrix slopes[] = {basis::lagrange_derivatives(block.shape, block.order, points, 0),
                                      basis::lagrange_derivatives(block.shape, block.order, points, 1)};
      const mesh::Index* nodes = block.nodes.data() + at.position * block.nodes_per_element();
      std::array<double, 2> inner = {0, 0};
      for (int n = 0; n < corner_count(block.shape); ++n)
        for (std::size_t d = 0; d < 2; ++d)
          inner[d] += mesh.nodes[static_cast<std::size_t>(nodes[n])][d] / corner_count(block.shape);
      wall.sides.push_back({side, {}});
      for (int q = 0; q < count; ++q) {
        WallPoint point;
        std::array<double, 2> along = {0, 0};
        for (int n = 0; n < block.nodes_per_element(); ++n)
          for (std::size_t d = 0; d < 2; ++d) {
            const double x = mesh.nodes[static_cast<std::size_t>(nodes[n])][d];
            point.place[d] += values(q, n) * x;
            for (std::size_t r = 0; r < 2; ++r) along[d] += slopes[r](q, n) * (ends[1][r] - ends[0][r]) * x;
          }
        const double speed = std::hypot(along[0], along[1]);
        const double away = along[1] * (point.place[0] - inner[0]) - along[0] * (point.place[1] - inner[1]);
        const double sign = away > 0 ? 1 : -1;
        point.normal = {sign * along[1] / speed, -sign * along[0] / speed};
        point.length = speed * rule.weights[static_cast<std::size_t>(q)];
        flow(point);
        wall.sides.back().points.push_back(point);
      }
    }
  }
  return wall;
}

/// Triangles between a polygon of n corners on the unit circle (boundary "body") and the circle of radius 2.
mesh::Mesh ring(int n, int layers) {
  mesh::Mesh mesh;
  mesh.file = "ring.msh";
  mesh.dimension = 2;
  for (int j = 0; j <= layers; ++j)
    for (int i = 0; i < n; ++i) {
      const double r = 1 + 1.0 * j / layers, a = 2 * pi * i / n;
      mesh.nodes.push_back({r * std::cos(a), r * std::sin(a), 0});
    }
  mesh::ElementBlock block{Shape::triangle, 1, {}, {}, {}};
  mesh::Boundary body{"body", {}};
  for (int j = 0; j < layers; ++j)
    for (int i = 0; i < n; ++i) {
      const mesh::Index a = j * n + i, b = j * n + (i + 1) % n, c = a + n, d = b + n;
      if (j == 0) body.sides.push_back({block.size(), 1});  // opposite corner 1 of (a, d, b)
      block.nodes.insert(block.nodes.end(), {a, d, b, a, c, d});
    }
  for (mesh::Index i = 0; i < block.size(); ++i) {
    block.region.push_back(-1);
    block.source.push_back(i);
  }
  mesh.blocks.push_back(block);
  mesh.boundaries.push_back(body);
  return mesh;
}

TEST(Walls, ForcesAreIntegralsAndHaveMoments) {
  for (const mesh::Mesh& mesh : {tests::triangles(4, 3), tests::quadrilaterals(4, 3)}) {
    const Flow couette = shear([](double, double) { return 0.1; });
    const WallForce bottom = wall_force(wall_on(mesh, "bottom", 2, couette)),
                    top = wall_force(wall_on(mesh, "top", 2, couette), {0, 0.5});
    EXPECT_NEAR(bottom.viscous[0], 0.2, 1e-13);
    EXPECT_NEAR(bottom.viscous[1], 0, 1e-13);
    EXPECT_NEAR(bottom.pressure[1], -2, 1e-13);
    EXPECT_NEAR(top.viscous[0], -0.2, 1e-13);
    EXPECT_NEAR(top.viscous_moment[2], 0.1, 1e-13) << "arm 0.5";
    EXPECT_NEAR(top.pressure_moment[2], 2, 1e-13) << "2 upward at x = 1";
    EXPECT_NEAR(top.total()[1], 2, 1e-13);
  }
}

TEST(Walls, SamplesRunWithTheFluidOnTheLeft) {
  const mesh::Mesh mesh = tests::triangles(4, 3);
  const Flow poiseuille = shear([](double, double y) { return 1 - 2 * y; });
  for (const auto& [name, start] : std::vector<std::pair<std::string, double>>{{"bottom", 0}, {"top", 2}}) {
    for (const int count : {1, 2, 6}) {
      Wall wall = wall_on(mesh, name, count, poiseuille);
      for (WallSide& side : wall.sides)
        for (WallPoint& point : side.points) point.velocity = {0.3, 0};
      const auto samples = sample_wall(mesh, wall);
      ASSERT_EQ(samples.size(), 4u * static_cast<std::size_t>(count));
      for (std::size_t i = 0; i < samples.size(); ++i) {
        // On the top wall s runs against the flow.
        EXPECT_NEAR(samples[i].shear(), name == "bottom" ? 1 : -1, 1e-12);
        EXPECT_NEAR(samples[i].velocity(), name == "bottom" ? 0.3 : -0.3, 1e-12);
        EXPECT_NEAR(samples[i].pressure(), 1, 1e-12);
        EXPECT_NEAR(std::abs(samples[i].at.place[0] - start), samples[i].s, 1e-12);
        EXPECT_EQ(samples[i].part, 0);
        EXPECT_TRUE(i == 0 || samples[i].s > samples[i - 1].s);
      }
    }
  }
  EXPECT_TRUE(separation_points(sample_wall(mesh, wall_on(mesh, "bottom", 3, poiseuille))).empty());
}

TEST(Walls, RunClockwiseRoundABodyFromItsTrailingEdge) {
  const mesh::Mesh mesh = ring(24, 2);
  const auto samples = sample_wall(mesh, wall_on(mesh, "body", 3, nothing()));
  ASSERT_EQ(samples.size(), 3u * 24);
  EXPECT_GT(samples.front().at.place[0], 0.9);
  EXPECT_LT(samples.front().at.place[1], 0);
  EXPECT_LT(samples[3 * 6].at.place[1], -0.9) << "a quarter of the way round";
  EXPECT_NEAR(samples.back().s, 2 * 24 * std::sin(pi / 24), 0.1) << "the polygon's length";
}

TEST(Walls, FindSeparationAndAttachment) {
  const mesh::Mesh mesh = tests::triangles(5, 4);
  // Backward between.
  const Wall wall = wall_on(mesh, "bottom", 6, shear([](double x, double) { return (x - 0.5) * (x - 1.7); }));
  const auto points = separation_points(sample_wall(mesh, wall));
  ASSERT_EQ(points.size(), 2u);
  EXPECT_EQ(points[0].kind, FlowPoint::Kind::separation);
  EXPECT_NEAR(points[0].place[0], 0.5, 2e-3);
  EXPECT_NEAR(points[0].s, 0.5, 2e-3);
  EXPECT_EQ(points[1].kind, FlowPoint::Kind::attachment);
  EXPECT_NEAR(points[1].place[0], 1.7, 2e-3);
}

TEST(Walls, FindSignChangesAcrossTheBeginningOfAClosedWall) {
  const mesh::Mesh mesh = ring(24, 2);
  // Clockwise above the height and the other way below it, so that both changes lie there.
  for (const double height : {-0.02, 0.0, 0.02}) {
    auto samples = sample_wall(mesh, wall_on(mesh, "body", 3, nothing()));
    const double length = samples.front().round;
    EXPECT_NEAR(length, 2 * 24 * std::sin(pi / 24), 1e-3);
    for (WallSample& sample : samples) {
      const auto& n = sample.at.normal;
      const double tau = sample.at.place[1] - height;
      sample.at.friction = {-tau * n[1], tau * n[0]};
    }
    const auto points = separation_points(samples);
    ASSERT_EQ(points.size(), 2u) << height;
    EXPECT_LT(points[0].s, points[1].s);
    for (const FlowPoint& point : points) {
      EXPECT_NEAR(point.place[1], height, 5e-3);
      EXPECT_EQ(point.kind, point.place[0] > 0 ? FlowPoint::Kind::separation : FlowPoint::Kind::attachment);
      EXPECT_GE(point.s, 0);
      EXPECT_LT(point.s, length);
    }
  }
}

TEST(Walls, PiecesOfAWallComeOneAfterTheOther) {
  mesh::Mesh mesh = tests::triangles(4, 3);
  auto& walls = mesh.boundaries;
  walls[0].sides.insert(walls[0].sides.end(), walls[2].sides.begin(), walls[2].sides.end());
  const auto wall = sample_wall(mesh, wall_on(mesh, "bottom", 3, nothing()));
  ASSERT_EQ(wall.size(), 8u * 3);
  EXPECT_EQ(wall.front().part, 0);
  EXPECT_NEAR(wall.front().at.place[1], 0, 1e-12);
  EXPECT_EQ(wall.back().part, 1);
  EXPECT_NEAR(wall.back().at.place[1], 1, 1e-12);
  EXPECT_LT(wall.back().s, 2);
}

TEST(Walls, ArcLengthOfACurvedSide) {
  mesh::Mesh mesh = tests::curved_triangle();
  mesh.boundaries = {{"arc", {{0, 0}}}};
  const auto wall = sample_wall(mesh, wall_on(mesh, "arc", 8, nothing()));
  double length = 0;  // of the polyline through the samples, from the corner on
  mesh::Point last = {1, 0, 0};
  for (const WallSample& sample : wall) {
    const mesh::Point& place = sample.at.place;
    length += std::hypot(place[0] - last[0], place[1] - last[1]);
    EXPECT_NEAR(sample.s, length, 2e-2);
    last = place;
  }
}

TEST(ForceCoefficients, AreTakenAlongAndAcrossTheStream) {
  WallForce force;
  force.pressure = {3, 4, 0};
  force.viscous = {1, -1, 0};
  force.pressure_moment[2] = 5;
  force.viscous_moment[2] = 1;
  const Reference reference{2, 3, 0.5, 0, 90, {0, 0}};  // ½ρU² = 9, L = 0.5; drag along y, lift along −x
  const ForceCoefficients k = coefficients(force, reference);
  EXPECT_NEAR(k.drag_pressure, 4 / 4.5, 1e-14);
  EXPECT_NEAR(k.drag_viscous, -1 / 4.5, 1e-14);
  EXPECT_NEAR(k.drag, 3 / 4.5, 1e-14);
  EXPECT_NEAR(k.lift, -4 / 4.5, 1e-14);
  EXPECT_NEAR(k.moment, -6 / 2.25, 1e-14) << "nose up is clockwise";
  // The same section with a span of 1.
  Reference in_space = reference;
  in_space.space = {0.5, {0, 1, 0}, {-1, 0, 0}};
  EXPECT_NEAR(coefficients(force, in_space).moment, k.moment, 1e-14);
  EXPECT_NEAR(coefficients(force, in_space).lift, k.lift, 1e-14);
}

}  // namespace
}  // namespace galerna::analysis
