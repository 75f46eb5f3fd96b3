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

/// [element around another] of all elements that share a corner with one, by their numbers in the whole mesh.
std::set<Index> around(const Mesh& mesh, Index element, const std::vector<Index>* whole) {
  const auto number = [&](Index e) { return whole ? (*whole)[static_cast<std::size_t>(e)] : e; };
  const std::vector<Index> corners = mesh.corners(element);
  std::set<Index> result;
  for (Index e = 0; e < mesh.element_count(); ++e)
    for (const Index corner : mesh.corners(e))
      if (std::find(corners.begin(), corners.end(), corner) != corners.end()) result.insert(number(e));
  return result;
}

TEST(OwnPart, KeepsGhostsBehindItsOwnElements) {
  const Mesh mesh = triangles();
  const std::vector<int> owners = cut(mesh, 3);
  const OwnPart part = own_part(make_part(mesh, owners, 1, GhostLayer::vertices), OuterFirst{16, 32}, true);
  const MeshPart& all = *part.with_ghosts;
  const auto own = static_cast<Index>(part.whole.size());
  EXPECT_TRUE(std::equal(part.whole.begin(), part.whole.end(), all.whole.begin()));
  for (Index e = 0; e < own; ++e) {
    EXPECT_EQ(all.mesh.corners(e), part.mesh.corners(e));
    EXPECT_EQ(around(all.mesh, e, &all.whole), around(mesh, part.whole[static_cast<std::size_t>(e)], nullptr));
  }
  for (const MeshPart::Link& link : all.links) {
    for (const Index element : link.send) EXPECT_LT(element, own);
    for (const Index element : link.receive)
      EXPECT_EQ(owners[static_cast<std::size_t>(all.whole[static_cast<std::size_t>(element)])], link.rank);
  }
}

TEST(OwnPart, HasFacesOfGhostsToo) {
  const Mesh mesh = triangles();
  const MeshPart before = make_part(mesh, cut(mesh, 3), 1, GhostLayer::vertices);
  const OwnPart part = own_part(before, OuterFirst{16, 32}, true);
  const MeshPart& all = *part.with_ghosts;
  ASSERT_EQ(all.mesh.faces.size(), before.mesh.faces.size() + before.ghost_faces.size());
  ASSERT_EQ(static_cast<Index>(all.whole_boundary_face.size()), all.mesh.boundary_faces);
  EXPECT_GT(all.mesh.boundary_faces, part.mesh.boundary_faces);
  for (std::size_t f = 0; f < all.mesh.faces.size(); ++f) {
    const Face& face = all.mesh.faces[f];
    const auto whole = [&](const Side& side) { return all.whole[static_cast<std::size_t>(side.element)]; };
    ASSERT_EQ(face.right.element < 0, f < all.whole_boundary_face.size());
    if (face.right.element >= 0) continue;
    EXPECT_EQ(whole(face.left), mesh.faces[static_cast<std::size_t>(all.whole_boundary_face[f])].left.element);
    if (f < part.mesh.faces.size() && part.mesh.faces[f].right.element < 0) {
      EXPECT_EQ(face.left.element, part.mesh.faces[f].left.element);
      EXPECT_EQ(all.whole_boundary_face[f], part.whole_boundary_face[f]);
    }
  }
}

}  // namespace
}  // namespace galerna::mesh
