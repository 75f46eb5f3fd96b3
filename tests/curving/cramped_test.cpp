#include "curving/cramped.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "base/error.hpp"
#include "base/index.hpp"
#include "curving/curve_walls.hpp"
#include "mesh/box.hpp"
#include "mesh/geometry.hpp"
#include "mesh/images.hpp"
#include "mesh/plane_curve.hpp"
#include "mesh/prepare.hpp"
#include "mesh/round_surface.hpp"
#include "mesh/side_key.hpp"
#include "mesh/validity.hpp"

namespace galerna::curving {
namespace {

using namespace mesh;

Mesh mesh_of(int dimension, std::vector<Point> nodes, Shape shape, const std::vector<std::vector<Index>>& elements) {
  Mesh mesh;
  mesh.file = "made";
  mesh.dimension = dimension;
  mesh.nodes = std::move(nodes);
  mesh.image = own_images(mesh.nodes.size());
  mesh.region_names = {"gas"};
  ElementBlock block{shape, 1, {}, {}, {}};
  for (const auto& corners : elements) {
    block.nodes.insert(block.nodes.end(), corners.begin(), corners.end());
    block.region.push_back(0);
    block.source.push_back(static_cast<Index>(block.source.size()));
    mesh.numbers.push_back(100 + static_cast<Index>(block.source.size()));
  }
  mesh.blocks.push_back(block);
  return mesh;
}

/// Sides all corners of which lie at a distance of 1 from the origin, and that have one element.
void name_round_wall(Mesh& mesh) {
  std::map<SideKey, int> counts;
  for_each_side(mesh, [&](const Side&, std::span<const Index> corners) { ++counts[side_key(corners)]; });
  mesh.boundaries = {{"wall", {}}};
  for_each_side(mesh, [&](const Side& side, std::span<const Index> corners) {
    if (counts[side_key(corners)] == 1) mesh.boundaries[0].sides.push_back(side);
  });
}

/// An octagon, two of whose sides are those of one triangle.
Mesh octagon() {
  std::vector<Point> nodes;
  for (int i = 0; i < 8; ++i) nodes.push_back({std::cos(M_PI / 4 * i), std::sin(M_PI / 4 * i), 0});
  nodes.push_back({0, 0, 0});
  std::vector<std::vector<Index>> triangles = {{0, 1, 2}, {0, 2, 8}};
  for (Index i = 2; i < 8; ++i) triangles.push_back({i, (i + 1) % 8, 8});
  Mesh mesh = mesh_of(2, nodes, Shape::triangle, triangles);
  name_round_wall(mesh);
  return mesh;
}

/// An octahedron round a point off its middle, two of whose faces are those of one tetrahedron.
Mesh octahedron() {
  Mesh mesh = mesh_of(3, {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}, {-0.3, -0.3, 0}},
                      Shape::tetrahedron,
                      {{0, 2, 4, 5},
                       {6, 0, 4, 5},
                       {6, 2, 4, 5},
                       {6, 1, 2, 4},
                       {6, 1, 2, 5},
                       {6, 0, 3, 4},
                       {6, 0, 3, 5},
                       {6, 1, 3, 4},
                       {6, 1, 3, 5}});
  name_round_wall(mesh);
  return mesh;
}

double measure_of(const Mesh& mesh) {
  double sum = 0;
  for (Index e = 0; e < mesh.element_count(); ++e) sum += std::abs(measure(mesh, e));
  return sum;
}

Surfaces round(int dimension) {
  if (dimension == 2) return {{"wall", make_circle({}, 1)}};
  return {{"wall", std::make_shared<RoundSurface>(RoundSurface::sphere({}, 1))}};
}

TEST(Cramped, ElementsWithTwoSidesOnASmoothWallAreFoundAndSplit) {
  for (Mesh mesh : {octagon(), octahedron()}) {
    const Surfaces surfaces = round(mesh.dimension);
    const auto cramped = find_cramped(mesh, SideTable(mesh, surfaces));
    ASSERT_EQ(cramped.size(), 1U);
    EXPECT_EQ(cramped[0].element, 0);
    const std::array<Index, 2> edge = mesh.dimension == 2 ? std::array<Index, 2>{0, 2} : std::array<Index, 2>{4, 5};
    EXPECT_EQ(cramped[0].edge, edge);

    const Index before = mesh.element_count();
    const double whole = measure_of(mesh);
    const auto sides = mesh.boundaries[0].sides.size();
    EXPECT_EQ(split_cramped(mesh, cramped), 1);
    EXPECT_EQ(mesh.element_count(), before + (mesh.dimension == 2 ? 2 : 3));
    EXPECT_NEAR(measure_of(mesh), whole, 1e-14);
    EXPECT_EQ(mesh.boundaries[0].sides.size(), sides) << "no side of the wall was split";
    EXPECT_TRUE(find_cramped(mesh, SideTable(mesh, surfaces)).empty());
    EXPECT_EQ(mesh.number(before), 101) << "of the element that it is a part of";
    ASSERT_NO_THROW(prepare(mesh));
    ASSERT_EQ(mesh.boundaries.size(), 1U) << "all sides of the wall have their name still";
    EXPECT_EQ(mesh.boundaries[0].sides.size(), sides);
  }
}

TEST(Cramped, ElementsAreSplitBeforeTheyAreCurved) {
  for (const Mesh& mesh : {octagon(), octahedron()})
    for (int order = 2; order <= (mesh.dimension == 2 ? 3 : 2); ++order) {
      const Curved curved = curve_walls(mesh, round(mesh.dimension), {.order = order});
      EXPECT_EQ(curved.report.split, 1);
      EXPECT_EQ(curved.report.cramped, 0);
      EXPECT_TRUE(curved.report.held.empty()) << describe(curved);
      for (const Validity& v : certify(curved.mesh)) EXPECT_EQ(v.verdict, Validity::Verdict::valid);
      EXPECT_NE(describe(curved).find("split: 1 edges"), std::string::npos);
    }
}

TEST(Cramped, ElementsAreRefusedWhereTheyMayNotBeSplit) {
  try {
    curve_walls(octahedron(), round(3), {.split = false});
    ADD_FAILURE() << "no error";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("tetrahedron 101 at "), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("has two sides or all corners on one smooth wall"), std::string::npos);
  }
}

/// In the corner of a square both sides are walls, but of two planes.
TEST(Cramped, CornersAreNoSmoothWalls) {
  Mesh mesh = mesh_of(2, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}, Shape::triangle, {{0, 1, 2}, {1, 3, 2}});
  name_round_wall(mesh);
  mesh.boundaries = {{"wall", {{0, 2}}}, {"left", {{0, 1}}}};
  const Surfaces both = {{"wall", make_spline({{0, 0, 0}, {0.5, 0, 0}, {1, 0, 0}}, false)},
                         {"left", make_spline({{0, 0, 0}, {0, 0.5, 0}, {0, 1, 0}}, false)}};
  EXPECT_TRUE(find_cramped(mesh, SideTable(mesh, both)).empty());
}

}  // namespace
}  // namespace galerna::curving
