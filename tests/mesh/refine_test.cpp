#include "mesh/refine.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "base/error.hpp"
#include "base/lattice.hpp"
#include "dg/solids.hpp"
#include "mesh/box.hpp"
#include "mesh/files.hpp"
#include "mesh/generate.hpp"
#include "mesh/geometry.hpp"
#include "mesh/gmsh_reader.hpp"
#include "mesh/prepare.hpp"
#include "mesh/raise.hpp"
#include "mesh/side_key.hpp"
#include "mesh/true_area.hpp"

namespace galerna::mesh {
namespace {

/// A quarter of an annulus, radii 1 and 1.384, of 5 × 18 cells of two triangles; "left" is the inner circle, "right"
/// the outer.
Mesh annulus() {
  Mesh mesh = make_rectangle(5, 18, {1, 0}, {1.384, M_PI / 2});
  transform(mesh, [](const Point& x) { return Point{x[0] * std::cos(x[1]), x[0] * std::sin(x[1]), 0}; });
  return mesh;
}

double total_measure(const Mesh& mesh) {
  double sum = 0;
  for (Index e = 0; e < mesh.element_count(); ++e) sum += measure(mesh, e);
  return sum;
}

TEST(Refine, QuadruplesTheTrianglesOfAnAnnulus) {
  const Mesh coarse = annulus();
  const std::size_t edges[] = {293, 1126, 4412, 17464};
  Index triangles = 180;
  for (int level = 0; level < 4; ++level, triangles *= 4) {
    Mesh mesh = refine(coarse, level);
    EXPECT_EQ(mesh.element_count(), triangles);
    EXPECT_NEAR(total_measure(mesh), total_measure(coarse), 1e-12);
    prepare(mesh);
    EXPECT_EQ(mesh.faces.size(), edges[level]);
    EXPECT_EQ(mesh.boundary_faces, 46 << level);
    ASSERT_EQ(mesh.boundaries.size(), 4U);
  }
}

/// Whatever the threads: those of one parent, which no parent before it has, follow each other.
TEST(Refine, NumbersNewNodesInTheOrderOfParents) {
  for (const Shape shape : {Shape::triangle, Shape::tetrahedron, Shape::hexahedron, Shape::pyramid}) {
    const Mesh coarse = shape == Shape::triangle ? make_rectangle(70, 70) : make_box({9, 9, 9}, {1, 1, 1}, 0, shape);
    const Mesh fine = refine(coarse, 1);
    std::vector<std::set<Index>> nodes(static_cast<std::size_t>(coarse.element_count()));
    const Index children = coarse.dimension == 2 ? 4 : shape == Shape::pyramid ? 10 : 8;
    for (const ElementBlock& block : fine.blocks)
      for (Index e = 0; e < block.size(); ++e)
        for (Index k = 0; k < block.nodes_per_element(); ++k)
          nodes[static_cast<std::size_t>(block.source[static_cast<std::size_t>(e)] / children)].insert(
              block.nodes[static_cast<std::size_t>(e * block.nodes_per_element() + k)]);
    Index next = std::ssize(coarse.nodes);
    for (const auto& own : nodes)
      for (const Index node : own)
        if (node >= next) EXPECT_EQ(node, next++);
    EXPECT_EQ(next, std::ssize(fine.nodes));
  }
}

TEST(Refine, MovesBoundaryNodesOntoCircles) {
  const std::map<std::string, double> radii = {{"left", 1}, {"right", 1.384}};
  Snap snap;
  for (const auto& [name, radius] : radii) snap.emplace(name, RoundSurface::circle({}, radius));
  Mesh mesh = refine(annulus(), 3, snap);
  for (const Boundary& boundary : mesh.boundaries) {
    const auto circle = radii.find(boundary.name);
    if (circle == radii.end()) continue;
    EXPECT_EQ(boundary.sides.size(), 18U * 8);
    for (const Side& side : boundary.sides)
      for (const Index node : corners_of(mesh, side)) {
        const Point& x = mesh.nodes[static_cast<std::size_t>(node)];
        EXPECT_NEAR(std::hypot(x[0], x[1]), circle->second, 1e-14);
      }
  }
  // The polygon's area approaches the annulus's with the square of the side.
  const double exact = M_PI / 4 * (1.384 * 1.384 - 1);
  const double before = exact - total_measure(refine(annulus(), 2, snap)), after = exact - total_measure(mesh);
  EXPECT_NEAR(before / after, 4, 0.01);
  EXPECT_NO_THROW(prepare(mesh));
}

TEST(Refine, NumbersChildrenByTheirParents) {
  const Mesh coarse = make_rectangle(2, 2, {0, 0}, {1, 1}, CellStyle::quadrilaterals);
  const Mesh fine = refine(coarse, 1);
  ASSERT_EQ(fine.element_count(), 16);
  for (Index e = 0; e < 16; ++e) {
    const Index source = fine.blocks[0].source[static_cast<std::size_t>(e)];
    const Point child = centroid(fine, e), parent = centroid(coarse, source / 4);
    EXPECT_NEAR(distance(child, parent), std::sqrt(2) / 8, 1e-14);
    // Child c holds corner c of its parent.
    EXPECT_EQ(fine.corners(e)[static_cast<std::size_t>(source % 4)],
              coarse.corners(source / 4)[static_cast<std::size_t>(source % 4)]);
  }
}

TEST(Refine, DividesHexahedraPrismsAndTetrahedra) {
  Mesh mesh = read_gmsh(data_file("solids-order1-41.msh"));
  std::erase_if(mesh.blocks, [](const ElementBlock& block) { return block.shape == Shape::pyramid; });
  mesh.boundaries.clear();  // their element numbers are of the mesh with the pyramid
  Mesh fine = refine(mesh, 2);
  EXPECT_EQ(fine.element_count(), 64 * 3);
  EXPECT_NEAR(total_measure(fine), total_measure(mesh), 1e-13);
  for (Index e = 0; e < fine.element_count(); ++e) EXPECT_EQ(orientation(fine, e), Orientation::positive);
  prepare(fine);
  std::size_t sides = 0;
  for (const Boundary& boundary : fine.boundaries) sides += boundary.sides.size();
  // 6 + 5 + 4 sides, one pair of them joined; each has 16 parts.
  EXPECT_EQ(sides, 16U * 13);
}

TEST(Refine, KeepsNamesOfSidesInSpace) {
  Mesh mesh = read_gmsh(data_file("solids-order1-41.msh"));
  // Without pyramid and tetrahedron the sides that touched them have no name.
  const Mesh original = mesh;
  mesh.blocks.clear();
  mesh.boundaries = {{"bottom", {}}};
  for (const ElementBlock& block : original.blocks)
    if (block.shape == Shape::hexahedron) mesh.blocks.push_back(block);
  mesh.boundaries[0].sides.push_back({0, 0});
  Mesh fine = refine(mesh, 1);
  ASSERT_EQ(fine.boundaries[0].sides.size(), 4U);
  for (const Side& side : fine.boundaries[0].sides)
    for (const Index node : corners_of(fine, side)) EXPECT_EQ(fine.nodes[static_cast<std::size_t>(node)][2], 0);
}

TEST(Refine, KeepsPeriodicImages) {
  for (const Index n : {1, 2, 3}) {
    Mesh mesh = make_rectangle(n, n);
    Mesh joined = mesh;
    prepare(joined, {{{"left", "right", {1, 0, 0}, {}}, {"bottom", "top", {0, 1, 0}, {}}}, 1e-6});
    mesh.image = joined.image;
    Mesh fine = refine(mesh, 2);
    const std::set<Index> nodes(fine.image.begin(), fine.image.end());
    EXPECT_EQ(nodes.size(), static_cast<std::size_t>(16 * n * n));
    prepare(fine);
    EXPECT_EQ(fine.boundary_faces, 0);
  }
}

/// All elements of a straight mesh raised to a geometry order, their nodes moved.
Mesh bent(const Mesh& straight, int order, const std::function<Point(const Point&)>& map) {
  Mesh mesh = raise(straight, order, std::vector<char>(static_cast<std::size_t>(straight.element_count()), 1)).mesh;
  transform(mesh, map);
  return mesh;
}

Point wavy(const Point& x) {
  return {x[0] + 0.05 * std::sin(3 * x[1] + 1) * std::cos(2 * x[2]), x[1] + 0.06 * std::cos(3 * x[0] + x[2]),
          x[2] + 0.05 * std::sin(2 * (x[0] + x[1]))};
}
Point wavy_in_the_plane(const Point& x) {
  return {x[0] + 0.05 * std::sin(3 * x[1] + 1), x[1] + 0.06 * std::cos(3 * x[0] + 1), x[2]};
}

struct CurvedMesh {
  std::string name;
  Mesh mesh;
};

std::vector<CurvedMesh> curved_meshes() {
  std::vector<CurvedMesh> meshes;
  for (int order = 1; order <= 4; ++order) {
    for (const CellStyle style : {CellStyle::random_triangles, CellStyle::quadrilaterals})
      meshes.push_back({"plane", bent(make_rectangle(2, 2, {0, 0}, {1, 1}, style), order, wavy_in_the_plane)});
    for (const Shape shape : {Shape::tetrahedron, Shape::pyramid, Shape::prism, Shape::hexahedron})
      meshes.push_back({std::string(name(shape)), bent(make_box({1, 2, 1}, {1, 1, 1}, 0.1, shape), order, wavy)});
    meshes.push_back({"all solids", bent(tests::box_of_all_solids(2), order, wavy)});
    for (std::size_t i = meshes.size() - 7; i < meshes.size(); ++i)
      meshes[i].name += fmt::format(" of order {}", order);
  }
  return meshes;
}

/// The nodes on a side, as a set.
std::set<Index> nodes_on(const Mesh& mesh, const Side& side) {
  const ElementBlock& block = mesh.blocks[static_cast<std::size_t>(mesh.locate(side.element).block)];
  std::set<Index> nodes;
  for (const int n : side_nodes(block.shape, block.order, side.side))
    nodes.insert(mesh.element_nodes(side.element)[static_cast<std::size_t>(n)]);
  return nodes;
}

/// Sides do not change their shape, so that no volume is lost or won; and elements meet as whole sides.
TEST(Refine, DividesCurvedElementsOfAllShapes) {
  for (const auto& [name, coarse] : curved_meshes()) {
    SCOPED_TRACE(name);
    Mesh fine = refine(coarse, 1);
    EXPECT_NEAR(true_area(fine), true_area(coarse), 1e-13);
    EXPECT_EQ(fine.blocks[0].order, coarse.blocks[0].order);
    Mesh prepared = coarse;
    prepare(prepared);
    ASSERT_NO_THROW(prepare(fine));
    EXPECT_EQ(fine.turned == 0, prepared.turned == 0);
    // What has no name or neighbour ends up here: as many parts of the boundary as its sides have.
    EXPECT_EQ(fine.boundary_faces, prepared.boundary_faces * (coarse.dimension == 2 ? 2 : 4));
    for (const Face& face : fine.faces)
      if (face.boundary < 0) EXPECT_EQ(nodes_on(fine, face.left), nodes_on(fine, face.right));
    std::set<Index> sources;
    for (const ElementBlock& block : fine.blocks) sources.insert(block.source.begin(), block.source.end());
    EXPECT_EQ(static_cast<Index>(sources.size()), fine.element_count());
    EXPECT_EQ(*sources.rbegin(), fine.element_count() - 1);
  }
}

/// Nested: the nodes of a child lie where the map of its parent, a polynomial, has them.
TEST(Refine, ChildrenOfCurvedElementsLieOnTheMapOfTheirParents) {
  const auto map = [](const Point& x) {
    return Point{x[0] + 0.05 * x[1] * x[1] - 0.02 * x[2] * x[0], x[1] + 0.05 * x[2] * x[2], x[2] + 0.03 * x[0] * x[1]};
  };
  for (const Shape shape : {Shape::tetrahedron, Shape::pyramid, Shape::prism, Shape::hexahedron})
    for (int order = 2; order <= 4; ++order) {
      SCOPED_TRACE(fmt::format("{} of order {}", name(shape), order));
      const Mesh straight = make_box({1, 1, 1}, {1, 1.4, 1.9}, 0, shape);
      const Mesh fine = refine(bent(straight, order, map), 1), expected = bent(refine(straight, 1), order, map);
      const auto centre = [](const Mesh& mesh, const ElementBlock& block, Index e) {
        Point sum{};
        for (Index n = 0; n < block.nodes_per_element(); ++n)
          for (std::size_t k = 0; k < 3; ++k)
            sum[k] += mesh.nodes[static_cast<std::size_t>(
                block.nodes[static_cast<std::size_t>(e * block.nodes_per_element() + n)])][k];
        return sum;
      };
      ASSERT_EQ(fine.blocks.size(), expected.blocks.size());
      for (const ElementBlock& block : fine.blocks) {
        const auto& other = *std::find_if(expected.blocks.begin(), expected.blocks.end(),
                                          [&](const ElementBlock& b) { return b.shape == block.shape; });
        for (Index e = 0; e < block.size(); ++e)
          EXPECT_LT(distance(centre(fine, block, e), centre(expected, other, e)), 1e-11);
      }
    }
}

TEST(Refine, KeepsPeriodicImagesOfCurvedElements) {
  for (const Index n : {1, 2}) {
    Mesh mesh = bent(make_rectangle(n, n), 3, [](const Point& x) {
      return Point{x[0] + 0.05 * std::sin(2 * M_PI * x[1]), x[1] + 0.05 * std::sin(2 * M_PI * x[0] + 1), 0};
    });
    Mesh joined = mesh;
    prepare(joined, {{{"left", "right", {1, 0, 0}, {}}, {"bottom", "top", {0, 1, 0}, {}}}, 1e-6});
    mesh.image = joined.image;
    Mesh fine = refine(mesh, 1);
    std::set<Index> nodes;
    for (const Index node : fine.blocks[0].nodes) nodes.insert(fine.image[static_cast<std::size_t>(node)]);
    EXPECT_EQ(nodes.size(), static_cast<std::size_t>(36 * n * n));
    prepare(fine);
    EXPECT_EQ(fine.boundary_faces, 0);
  }
}

TEST(Refine, SaysWhichChildrenAreFolded) {
  Mesh mesh = bent(make_rectangle(1, 1), 2, [](const Point& x) { return x; });
  for (Point& x : mesh.nodes)
    if (x[0] == 0.5 && x[1] == 0.5) x = {0.9, 0.1, 0};
  mesh = refine(mesh, 1);
  EXPECT_THROW(prepare(mesh), InputError);
}

TEST(Refine, RefusesWhatItCannotDivide) {
  EXPECT_THROW(refine(make_rectangle(2, 2), -1), InputError);
  EXPECT_THROW(refine(make_rectangle(2, 2), 1, {{"lfet", RoundSurface::circle({}, 1)}}), InputError);
  EXPECT_EQ(refine(read_gmsh(data_file("plane-order2-41.msh")), 0).element_count(), 2);
}

}  // namespace
}  // namespace galerna::mesh
