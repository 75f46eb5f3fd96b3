#include "mesh/mesh_part.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/index.hpp"
#include "mesh/balls.hpp"
#include "mesh/box.hpp"
#include "mesh/cut.hpp"
#include "mesh/files.hpp"
#include "mesh/generate.hpp"
#include "mesh/geometry.hpp"
#include "mesh/gmsh_reader.hpp"
#include "mesh/metis.hpp"
#include "mesh/parts.hpp"
#include "mesh/prepare.hpp"
#include "mesh/side_order.hpp"

namespace galerna::mesh {
namespace {

/// Gives elements all that they can have, periodic where asked for, and prepares the mesh.
Mesh finished(Mesh mesh, const std::vector<PeriodicPair>& periodic = {}) {
  mesh.region_names = {"inner", "outer"};
  mesh.shared_regions = {{0, 1}};
  mesh.other_names = {"point"};
  mesh.numbers.clear();
  for (ElementBlock& block : mesh.blocks)
    for (std::size_t e = 0; e < block.region.size(); ++e) {
      block.region[e] = static_cast<int>(e % 4) - 1;
      mesh.numbers.push_back(static_cast<Index>(3 * mesh.numbers.size() + 11));
    }
  PrepareOptions options;
  options.periodic = periodic;
  prepare(mesh, options);
  mesh.turned = 5;
  return mesh;
}

std::vector<PeriodicPair> across(const Point& size) {
  std::vector<PeriodicPair> pairs = {{"left", "right", {size[0], 0, 0}, {}}};
  if (size[2] == 0) {
    pairs.push_back({"bottom", "top", {0, size[1], 0}, {}});
  } else {
    pairs.push_back({"front", "back", {0, size[1], 0}, {}});
    pairs.push_back({"bottom", "top", {0, 0, size[2]}, {}});
  }
  return pairs;
}

Mesh rectangle(Index nx, Index ny, CellStyle style, bool periodic) {
  return finished(make_rectangle(nx, ny, {0, 0}, {1, 1}, style, 0.1),
                  periodic ? across({1, 1, 0}) : std::vector<PeriodicPair>{});
}

Mesh box(std::array<Index, 3> cells, Shape shape, bool periodic) {
  return finished(make_box(cells, {1, 1, 1}, 0.05, shape), periodic ? across({1, 1, 1}) : std::vector<PeriodicPair>{});
}

/// Triangles and quadrilaterals of orders 1 and 5.
Mesh disc() {
  Mesh mesh = beside(read_gmsh(data_file("disc-order5.msh")), make_rectangle(2, 3, {2, 0}, {3, 1}));
  return finished(std::move(mesh));
}

Mesh curved_solids() {
  return finished(raised(tests::ball_of_all_solids(), 2, [](const Point& x) {
    return Point{x[0] + 0.05 * x[1] * x[1], x[1] - 0.04 * x[0] * x[2], x[2]};
  }));
}

struct Case {
  std::string name;
  std::function<Mesh()> make;
};

std::vector<Case> cases() {
  return {{"Triangles", [] { return rectangle(9, 7, CellStyle::random_triangles, false); }},
          {"Quadrilaterals", [] { return rectangle(8, 5, CellStyle::quadrilaterals, false); }},
          {"MixedCurved", disc},
          {"CurvedSolids", curved_solids},
          {"Tetrahedra",
           [] {
             return box({3, 2, 2}, Shape::tetrahedron, false);
           }},
          {"Hexahedra",
           [] {
             return box({3, 4, 3}, Shape::hexahedron, false);
           }},
          {"PeriodicTriangles", [] { return rectangle(6, 5, CellStyle::triangles, true); }},
          {"PeriodicTrianglesTwoWide", [] { return rectangle(2, 2, CellStyle::triangles, true); }},
          {"PeriodicSquaresTwoWide", [] { return rectangle(2, 2, CellStyle::quadrilaterals, true); }},
          {"PeriodicSquaresOneWide", [] { return rectangle(1, 4, CellStyle::quadrilaterals, true); }},
          {"PeriodicTetrahedra",
           [] {
             return box({2, 2, 2}, Shape::tetrahedron, true);
           }},
          {"PeriodicHexahedra", [] {
             return box({2, 3, 2}, Shape::hexahedron, true);
           }}};
}

/// Which elements touch, found by looking at all pairs.
class Touching {
 public:
  Touching(const Mesh& mesh, GhostLayer layer) : count_(mesh.element_count()), touch_(at(count_ * count_), 0) {
    if (layer == GhostLayer::vertices) {
      std::vector<std::set<Index>> vertices(at(count_));
      for (Index e = 0; e < count_; ++e)
        for (const Index node : mesh.corners(e)) vertices[at(e)].insert(mesh.image[at(node)]);
      for (Index a = 0; a < count_; ++a)
        for (Index b = 0; b < count_; ++b)
          for (const Index vertex : vertices[at(a)]) touch_[at(a * count_ + b)] |= vertices[at(b)].contains(vertex);
    } else {
      for (const Face& face : mesh.faces)
        if (face.right.element >= 0)
          touch_[at(face.left.element * count_ + face.right.element)] =
              touch_[at(face.right.element * count_ + face.left.element)] = 1;
    }
  }

