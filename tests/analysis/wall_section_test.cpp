#include "analysis/wall_section.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "dg/curved_solids.hpp"
#include "mesh/box.hpp"
#include "mesh/geometry.hpp"
#include "solutions.hpp"

namespace galerna::analysis {
namespace {

using std::numbers::pi;

/// A hole of the shape of a tube of radius 1 around the z axis in a block of hexahedra: n round, `order` their geometry
/// order; the hole is the boundary "bottom" of a box that is bent round it. A fluid is outside.
mesh::Mesh round_a_tube(mesh::Index n, int order, Shape shape = Shape::hexahedron) {
  mesh::Mesh mesh =
      tests::raise_solids(mesh::make_box({n, 2, 1}, {1, 1, 1}, 0, shape), order, [](const mesh::Point& x) {
        const double radius = 1 + x[2], angle = -1.5 * pi * x[0];
        return mesh::Point{radius * std::cos(angle), radius * std::sin(angle), x[1]};
      });
  mesh::prepare(mesh);
  return mesh;
}

SectionSetup across_z(double z) {
  SectionSetup setup;
  setup.plane = {{0, 0, z}, {0, 0, 1}};
  setup.points = 5;
  return setup;
}

void expect_on_the_tube(const std::vector<SectionPoint>& section, double z, double tolerance) {
  for (const SectionPoint& point : section) {
    const auto& x = point.at.place;
    const double radius = std::hypot(x[0], x[1]);
    EXPECT_NEAR(x[2], z, 1e-12) << "in the plane, to round-off";
    EXPECT_NEAR(radius, 1, tolerance);
    EXPECT_NEAR(point.at.normal[0], -x[0], 10 * tolerance) << "out of the fluid, into the tube";
    EXPECT_NEAR(point.at.tangent[0], x[1], 10 * tolerance) << "clockwise";
    EXPECT_NEAR(point.at.tangent[1], -x[0], 10 * tolerance);
  }
}

/// Three quarters of a circle, once clockwise round.
TEST(WallSection, RunsAlongTheCurvedSurfaceInOrder) {
  for (const Shape shape : {Shape::hexahedron, Shape::tetrahedron})
    for (const double z : {0.3, 0.5}) {  // through the middle of faces, and along their edges
      const mesh::Mesh mesh = round_a_tube(12, 4, shape);
      const auto section = cut_boundary(mesh, "bottom", across_z(z));
      ASSERT_GE(section.size(), 12U * 5) << name(shape);
      expect_on_the_tube(section, z, 1e-5);
      for (std::size_t i = 1; i < section.size(); ++i) {
        EXPECT_EQ(section[i].part, 0);
        EXPECT_GE(section[i].s, section[i - 1].s);
        EXPECT_NEAR(mesh::distance(section[i].at.place, section[i - 1].at.place), section[i].s - section[i - 1].s,
                    0.01);
        if (section[i].side.element != section[i - 1].side.element)
          EXPECT_LT(mesh::distance(section[i].at.place, section[i - 1].at.place), 1e-12) << "faces share their ends";
      }
      EXPECT_EQ(section.front().s, 0);
      EXPECT_NEAR(section.back().s, 1.5 * pi, 1e-5) << "the length of the curve";
      EXPECT_NEAR(section.front().at.place[0], 1, 1e-6);
      EXPECT_NEAR(section.back().at.place[1], 1, 1e-6);
      for (const SectionPoint& point : section)
        EXPECT_NEAR(point.chord_share, (point.at.place[0] + 1) / 2, 1e-4) << "from the foremost point to the hindmost";
    }
}

TEST(WallSection, TheChordMayBeGiven) {
  const mesh::Mesh mesh = round_a_tube(8, 3);
  SectionSetup setup = across_z(0.3);
  setup.chord = Chord{{0, -1, 0}, {0, 3, 0}};
  for (const SectionPoint& point : cut_boundary(mesh, "bottom", setup))
    EXPECT_NEAR(point.chord_share, (point.at.place[1] + 1) / 4, 1e-14);
}

/// At the end of a wall there are faces on one side of the plane alone, on whichever that is.
TEST(WallSection, AtTheEndOfTheWall) {
  const mesh::Mesh mesh = round_a_tube(8, 3);
  for (const double z : {0.0, 1.0}) expect_on_the_tube(cut_boundary(mesh, "bottom", across_z(z)), z, 1e-3);
  EXPECT_TRUE(cut_boundary(mesh, "bottom", across_z(1.1)).empty());
  EXPECT_TRUE(cut_boundary(mesh, "bottom", across_z(-0.1)).empty());
}

/// Two walls of a box in one boundary, seen from above: pieces by where they begin, each with the fluid on its left.
TEST(WallSection, HasPieces) {
  mesh::Mesh mesh = mesh::make_box({3, 2, 2}, {1.5, 1, 1});
  mesh::prepare(mesh);
  for (mesh::Boundary& boundary : mesh.boundaries)
    if (boundary.name == "front") {
      mesh::Boundary& back =
          *std::find_if(mesh.boundaries.begin(), mesh.boundaries.end(), [](const auto& b) { return b.name == "back"; });
      boundary.sides.insert(boundary.sides.end(), back.sides.begin(), back.sides.end());
      back.sides.clear();
    }
  const auto section = cut_boundary(mesh, "front", across_z(0.45));
  ASSERT_FALSE(section.empty());
  EXPECT_EQ(section.back().part, 1);
  for (const SectionPoint& point : section) {
    // The one that begins at x = 0 goes to the right and is below the fluid.
    EXPECT_NEAR(point.at.place[1], point.part == 0 ? 0 : 1, 1e-14);
    EXPECT_NEAR(point.at.tangent[0], point.part == 0 ? 1 : -1, 1e-14);
    EXPECT_NEAR(point.s, point.part == 0 ? point.at.place[0] : 1.5 - point.at.place[0], 1e-12);
    EXPECT_NEAR(point.chord_share, point.at.place[0] / 1.5, 1e-12);
  }
}

/// A cube of edge length 1 in one of edge length 2, with 6 n² hexahedra in between; not prepared. The inner one is the
/// boundary "hole".
mesh::Mesh shell(mesh::Index n) {
  const mesh::Mesh cube = mesh::make_box({n, n, n}, {1, 1, 1}, 0, Shape::hexahedron);
  mesh::Mesh mesh = cube;
  for (mesh::Point& x : mesh.nodes) x = minus(x, {0.5, 0.5, 0.5});
  const auto count = static_cast<mesh::Index>(mesh.nodes.size());
  for (mesh::Index i = 0; i < count; ++i) mesh.nodes.push_back(times(2, mesh.nodes[static_cast<std::size_t>(i)]));
  mesh.blocks = {{Shape::hexahedron, 1, {}, {}, {}}};
  mesh.boundaries = {{"hole", {}}};
  int inner = 0;  // the side of a hexahedron that has its first four corners
  for (int side = 0; side < 6; ++side) {
    const auto corners = side_corners(Shape::hexahedron, side);
    if (std::all_of(corners.begin(), corners.end(), [](int corner) { return corner < 4; })) inner = side;
  }
  mesh::ElementBlock& block = mesh.blocks[0];
  for (const mesh::Boundary& boundary : cube.boundaries)
    for (const mesh::Side& side : boundary.sides) {
      mesh.boundaries[0].sides.push_back({static_cast<mesh::Index>(block.source.size()), inner});
      block.source.push_back(static_cast<mesh::Index>(block.source.size()));
      block.region.push_back(-1);
      const auto corners = cube.corners(side.element);
      for (const mesh::Index shift : {mesh::Index{0}, count})
        for (const int corner : side_corners(Shape::hexahedron, side.side))
          block.nodes.push_back(corners[static_cast<std::size_t>(corner)] + shift);
    }
  return mesh;
}

/// A closed section ends where it began, at the trailing edge.
TEST(WallSection, ClosedPiecesAreClosed) {
  mesh::Mesh mesh = shell(1);
  mesh.image = mesh::own_images(mesh.nodes.size());
  mesh::prepare(mesh);
  const auto section = cut_boundary(mesh, "hole", across_z(0.1));
  ASSERT_EQ(section.size(), 4U * 5);
  const mesh::Point start = {0.5, -0.5, 0.1};
  EXPECT_LT(mesh::distance(section.front().at.place, start), 1e-12) << "of largest x, then smallest y";
  EXPECT_LT(mesh::distance(section.back().at.place, start), 1e-12);
  EXPECT_NEAR(section.back().s, 4, 1e-12);
  EXPECT_NEAR(section[2].at.place[0], 0, 1e-12) << "the lower side first: clockwise";
  EXPECT_NEAR(section[2].at.place[1], -0.5, 1e-12);
}

/// Incompressible flow round a sphere of diameter 1: c_p = 1 − 9/4 sin²θ, in planes along the stream.
TEST(WallSection, HasThePressureOfPotentialFlowOnASphere) {
  mesh::Mesh mesh = tests::raise_solids(shell(4), 4, [](const mesh::Point& x) {
    const double largest = std::max({std::abs(x[0]), std::abs(x[1]), std::abs(x[2])});
    return times(largest / std::sqrt(dot(x, x)), x);
  });
  mesh::prepare(mesh);
  Solution solution = tests::project(mesh, 3, [](double x, double, double) { return 1 - 2.25 * (1 - 4 * x * x); });
  solution.fields.names = {"pressure"};
  for (const mesh::Point& normal : {mesh::Point{0, 0, 1}, mesh::Point{0, 1, 0}, mesh::Point{0, 1, 0.7}}) {
    SectionSetup setup;
    setup.plane.normal = unit(normal);
    setup.points = 6;
    auto section = cut_boundary(mesh, "hole", setup);
    ASSERT_FALSE(section.empty());
    set_values(section, solution, nullptr);
    EXPECT_EQ(section.back().part, 0);
    EXPECT_LT(mesh::distance(section.front().at.place, section.back().at.place), 1e-12);
    EXPECT_NEAR(section.back().s, pi, 2e-5) << "once round";
    // Clockwise for who looks against the normal: first below, where normal × stream points upward.
    const mesh::Point upward = cross(setup.plane.normal, {1, 0, 0});
    for (const SectionPoint& point : section) {
      const auto& x = point.at.place;
      EXPECT_NEAR(std::sqrt(dot(x, x)), 0.5, 3e-5) << "of the surface of order 4 itself";
      EXPECT_NEAR(setup.plane.distance(x), 0, 1e-12);
      EXPECT_NEAR(point.chord_share, x[0] + 0.5, 2e-5);
      const double angle = std::atan2(-dot(x, upward), x[0]);  // from the trailing edge, clockwise
      const double turned = angle < 0 ? angle + 2 * pi : angle;
      if (point.s > 1e-3 && point.s < pi - 1e-3) {
        EXPECT_NEAR(point.s, turned / 2, 2e-5);
      }
      EXPECT_NEAR(point.pressure, 1 - 2.25 * std::pow(std::sin(angle), 2), 2e-3);
    }
  }
}

/// A quadratic pressure on the wall is exact on straight elements, wherever they are cut.
TEST(WallSection, HasTheValuesOfThePolynomials) {
  mesh::Mesh mesh = mesh::make_box({2, 2, 2}, {1, 1, 1}, 0.1);
  mesh::prepare(mesh);
  const auto known = [](double x, double y, double z) { return 1 + x * x - 2 * y * z + 0.5 * z; };
  Solution solution = tests::project(mesh, 2, known);
  solution.fields.names = {"pressure"};
  SectionSetup setup;
  setup.plane = {{0.3, 0, 0.5}, unit(mesh::Point{1, 0.3, 0.2})};
  setup.stream = {0, 1, 0};
  auto section = cut_boundary(mesh, "top", setup);
  ASSERT_FALSE(section.empty());
  set_values(section, solution, nullptr);
  for (const SectionPoint& point : section) {
    const auto& x = point.at.place;
    EXPECT_NEAR(setup.plane.distance(x), 0, 1e-13);
    EXPECT_NEAR(x[2], 1, 1e-13);
    EXPECT_NEAR(point.pressure, known(x[0], x[1], x[2]), 1e-12);
  }
}

}  // namespace
}  // namespace galerna::analysis
