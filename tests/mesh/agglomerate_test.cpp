#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

#include "mesh/agglomeration.hpp"
#include "mesh/box.hpp"
#include "mesh/dual_graph.hpp"
#include "mesh/files.hpp"
#include "mesh/generate.hpp"
#include "mesh/geometry.hpp"
#include "mesh/gmsh_reader.hpp"
#include "mesh/polytopes.hpp"
#include "mesh/prepare.hpp"

namespace galerna::mesh {
namespace {

Mesh square(Index n) {
  Mesh mesh = make_rectangle(n, n, {0, 0}, {1, 1}, CellStyle::random_triangles, 0.2);
  prepare(mesh);
  return mesh;
}

Mesh cube(Index n) {
  Mesh mesh = make_box({n, n, n}, {1, 1, 1}, 0.1);
  prepare(mesh);
  return mesh;
}

void expect_connected(const Mesh& mesh, const Agglomeration& agglomeration) {
  const std::vector<Index> pieces = connected_pieces(dual_graph(mesh), agglomeration.polytope);
  EXPECT_EQ(1 + *std::max_element(pieces.begin(), pieces.end()), agglomeration.count);
}

/// Every polytope of `fine` lies in one of `coarse`.
void expect_nested(const Agglomeration& fine, const Agglomeration& coarse) {
  const std::vector<Index> parent = parents(fine, coarse);
  for (std::size_t e = 0; e < fine.polytope.size(); ++e)
    ASSERT_EQ(parent[static_cast<std::size_t>(fine.polytope[e])], coarse.polytope[e]);
}

TEST(MakeAgglomeration, MakesCompactConnectedPolygonsOfEqualSize) {
  const Mesh mesh = square(60);
  for (const Index elements : {3, 4, 5, 12, 60}) {
    const Agglomeration made = make_agglomeration(mesh, mesh.element_count() / elements);
    EXPECT_NEAR(static_cast<double>(made.count), 7200.0 / static_cast<double>(elements),
                216.0 / static_cast<double>(elements));
    expect_connected(mesh, made);
    const PolytopeShapes shapes = polytope_shapes(mesh, made);
    EXPECT_LE(shapes.box.mean, 2) << elements;
    EXPECT_LE(shapes.most_elements, 3 * elements);
    EXPECT_GE(3 * shapes.least_elements, elements);
  }
}

TEST(MakeAgglomeration, MakesCompactConnectedPolyhedra) {
  const Mesh mesh = cube(10);
  const Agglomeration made = make_agglomeration(mesh, 500);
  EXPECT_NEAR(static_cast<double>(made.count), 500, 25);
  expect_connected(mesh, made);
  const PolytopeShapes shapes = polytope_shapes(mesh, made);
  EXPECT_LE(shapes.box.mean, 4);
  EXPECT_LE(shapes.most_elements, 36);
}

TEST(MakeAgglomeration, NumbersPolytopesAlongTheElements) {
  const Agglomeration made = make_agglomeration(square(20), 50);
  Index largest = -1;
  for (const Index polytope : made.polytope) {
    ASSERT_LE(polytope, largest + 1);
    largest = std::max(largest, polytope);
  }
  EXPECT_EQ(largest + 1, made.count);
}

TEST(MakeAgglomeration, ReachesFromOnePolytopeToOneForEachElement) {
  const Mesh mesh = square(4);
  EXPECT_EQ(make_agglomeration(mesh, 1).count, 1);
  EXPECT_EQ(make_agglomeration(mesh, 32).count, 32);
  EXPECT_EQ(make_agglomeration(mesh, 1000).count, 32);
  EXPECT_THROW(make_agglomeration(mesh, 0), std::invalid_argument);
}

TEST(MakeAgglomeration, KeepsPhysicalGroupsApart) {
  Mesh mesh = make_rectangle(30, 30);
  mesh.region_names = {"left", "right"};
  for (std::size_t e = 0; e < mesh.blocks[0].region.size(); ++e)
    mesh.blocks[0].region[e] = static_cast<int>(e / 2 % 30) < 7 ? 0 : 1;
  prepare(mesh);
  const Agglomeration made = make_agglomeration(mesh, 100);
  std::vector<std::set<int>> regions(static_cast<std::size_t>(made.count));
  for (std::size_t e = 0; e < made.polytope.size(); ++e)
    regions[static_cast<std::size_t>(made.polytope[e])].insert(mesh.blocks[0].region[e]);
  for (const std::set<int>& region : regions) EXPECT_EQ(region.size(), 1u);
  expect_connected(mesh, made);
}

TEST(MakeAgglomeration, DoesNotJoinWhatDoesNotTouch) {
  Mesh mesh = make_rectangle(40, 2);
  // Without the cells of every fourth column the mesh is ten rectangles.
  ElementBlock& block = mesh.blocks[0];
  ElementBlock kept{block.shape, 1, {}, {}, {}};
  for (Index e = 0; e < block.size(); ++e) {
    if (e / 2 % 40 % 4 == 3) continue;
    kept.nodes.insert(kept.nodes.end(), block.nodes.begin() + 3 * e, block.nodes.begin() + 3 * e + 3);
    kept.region.push_back(-1);
    kept.source.push_back(kept.size() - 1);
  }
  block = kept;
  mesh.boundaries.clear();
  prepare(mesh);
  const Agglomeration made = make_agglomeration(mesh, 3);
  EXPECT_EQ(made.count, 10);
  expect_connected(mesh, made);
  EXPECT_TRUE(coarser_levels(mesh, made, 1).empty());
}

TEST(CoarserLevels, AreNestedConnectedAndAFewTimesSmaller) {
  const Mesh plane = square(60), space = cube(10);
  for (const Mesh* mesh : {&plane, &space}) {
    const double children = mesh->dimension == 2 ? 4 : 8;
    const Agglomeration finest = make_agglomeration(*mesh, mesh->element_count() / 3);
    const std::vector<Agglomeration> levels = coarser_levels(*mesh, finest, 20);
    ASSERT_GE(levels.size(), 2u);
    const Agglomeration* fine = &finest;
    for (const Agglomeration& level : levels) {
      expect_connected(*mesh, level);
      expect_nested(*fine, level);
      const double ratio = static_cast<double>(fine->count) / static_cast<double>(level.count);
      EXPECT_NEAR(ratio, children, 0.2 * children);
      EXPECT_LE(polytope_shapes(*mesh, level).box.mean, mesh->dimension == 2 ? 2.5 : 6);
      fine = &level;
    }
    EXPECT_LE(fine->count, 20);
  }
}

TEST(CoarserLevels, KeepKindsApartAsLongAsItGoesOn) {
  const Mesh mesh = square(32);
  const Agglomeration finest = element_agglomeration(mesh);
  std::vector<Index> kinds;  // left and right of the middle
  for (Index e = 0; e < mesh.element_count(); ++e) kinds.push_back(centroid(mesh, e)[0] < 0.5 ? 0 : 1);
  const std::vector<Agglomeration> levels = coarser_levels(mesh, finest, 1, kinds);
  EXPECT_EQ(levels.back().count, 1);
  ASSERT_GE(levels.size(), 4u);
  for (std::size_t l = 0; l < 3; ++l) {
    std::vector<std::set<Index>> found(static_cast<std::size_t>(levels[l].count));
    for (std::size_t e = 0; e < kinds.size(); ++e)
      found[static_cast<std::size_t>(levels[l].polytope[e])].insert(kinds[e]);
    for (const std::set<Index>& kind : found) EXPECT_EQ(kind.size(), 1u) << l;
  }
}

TEST(CoarserLevels, JoinPolytopesOfAFile) {
  const Mesh mesh = square(8);
  const Agglomeration fine = make_agglomeration(mesh, 40), coarse = coarser_levels(mesh, fine, 39).front();
  EXPECT_NEAR(static_cast<double>(coarse.count), 10, 1);
  expect_nested(fine, coarse);
  expect_connected(mesh, coarse);
}

TEST(PolytopeShapes, CountAndMeasureKnownOnes) {
  Mesh mesh = make_rectangle(4, 2);  // two rows of four cells with sides 1/4 and 1/2
  prepare(mesh);
  Agglomeration halves{{}, 2};  // left and right
  for (const Index source : mesh.blocks[0].source) halves.polytope.push_back(source / 2 % 4 < 2 ? 0 : 1);
  const PolytopeShapes shapes = polytope_shapes(mesh, halves);
  EXPECT_EQ(shapes.least_elements, 8);
  EXPECT_EQ(shapes.most_elements, 8);
  EXPECT_EQ(shapes.interfaces, 1);
  EXPECT_EQ(shapes.inner_facets, 2);
  EXPECT_EQ(shapes.outer_facets, 12);
  EXPECT_NEAR(shapes.box.mean, 1, 1e-14);
  EXPECT_NEAR(shapes.roundness.worst, 3 / (2 * std::sqrt(M_PI * 0.5)), 1e-14);
}

TEST(PolytopeShapes, CountOneElementAPolytope) {
  const Mesh mesh = cube(2);
  const PolytopeShapes shapes = polytope_shapes(mesh, element_agglomeration(mesh));
  EXPECT_EQ(shapes.inner_facets + shapes.outer_facets, static_cast<Index>(mesh.faces.size()));
  EXPECT_EQ(shapes.interfaces, shapes.inner_facets);
  EXPECT_EQ(shapes.outer_facets, mesh.boundary_faces);
}

}  // namespace
}  // namespace galerna::mesh