  bool operator()(Index a, Index b) const { return touch_[at(a * count_ + b)] != 0; }

  /// Elements of others that touch one of the rank's, in their order.
  std::vector<Index> ghosts(const std::vector<int>& ranks, int rank) const {
    std::vector<Index> result;
    for (Index g = 0; g < count_; ++g) {
      bool found = false;
      for (Index e = 0; e < count_ && ranks[at(g)] != rank; ++e)
        found = found || (ranks[at(e)] == rank && (*this)(e, g));
      if (found) result.push_back(g);
    }
    return result;
  }

 private:
  Index count_;
  std::vector<char> touch_;
};

/// [element of the part] the number in the whole mesh that it must have: in each block own elements, then ghosts.
std::vector<Index> expected_elements(const Mesh& whole, const std::vector<int>& ranks, int rank,
                                     const std::vector<Index>& ghosts) {
  std::vector<Index> result;
  Index first = 0;
  for (const ElementBlock& block : whole.blocks) {
    const Index end = first + block.size();
    for (Index e = first; e < end; ++e)
      if (ranks[at(e)] == rank) result.push_back(e);
    for (const Index ghost : ghosts)
      if (ghost >= first && ghost < end) result.push_back(ghost);
    first = end;
  }
  return result;
}

bool same(const Side& a, const Side& b) {
  return a.element == b.element && a.side == b.side;
}

/// A side of the part as one of the whole mesh.
Side in_whole(const MeshPart& part, const Side& side) {
  return side.element < 0 ? side : Side{part.whole[at(side.element)], side.side};
}

void expect_elements(const Mesh& whole, const MeshPart& part) {
  ASSERT_EQ(part.mesh.blocks.size(), whole.blocks.size());
  ASSERT_EQ(part.mesh.element_count(), static_cast<Index>(part.whole.size()));
  std::map<Index, Index> whole_node;  // of the part's
  for (Index e = 0; e < part.mesh.element_count(); ++e) {
    const Index original = part.whole[at(e)];
    const auto here = part.mesh.locate(e), there = whole.locate(original);
    const ElementBlock &own = part.mesh.blocks[at(here.block)], &all = whole.blocks[at(there.block)];
    ASSERT_EQ(here.block, there.block);
    EXPECT_EQ(own.shape, all.shape);
    EXPECT_EQ(own.order, all.order);
    EXPECT_EQ(own.region[at(here.position)], all.region[at(there.position)]);
    EXPECT_EQ(own.source[at(here.position)], all.source[at(there.position)]);
    EXPECT_EQ(part.mesh.number(e), whole.number(original));
    const auto nodes = part.mesh.element_nodes(e), originals = whole.element_nodes(original);
    ASSERT_EQ(nodes.size(), originals.size());
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      EXPECT_EQ(part.mesh.nodes.at(at(nodes[n])), whole.nodes[at(originals[n])]);
      EXPECT_EQ(whole_node.emplace(nodes[n], originals[n]).first->second, originals[n]);
    }
  }
  // Nodes are in the order of the whole mesh, and so are the nodes that stand for them.
  Index last = -1;
  for (const auto& [node, original] : whole_node) {
    EXPECT_GT(original, std::exchange(last, original));
    EXPECT_EQ(part.mesh.nodes[at(part.mesh.image[at(node)])], whole.nodes[at(whole.image[at(original)])]);
    for (const auto& [other, other_original] : whole_node)
      EXPECT_EQ(part.mesh.image[at(node)] <=> part.mesh.image[at(other)],
                whole.image[at(original)] <=> whole.image[at(other_original)]);
  }
  for (const Index image : part.mesh.image) EXPECT_EQ(part.mesh.image.at(at(image)), image);
}

void expect_faces(const Mesh& whole, const std::vector<int>& ranks, int rank, const MeshPart& part) {
  std::size_t next = 0;
  std::vector<Index> boundary_faces;
  for (std::size_t f = 0; f < whole.faces.size(); ++f) {
    const Face& face = whole.faces[f];
    const bool right_is_own = face.right.element >= 0 && ranks[at(face.right.element)] == rank;
    if (ranks[at(face.left.element)] != rank && !right_is_own) continue;
    ASSERT_LT(next, part.mesh.faces.size());
    const Face& own = part.mesh.faces[next++];
    EXPECT_TRUE(same(in_whole(part, own.left), face.left));
    EXPECT_TRUE(same(in_whole(part, own.right), face.right));
    EXPECT_EQ(own.boundary, face.boundary);
    if (face.right.element < 0) boundary_faces.push_back(static_cast<Index>(f));
    EXPECT_EQ(side_orientation(part.mesh, own.left), side_orientation(whole, face.left));
    if (face.right.element >= 0) {
      EXPECT_EQ(side_orientation(part.mesh, own.right), side_orientation(whole, face.right));
    }
  }
  EXPECT_EQ(next, part.mesh.faces.size());
  EXPECT_EQ(part.mesh.boundary_faces, static_cast<Index>(boundary_faces.size()));
  EXPECT_EQ(part.whole_boundary_face, boundary_faces);
}

/// All faces of ghosts alone.
void expect_ghost_faces(const Mesh& whole, const std::vector<Index>& ghosts, const MeshPart& part) {
  const auto is_ghost = [&](Index e) { return std::binary_search(ghosts.begin(), ghosts.end(), e); };
  std::vector<Index> expected;
  for (std::size_t f = 0; f < whole.faces.size(); ++f) {
    const Face& face = whole.faces[f];
    if (is_ghost(face.left.element) && (face.right.element < 0 || is_ghost(face.right.element)))
      expected.push_back(static_cast<Index>(f));
  }
  ASSERT_EQ(part.whole_ghost_face, expected);
  ASSERT_EQ(part.ghost_faces.size(), expected.size());
  for (std::size_t f = 0; f < expected.size(); ++f) {
    EXPECT_TRUE(same(in_whole(part, part.ghost_faces[f].left), whole.faces[at(expected[f])].left));
    EXPECT_TRUE(same(in_whole(part, part.ghost_faces[f].right), whole.faces[at(expected[f])].right));
    EXPECT_EQ(part.ghost_faces[f].boundary, whole.faces[at(expected[f])].boundary);
  }
}

void expect_boundaries(const Mesh& whole, const std::vector<int>& ranks, int rank, const MeshPart& part) {
  ASSERT_EQ(part.mesh.boundaries.size(), whole.boundaries.size());
  for (std::size_t b = 0; b < whole.boundaries.size(); ++b) {
    EXPECT_EQ(part.mesh.boundaries[b].name, whole.boundaries[b].name);
    std::vector<Side> sides;
    for (const Side& side : whole.boundaries[b].sides)
      if (ranks[at(side.element)] == rank) sides.push_back(side);
    ASSERT_EQ(part.mesh.boundaries[b].sides.size(), sides.size());
    for (std::size_t s = 0; s < sides.size(); ++s)
      EXPECT_TRUE(same(in_whole(part, part.mesh.boundaries[b].sides[s]), sides[s]));
  }
}

void expect_part(const Mesh& whole, const std::vector<int>& ranks, int rank, const std::vector<Index>& ghosts,
                 GhostLayer layer, const MeshPart& part) {
  ASSERT_EQ(part.whole, expected_elements(whole, ranks, rank, ghosts));
  ASSERT_EQ(part.owned.size(), whole.blocks.size());
  for (std::size_t b = 0, first = 0; b < whole.blocks.size(); first += at(part.mesh.blocks[b++].size()))
    EXPECT_EQ(part.owned[b],
              std::count_if(part.whole.begin() + static_cast<std::ptrdiff_t>(first),
                            part.whole.begin() + static_cast<std::ptrdiff_t>(first) + part.mesh.blocks[b].size(),
                            [&](Index e) { return ranks[at(e)] == rank; }));
  EXPECT_EQ(part.mesh.file, whole.file);
  EXPECT_EQ(part.mesh.dimension, whole.dimension);
  EXPECT_EQ(part.mesh.region_names, whole.region_names);
  EXPECT_EQ(part.mesh.shared_regions, whole.shared_regions);
  EXPECT_EQ(part.mesh.other_names, whole.other_names);
  EXPECT_EQ(part.mesh.turned, whole.turned);
  expect_elements(whole, part);
  expect_faces(whole, ranks, rank, part);
  expect_boundaries(whole, ranks, rank, part);
  if (layer == GhostLayer::vertices)
    expect_ghost_faces(whole, ghosts, part);
  else
    EXPECT_TRUE(part.ghost_faces.empty());
}

std::vector<Index> in_whole(const MeshPart& part, const std::vector<Index>& elements) {
  std::vector<Index> result;
  for (const Index e : elements) result.push_back(part.whole[at(e)]);
  return result;
}

const MeshPart::Link* link_to(const MeshPart& part, int rank) {
  const auto found = std::find_if(part.links.begin(), part.links.end(), [&](const auto& l) { return l.rank == rank; });
  return found == part.links.end() ? nullptr : &*found;
}

/// What one rank sends is what the other receives, in one order, and every ghost comes from the rank that owns it.
void expect_links(const std::vector<MeshPart>& parts, const std::vector<int>& ranks,
                  const std::vector<std::vector<Index>>& ghosts) {
  for (std::size_t r = 0; r < parts.size(); ++r) {
    std::vector<Index> received;
    int last = -1;
    for (const MeshPart::Link& link : parts[r].links) {
      EXPECT_GT(link.rank, std::exchange(last, link.rank));
      const MeshPart& other = parts.at(at(link.rank));
      const MeshPart::Link* back = link_to(other, static_cast<int>(r));
      ASSERT_NE(back, nullptr);
      const auto sent = in_whole(parts[r], link.send), got = in_whole(parts[r], link.receive);
      EXPECT_FALSE(sent.empty());
      EXPECT_EQ(sent, in_whole(other, back->receive));
      EXPECT_TRUE(std::is_sorted(sent.begin(), sent.end()));
      for (const Index e : sent) EXPECT_EQ(ranks[at(e)], static_cast<int>(r));
      for (const Index e : got) EXPECT_EQ(ranks[at(e)], link.rank);
      received.insert(received.end(), got.begin(), got.end());
    }
    std::sort(received.begin(), received.end());
    EXPECT_EQ(received, ghosts[r]);
  }
}

Index cut_sides(const Mesh& whole, const std::vector<int>& ranks, int rank) {
  return std::count_if(whole.faces.begin(), whole.faces.end(), [&](const Face& face) {
    if (face.right.element < 0) return false;
    const int left = ranks[at(face.left.element)], right = ranks[at(face.right.element)];
    return left != right && (left == rank || right == rank);
  });
}

void expect_parts(const Mesh& mesh, const std::vector<int>& ranks, int count, GhostLayer layer) {
  PartMaker maker(mesh, ranks, layer);
  ASSERT_EQ(maker.count(), count);
  const Touching touching(mesh, layer);
  std::vector<std::vector<Index>> ghosts;
  std::vector<MeshPart> parts;
  Index owned = 0;
  for (int r = 0; r < count; ++r) {
    SCOPED_TRACE("rank " + std::to_string(r));
    ghosts.push_back(touching.ghosts(ranks, r));
    parts.push_back(maker.make(r));
    expect_part(mesh, ranks, r, ghosts.back(), layer, parts.back());
    const PartSize size = maker.size(r);
    EXPECT_EQ(size.owned, std::count(ranks.begin(), ranks.end(), r));
    EXPECT_EQ(size.ghosts, static_cast<Index>(ghosts.back().size()));
    EXPECT_EQ(size.neighbours, static_cast<int>(parts.back().links.size()));
    EXPECT_EQ(size.cut_sides, cut_sides(mesh, ranks, r));
    owned += size.owned;
  }
  EXPECT_EQ(owned, mesh.element_count());
  expect_links(parts, ranks, ghosts);
}

class MeshParts : public testing::TestWithParam<Case> {};

TEST_P(MeshParts, HoldTheirElementsAndTheNeighboursOfThese) {
  const Mesh mesh = GetParam().make();
  std::vector<CutMethod> methods = {CutMethod::automatic, CutMethod::hilbert, CutMethod::random};
  if (has_metis()) methods.push_back(CutMethod::metis);
  for (const int count : {1, 2, 3, 7}) {
    if (count > mesh.element_count()) continue;
    for (const CutMethod method : methods)
      for (const GhostLayer layer : {GhostLayer::sides, GhostLayer::vertices}) {
        SCOPED_TRACE(std::to_string(count) + " parts, method " + std::to_string(static_cast<int>(method)) + ", layer " +
                     std::to_string(static_cast<int>(layer)));
        expect_parts(mesh, cut(mesh, count, method), count, layer);
      }
  }
}

TEST_P(MeshParts, ComeBackFromBytes) {
  const Mesh mesh = GetParam().make();
  const std::vector<int> ranks = cut(mesh, 3, CutMethod::hilbert);
  const auto ghosts = Touching(mesh, GhostLayer::vertices).ghosts(ranks, 1);
  const MeshPart part = make_part(mesh, ranks, 1, GhostLayer::vertices);
  const std::vector<std::byte> bytes = to_bytes(part);
  const MeshPart back = from_bytes(bytes);
  expect_part(mesh, ranks, 1, ghosts, GhostLayer::vertices, back);
  ASSERT_EQ(back.links.size(), part.links.size());
  for (std::size_t l = 0; l < part.links.size(); ++l) {
    EXPECT_EQ(back.links[l].rank, part.links[l].rank);
    EXPECT_EQ(back.links[l].send, part.links[l].send);
    EXPECT_EQ(back.links[l].receive, part.links[l].receive);
  }
  EXPECT_EQ(to_bytes(back), bytes);
}

INSTANTIATE_TEST_SUITE_P(Table, MeshParts, testing::ValuesIn(cases()),
                         [](const auto& test) { return test.param.name; });

TEST(MeshPart, MayMissBlocksAndBoundaries) {
  const Mesh mesh = disc();
  // All that is not in the last block, which lies apart from the others.
  const Index rest = mesh.element_count() - mesh.blocks.back().size();
  std::vector<int> ranks(at(mesh.element_count()), 0);
  std::fill(ranks.begin() + rest, ranks.end(), 1);
  const MeshPart part = make_part(mesh, ranks, 1, GhostLayer::vertices);
  ASSERT_GE(mesh.blocks.size(), 2u);
  EXPECT_EQ(part.mesh.blocks.front().size(), 0);
  EXPECT_EQ(part.mesh.blocks.back().size(), mesh.blocks.back().size());
  EXPECT_EQ(part.owned.front(), 0);
  EXPECT_TRUE(part.links.empty());
  EXPECT_TRUE(std::any_of(part.mesh.boundaries.begin(), part.mesh.boundaries.end(),
                          [](const Boundary& b) { return b.sides.empty(); }));
  expect_part(mesh, ranks, 1, {}, GhostLayer::vertices, part);
  expect_part(mesh, ranks, 1, {}, GhostLayer::vertices, from_bytes(to_bytes(part)));
}

/// [element, corner] the elements around that vertex, found by going from corner to corner across the faces: a prepared
/// mesh has both elements of a face see its corners in one order.
std::map<std::pair<Index, int>, std::set<Index>> elements_around(const Mesh& mesh, const std::vector<Face>& faces) {
  std::map<std::pair<Index, int>, std::set<Index>> around;
  for (Index e = 0; e < mesh.element_count(); ++e)
    for (int c = 0; c < corner_count(mesh.shape(e)); ++c) around[{e, c}] = {e};
  for (bool changed = true; changed;) {
    changed = false;
    for (const Face& face : faces) {
      if (face.right.element < 0) continue;
      const auto left = side_corners(mesh.shape(face.left.element), face.left.side),
                 right = side_corners(mesh.shape(face.right.element), face.right.side);
      for (std::size_t c = 0; c < left.size(); ++c) {
        auto &a = around[{face.left.element, left[c]}], &b = around[{face.right.element, right[c]}];
        if (a == b) continue;
        a.insert(b.begin(), b.end());
        b = a;
        changed = true;
      }
    }
  }
  return around;
}

TEST(MeshPart, HasAllElementsAroundTheVerticesOfItsOwn) {
  for (const Mesh& mesh :
       {rectangle(6, 5, CellStyle::random_triangles, false), rectangle(4, 4, CellStyle::triangles, true),
        box({3, 2, 2}, Shape::tetrahedron, false), box({3, 3, 3}, Shape::tetrahedron, true)}) {
    const auto expected = elements_around(mesh, mesh.faces);
    for (const CutMethod method : {CutMethod::hilbert, CutMethod::random}) {
      const MeshPart part = make_part(mesh, cut(mesh, 3, method), 1, GhostLayer::vertices);
      std::vector<Face> faces = part.mesh.faces;
      faces.insert(faces.end(), part.ghost_faces.begin(), part.ghost_faces.end());
      const auto around = elements_around(part.mesh, faces);
      for (Index e = 0; e < part.owned[0]; ++e)
        for (int c = 0; c < corner_count(part.mesh.shape(e)); ++c) {
          std::set<Index> found;
          for (const Index one : around.at({e, c})) found.insert(part.whole[at(one)]);
          EXPECT_EQ(found, expected.at({part.whole[at(e)], c})) << e << " corner " << c;
        }
    }
  }
}

/// An element that is its own neighbour is no ghost, and one behind two sides is one ghost.
TEST(MeshPart, CountsAGhostBehindTwoSidesOnce) {
  const Mesh mesh = rectangle(1, 2, CellStyle::quadrilaterals, true);
  PartMaker maker(mesh, {0, 1}, GhostLayer::sides);
  const MeshPart part = maker.make(0);
  EXPECT_EQ(part.whole, (std::vector<Index>{0, 1}));
  EXPECT_EQ(maker.size(0).ghosts, 1);
  EXPECT_EQ(maker.size(0).cut_sides, 2);
  EXPECT_EQ(part.mesh.faces.size(), 3u);
}

TEST(MeshPart, RefusesRanksThatDoNotFit) {
  const Mesh mesh = rectangle(2, 2, CellStyle::quadrilaterals, false);
  EXPECT_THROW(make_part(mesh, {0, 0, 2, 2}, 1, GhostLayer::sides), std::invalid_argument);
  EXPECT_THROW(make_part(mesh, {0, 0, 1, 1}, 2, GhostLayer::sides), std::invalid_argument);
  EXPECT_THROW(make_part(mesh, {0, 0, 1, 1}, -1, GhostLayer::sides), std::invalid_argument);
  EXPECT_THROW(make_part(mesh, {0, 0, 1}, 0, GhostLayer::sides), std::invalid_argument);
  EXPECT_THROW(make_part(mesh, {0, 0, 1, -1}, 0, GhostLayer::sides), std::invalid_argument);
}

TEST(MeshPart, RefusesBytesThatAreNotWhole) {
  const Mesh mesh = rectangle(3, 2, CellStyle::quadrilaterals, false);
  std::vector<std::byte> bytes = to_bytes(make_part(mesh, cut(mesh, 2), 0, GhostLayer::sides));
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_THROW(from_bytes(std::span(bytes).first(size)), SystemError) << size << " of " << bytes.size();
  std::vector<std::byte> longer = bytes;
  longer.push_back(std::byte{0});
  EXPECT_THROW(from_bytes(longer), SystemError);
  std::fill_n(bytes.begin(), 8, std::byte{255});  // the first thing that is counted
  EXPECT_THROW(from_bytes(bytes), SystemError);
}

}  // namespace
}  // namespace galerna::mesh
