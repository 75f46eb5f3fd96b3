// Parts of a mesh without others' elements, and what comes first in them.
#include "mesh/own_part.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "mesh/cut.hpp"
#include "mesh/generate.hpp"
#include "mesh/prepare.hpp"

namespace galerna::mesh {
namespace {

Mesh triangles() {
  Mesh mesh = make_rectangle(20, 18, {0, 0}, {1, 0.9}, CellStyle::random_triangles, 0.2);
  prepare(mesh, {});
  return mesh;
}

OwnPart part_of(const Mesh& mesh, const std::vector<int>& owners, int rank, const std::optional<OuterFirst>& order) {
  return own_part(make_part(mesh, owners, rank, GhostLayer::sides), order);
}

/// Faces and sides as elements of the whole mesh.
std::set<std::vector<Index>> faces_of(const OwnPart& part) {
  const auto whole = [&](const Side& side) {
    return side.element < 0 ? -1 : part.whole[static_cast<std::size_t>(side.element)];
  };
  std::set<std::vector<Index>> faces;
  for (const Face& face : part.mesh.faces)
    faces.insert({whole(face.left), face.left.side, whole(face.right), face.right.side, face.boundary});
  for (std::size_t b = 0; b < part.mesh.boundaries.size(); ++b)
    for (const Side& side : part.mesh.boundaries[b].sides)
      faces.insert({whole(side), side.side, static_cast<Index>(b), -2, -2});
  return faces;
}

TEST(OwnPart, KeepsTheOrderOfTheWholeMesh) {
  const Mesh mesh = triangles();
  const OwnPart part = part_of(mesh, cut(mesh, 3), 1, {});
  EXPECT_TRUE(std::is_sorted(part.whole.begin(), part.whole.end()));
  EXPECT_EQ(part.outer, std::vector<Index>{part.mesh.blocks[0].size()});
}

TEST(OwnPart, HasTheSameElementsWithThoseAtCutsFirst) {
  const Mesh mesh = triangles();
  const std::vector<int> owners = cut(mesh, 3);
  for (const OuterFirst order : {OuterFirst{1, 1}, OuterFirst{1, 64}, OuterFirst{16, 32}}) {
    const OwnPart plain = part_of(mesh, owners, 1, {}), part = part_of(mesh, owners, 1, order);
    const auto outer = static_cast<std::ptrdiff_t>(part.outer[0]);
    EXPECT_LT(part.outer[0], part.mesh.blocks[0].size());
    EXPECT_EQ(part.outer[0] % order.unit, 0);
    EXPECT_TRUE(std::is_sorted(part.whole.begin(), part.whole.begin() + outer));
    EXPECT_TRUE(std::is_sorted(part.whole.begin() + outer, part.whole.end()));
    std::vector<Index> sorted = part.whole;
    std::sort(sorted.begin(), sorted.end());
    EXPECT_EQ(sorted, plain.whole);
    EXPECT_EQ(faces_of(part), faces_of(plain));
    ASSERT_EQ(part.cut.size(), plain.cut.size());
    for (std::size_t k = 0; k < part.cut.size(); ++k) {
      const Side &side = part.cut[k].side, &other = plain.cut[k].side;
      EXPECT_LT(side.element, part.outer[0]);
      EXPECT_EQ(part.whole[static_cast<std::size_t>(side.element)],
                plain.whole[static_cast<std::size_t>(other.element)]);
      EXPECT_EQ(side.side, other.side);
      EXPECT_EQ(part.cut[k].rank, plain.cut[k].rank);
    }
    for (std::size_t e = 0; e < part.whole.size(); ++e) {
      const auto in_plain = std::lower_bound(plain.whole.begin(), plain.whole.end(), part.whole[e]);
      const auto nodes = part.mesh.element_nodes(static_cast<Index>(e)),
                 expected = plain.mesh.element_nodes(in_plain - plain.whole.begin());
      EXPECT_TRUE(std::equal(nodes.begin(), nodes.end(), expected.begin(), expected.end()));
      EXPECT_EQ(part.mesh.blocks[0].source[e],
                plain.mesh.blocks[0].source[static_cast<std::size_t>(in_plain - plain.whole.begin())]);
    }
  }
}

TEST(OwnPart, IsAllOuterWhereCutsAreEverywhere) {
  const Mesh mesh = triangles();
  const OwnPart part = part_of(mesh, cut(mesh, 3, CutMethod::random), 2, OuterFirst{16, 32});
  EXPECT_GE(part.outer[0], part.mesh.blocks[0].size() - 16);
  EXPECT_LE(part.outer[0], part.mesh.blocks[0].size());
}

}  // namespace
}  // namespace galerna::mesh
