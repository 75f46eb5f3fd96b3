#include "mesh/refine.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "base/error.hpp"
#include "mesh/files.hpp"
#include "mesh/generate.hpp"
#include "mesh/geometry.hpp"
#include "mesh/gmsh_reader.hpp"
#include "mesh/prepare.hpp"
#include "mesh/side_key.hpp"

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

TEST(Refine, MovesBoundaryNodesOntoCircles) {
  const Snap snap = {{"left", {{0, 0, 0}, 1}}, {"right", {{0, 0, 0}, 1.384}}};
  Mesh mesh = refine(annulus(), 3, snap);
  for (const Boundary& boundary : mesh.boundaries) {
    const auto circle = snap.find(boundary.name);
    if (circle == snap.end()) continue;
    EXPECT_EQ(boundary.sides.size(), 18U * 8);
    for (const Side& side : boundary.sides)
      for (const Index node : corners_of(mesh, side)) {
        const Point& x = mesh.nodes[static_cast<std::size_t>(node)];
        EXPECT_NEAR(std::hypot(x[0], x[1]), circle->second.radius, 1e-14);
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

TEST(Refine, RefusesWhatItCannotDivide) {
  EXPECT_THROW(refine(read_gmsh(data_file("plane-order2-41.msh")), 1), InputError);
  EXPECT_THROW(refine(read_gmsh(data_file("solids-order1-41.msh")), 1), InputError);
  EXPECT_THROW(refine(make_rectangle(2, 2), -1), InputError);
  EXPECT_THROW(refine(make_rectangle(2, 2), 1, {{"lfet", {{0, 0, 0}, 1}}}), InputError);
  EXPECT_EQ(refine(read_gmsh(data_file("plane-order2-41.msh")), 0).element_count(), 2);
}

}  // namespace
}  // namespace galerna::mesh
