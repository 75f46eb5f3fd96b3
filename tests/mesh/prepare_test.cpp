#include "mesh/prepare.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <tuple>

#include "base/lattice.hpp"
#include "mesh/box.hpp"
#include "mesh/files.hpp"
#include "mesh/generate.hpp"
#include "mesh/geometry.hpp"
#include "mesh/gmsh_reader.hpp"
#include "mesh/hash.hpp"
#include "mesh/images.hpp"
#include "mesh/quality.hpp"
#include "mesh/side_key.hpp"

namespace galerna::mesh {
namespace {

/// What must hold of every prepared mesh.
void expect_consistent(const Mesh& mesh) {
  std::map<std::pair<Index, int>, int> uses;
  Index boundary_faces = 0;
  int last_boundary = 0;
  for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
    const Face& face = mesh.faces[f];
    ++uses[{face.left.element, face.left.side}];
    if (face.right.element < 0) {
      ++boundary_faces;
      EXPECT_EQ(static_cast<Index>(f), boundary_faces - 1) << "boundary faces come first";
      EXPECT_GE(face.boundary, last_boundary) << "sorted by boundary";
      last_boundary = face.boundary;
      continue;
    }
    EXPECT_EQ(face.boundary, -1);
    ++uses[{face.right.element, face.right.side}];
    EXPECT_LE(face.left.element, face.right.element);
    if (static_cast<Index>(f) > boundary_faces) {
      EXPECT_LE(mesh.faces[f - 1].left.element, face.left.element);
    }
  }
  EXPECT_EQ(mesh.boundary_faces, boundary_faces);
  for (Index e = 0; e < mesh.element_count(); ++e)
    for (int s = 0; s < side_count(mesh.shape(e)); ++s) EXPECT_EQ((uses[{e, s}]), 1) << "every side is in one face";
  std::size_t boundary_sides = 0;
  for (const Boundary& boundary : mesh.boundaries) boundary_sides += boundary.sides.size();
  EXPECT_EQ(static_cast<Index>(boundary_sides), mesh.boundary_faces);
}

/// Both elements of a face between simplices see its corners in the same order, up to one translation.
void expect_matching_points(const Mesh& mesh) {
  for (const Face& face : mesh.faces) {
    if (face.right.element < 0) continue;
    const auto left = corners_of(mesh, face.left), right = corners_of(mesh, face.right);
    ASSERT_EQ(left.size(), right.size());
    Point translation{};
    for (std::size_t c = 0; c < left.size(); ++c) {
      EXPECT_EQ(mesh.image[static_cast<std::size_t>(left[c])], mesh.image[static_cast<std::size_t>(right[c])]);
      const Point &x = mesh.nodes[static_cast<std::size_t>(left[c])],
                  &y = mesh.nodes[static_cast<std::size_t>(right[c])];
      const Point here{y[0] - x[0], y[1] - x[1], y[2] - x[2]};
      if (c == 0) translation = here;
      EXPECT_LT(distance(here, translation), 1e-9);
    }
  }
}

double total_measure(const Mesh& mesh) {
  double sum = 0;
  for (Index e = 0; e < mesh.element_count(); ++e) sum += measure(mesh, e);
  return sum;
}

const PeriodicPair x_periodic{"left", "right", {1, 0, 0}, {"case.toml", 7, 1}};
const PeriodicPair y_periodic{"top", "bottom", {0, -1, 0}, {}};

TEST(Prepare, BuildsFacesOfARectangle) {
  Mesh mesh = make_rectangle(7, 5, {0, 0}, {2, 1}, CellStyle::random_triangles, 0.2);
  prepare(mesh);
  expect_consistent(mesh);
  expect_matching_points(mesh);
  // Euler: nodes − edges + triangles = 1 for a disc.
  EXPECT_EQ(static_cast<Index>(mesh.nodes.size() - mesh.faces.size()) + mesh.element_count(), 1);
  EXPECT_EQ(mesh.boundary_faces, 24);
  ASSERT_EQ(mesh.boundaries.size(), 4U);
  EXPECT_EQ(mesh.boundaries[0].name, "left");
  for (const Side& side : mesh.boundaries[0].sides)
    for (const Index node : corners_of(mesh, side)) EXPECT_EQ(mesh.nodes[static_cast<std::size_t>(node)][0], 0);
  EXPECT_NEAR(total_measure(mesh), 2, 1e-13);
}

TEST(Prepare, SortsTheCornersOfSimplices) {
  Mesh mesh = make_rectangle(4, 4, {0, 0}, {1, 1}, CellStyle::random_triangles);
  prepare(mesh, {{x_periodic}, 1e-6});
  for (Index e = 0; e < mesh.element_count(); ++e) {
    const auto corners = mesh.corners(e);
    for (std::size_t c = 1; c < corners.size(); ++c)
      EXPECT_LE(mesh.image[static_cast<std::size_t>(corners[c - 1])], mesh.image[static_cast<std::size_t>(corners[c])]);
  }
}

TEST(Prepare, JoinsPeriodicBoundariesDownToOneCell) {
  for (const CellStyle style : {CellStyle::triangles, CellStyle::random_triangles, CellStyle::quadrilaterals})
    for (Index n = 1; n <= 5; ++n) {
      SCOPED_TRACE(n);
      Mesh mesh = make_rectangle(n, n, {0, 0}, {1, 1}, style);
      prepare(mesh, {{x_periodic, y_periodic}, 1e-6});
      expect_consistent(mesh);
      EXPECT_EQ(mesh.boundary_faces, 0);
      EXPECT_TRUE(mesh.boundaries.empty());
      const std::set<Index> nodes(mesh.image.begin(), mesh.image.end());
      // Euler characteristic of the torus is 0.
      EXPECT_EQ(static_cast<Index>(nodes.size()) - static_cast<Index>(mesh.faces.size()) + mesh.element_count(), 0);
      if (style != CellStyle::quadrilaterals) expect_matching_points(mesh);
    }
}

TEST(Prepare, OnePeriodicDirectionKeepsTheOtherBoundaries) {
  for (Index n = 1; n <= 4; ++n) {
    Mesh mesh = make_rectangle(n, 3, {0, 0}, {1, 1}, CellStyle::triangles);
    prepare(mesh, {{x_periodic}, 1e-6});
    expect_consistent(mesh);
    expect_matching_points(mesh);
    ASSERT_EQ(mesh.boundaries.size(), 2U) << n;
    EXPECT_EQ(mesh.boundaries[0].name, "bottom");
    EXPECT_EQ(mesh.boundaries[1].name, "top");
    EXPECT_EQ(mesh.boundary_faces, 2 * n);
  }
}

TEST(Prepare, MakesPeriodicBoundariesAgreeToTheLastDigit) {
  // Otherwise their elements disagree about the face between them, and mass leaks there.
  Mesh mesh = make_rectangle(3, 4, {0, 0}, {1, 1}, CellStyle::quadrilaterals);
  for (std::size_t n = 0; n < mesh.nodes.size(); ++n)
    for (std::size_t k = 0; k < 2; ++k) mesh.nodes[n][k] += 1e-12 * std::sin(static_cast<double>(7 * n + k));
  prepare(mesh, {{x_periodic, y_periodic}, 1e-6});
  int images = 0;
  for (std::size_t n = 0; n < mesh.nodes.size(); ++n) {
    const Point &here = mesh.nodes[n], &there = mesh.nodes[static_cast<std::size_t>(mesh.image[n])];
    images += mesh.image[n] != static_cast<Index>(n);
    for (std::size_t k = 0; k < 2; ++k) EXPECT_NEAR(std::remainder(here[k] - there[k], 1), 0, 2e-16) << n;
  }
  EXPECT_EQ(images, 8);
}

/// The message of the error that prepare throws.
std::string refusal(Mesh mesh, const PeriodicPair& pair) {
  try {
    prepare(mesh, {{pair}, 1e-6});
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Prepare, NamesWhatIsWrongWithPeriodicBoundaries) {
  const Mesh mesh = make_rectangle(3, 4);
  EXPECT_NE(refusal(mesh, {"left", "rigth", {1, 0, 0}, {"case.toml", 7, 1}})
                .find("case.toml:7:1: error: periodic boundaries of rectangle: the mesh has no boundary 'rigth', did "
                      "you mean 'right'?"),
            std::string::npos);
  EXPECT_NE(
      refusal(mesh, {"left", "right", {0.9, 0, 0}, {}})
          .find("the node at (0, 0) on 'left' moves to (0.9, 0), where 'right' has no node: the nearest is 0.1 away"),
      std::string::npos);
  EXPECT_NE(refusal(mesh, {"left", "top", {1, 0, 0}, {}}).find("'left' has 4 sides, 'top' has 3"), std::string::npos);
  const Mesh box = make_box({2, 2, 2});
  EXPECT_NE(refusal(box, {"left", "right", {1, 0.1, 0}, {}})
                .find("the node at (0, 0, 0) on 'left' moves to (1, 0.1, 0), where 'right' has no node: the nearest is "
                      "0.1 away"),
            std::string::npos);
}

TEST(Prepare, SidesThatNoGroupNamesBecomeTheUnnamedBoundary) {
  Mesh mesh = make_rectangle(2, 2);
  mesh.boundaries.erase(mesh.boundaries.begin() + 1);
  prepare(mesh);
  expect_consistent(mesh);
  ASSERT_EQ(mesh.boundaries.size(), 4U);
  EXPECT_EQ(mesh.boundaries.back().name, "");
  EXPECT_EQ(mesh.boundaries.back().sides.size(), 2U);
}

TEST(Prepare, MirrorsAMeshOfNegativeElements) {
  for (const std::string name : {"plane-order3-41.msh", "solids-order3-41.msh"}) {
    const Mesh original = read_gmsh(data_file(name));
    Mesh mesh = original;
    for (Point& x : mesh.nodes) x[0] = -x[0];
    Mesh prepared = original;
    prepare(mesh);
    prepare(prepared);
    expect_consistent(mesh);
    EXPECT_NEAR(total_measure(mesh), total_measure(original), 1e-13);
    for (std::size_t b = 0; b < mesh.boundaries.size(); ++b) {
      EXPECT_EQ(mesh.boundaries[b].sides.size(), prepared.boundaries[b].sides.size());
      std::set<SideKey> mirrored, same;
      for (const Side& side : mesh.boundaries[b].sides) mirrored.insert(side_key(corners_of(mesh, side)));
      for (const Side& side : prepared.boundaries[b].sides) same.insert(side_key(corners_of(prepared, side)));
      EXPECT_EQ(mirrored, same) << "boundaries keep their sides";
    }
  }
}

/// The mesh as it would be if its file gave the marked elements the other way round.
Mesh numbered_backwards(const Mesh& mesh, const std::function<bool(Index element)>& marked) {
  Mesh result = mesh;
  Index element = 0;
  for (ElementBlock& block : result.blocks) {
    const auto n = static_cast<std::size_t>(block.nodes_per_element());
    const std::vector<int> order = mirror(block.shape, block.order);
    for (std::size_t e = 0; e < static_cast<std::size_t>(block.size()); ++e, ++element)
      for (std::size_t i = 0; i < n && marked(element); ++i)
        block.nodes[e * n + i] = mesh.element_nodes(element)[static_cast<std::size_t>(order[i])];
  }
  for (Boundary& boundary : result.boundaries)
    for (Side& side : boundary.sides) {
      const SideKey key = side_key(corners_of(mesh, side));
      for (int s = 0; s < side_count(result.shape(side.element)); ++s)
        if (side_key(corners_of(result, {side.element, s})) == key) {
          side.side = s;
          break;
        }
    }
  return result;
}

void expect_equal(const Mesh& a, const Mesh& b) {
  ASSERT_EQ(a.blocks.size(), b.blocks.size());
  for (std::size_t i = 0; i < a.blocks.size(); ++i) {
    EXPECT_EQ(a.blocks[i].nodes, b.blocks[i].nodes);
    EXPECT_EQ(a.blocks[i].source, b.blocks[i].source);
  }
  const auto same = [](const Side& x, const Side& y) { return x.element == y.element && x.side == y.side; };
  ASSERT_EQ(a.faces.size(), b.faces.size());
  for (std::size_t f = 0; f < a.faces.size(); ++f)
    EXPECT_TRUE(same(a.faces[f].left, b.faces[f].left) && same(a.faces[f].right, b.faces[f].right) &&
                a.faces[f].boundary == b.faces[f].boundary);
  ASSERT_EQ(a.boundaries.size(), b.boundaries.size());
  for (std::size_t i = 0; i < a.boundaries.size(); ++i)
    EXPECT_TRUE(std::equal(a.boundaries[i].sides.begin(), a.boundaries[i].sides.end(), b.boundaries[i].sides.begin(),
                           b.boundaries[i].sides.end(), same));
  EXPECT_EQ(hash(a), hash(b));
}

TEST(Prepare, TurnsRoundElementsOfEveryShapeAndOrder) {
  for (const std::string shapes : {"plane", "solids"})
    for (int order = 1; order <= 4; ++order) {
      const Mesh original = read_gmsh(data_file(fmt::format("{}-order{}-41.msh", shapes, order)));
      Mesh expected = original;
      for (Point& x : expected.nodes) x[0] += 0.02 * std::sin(2 * x[1]);  // curved elements
      const Mesh moved = expected;
      prepare(expected);
      EXPECT_EQ(expected.turned, 0);
      for (int marks = 1; marks < 1 << original.element_count(); ++marks) {
        Mesh mesh = numbered_backwards(moved, [&](Index e) { return (marks >> e & 1) != 0; });
        prepare(mesh);
        EXPECT_EQ(mesh.turned, std::popcount(static_cast<unsigned>(marks)));
        expect_equal(mesh, expected);
      }
    }
}

TEST(Prepare, TurnsRoundElementsOfPeriodicMeshes) {
  for (const CellStyle style : {CellStyle::random_triangles, CellStyle::quadrilaterals}) {
    Mesh expected = make_rectangle(4, 3, {0, 0}, {1, 1}, style, 0.1);
    Mesh mesh = numbered_backwards(expected, [](Index e) { return e % 3 != 1; });
    prepare(mesh, {{x_periodic, y_periodic}, 1e-6});
    prepare(expected, {{x_periodic, y_periodic}, 1e-6});
    expect_equal(mesh, expected);
    EXPECT_EQ(mesh.turned, 2 * mesh.element_count() / 3);
    EXPECT_NE(describe(mesh).find(fmt::format("{} of {} elements are oriented negatively in the file", mesh.turned,
                                              mesh.element_count())),
              std::string::npos);
  }
}

TEST(Prepare, RefusesFoldedMeshesHoweverTheyAreNumbered) {
  Mesh folded = make_rectangle(4, 4, {0, 0}, {1, 1}, CellStyle::triangles);
  for (Point& x : folded.nodes)
    if (x[0] == 0.5 && x[1] == 0.5) x = {0.9, 0.5, 0};  // beyond the edge opposite to it in its right neighbours
  for (int step = 1; step <= 4; ++step) {
    Mesh mesh = numbered_backwards(folded, [&](Index e) { return e % step == 1; });
    try {
      prepare(mesh);
      FAIL() << "the mesh was accepted";
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("are on the same side of the edge between them"), std::string::npos)
          << error.what();
    }
  }
}

TEST(Prepare, RefusesTetrahedraThatLieOverOneAnother) {
  // Two tetrahedra with a common face, whose apexes are on the same side of it.
  Mesh mesh;
  mesh.dimension = 3;
  mesh.nodes = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.3, 0.3, 0.5}};
  mesh.image = own_images(5);
  mesh.blocks = {{Shape::tetrahedron, 1, {0, 1, 2, 3, 0, 2, 1, 4}, {-1, -1}, {0, 1}}};
  EXPECT_THROW(prepare(mesh), InputError);
  mesh.nodes[4][2] = -0.5;
  EXPECT_NO_THROW(prepare(mesh));
}

TEST(Prepare, CarriesNodesOfHighOrderAlong) {
  for (const std::string name : {"plane-order4-41.msh", "solids-order4-41.msh"}) {
    Mesh mesh = read_gmsh(data_file(name));
    for (Point& x : mesh.nodes) x[0] = -x[0];
    prepare(mesh);
    for (const ElementBlock& block : mesh.blocks) {
      if (block.shape != Shape::triangle && block.shape != Shape::tetrahedron) continue;
      const auto lattice = node_lattice(block.shape, block.order);
      const auto corner = [&](std::size_t c) { return mesh.nodes[static_cast<std::size_t>(block.nodes[c])]; };
      for (std::size_t n = 0; n < lattice.size(); ++n) {
        Point expected = corner(0);
        for (std::size_t axis = 0; axis < static_cast<std::size_t>(mesh.dimension); ++axis)
          for (std::size_t k = 0; k < 3; ++k)
            expected[k] += lattice[n][axis] / static_cast<double>(block.order) * (corner(axis + 1)[k] - corner(0)[k]);
        EXPECT_LT(distance(expected, mesh.nodes[static_cast<std::size_t>(block.nodes[n])]), 1e-12);
      }
    }
  }
}

TEST(Prepare, StraightTetrahedraOfHigherOrderAreOfOrder1) {
  Mesh mesh = read_gmsh(data_file("solids-order3-41.msh"));
  const auto tetrahedra = std::find_if(mesh.blocks.begin(), mesh.blocks.end(),
                                       [](const ElementBlock& b) { return b.shape == Shape::tetrahedron; });
  const Index count = tetrahedra->size();
  ASSERT_GE(count, 1);
  prepare(mesh);
  EXPECT_EQ(mesh.blocks.front().shape, Shape::tetrahedron);
  EXPECT_EQ(mesh.blocks.front().order, 1);
  EXPECT_EQ(mesh.blocks.front().size(), count);
  expect_consistent(mesh);
  // One of two is curved.
  Mesh pair;
  pair.file = "pair.msh";
  pair.dimension = 3;
  pair.nodes = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
  pair.blocks = {{Shape::tetrahedron, 2, {}, {-1, -1}, {0, 1}}};
  for (const std::array<Index, 4>& corners : {std::array<Index, 4>{0, 1, 2, 3}, {1, 4, 2, 3}}) {
    pair.blocks[0].nodes.insert(pair.blocks[0].nodes.end(), corners.begin(), corners.end());
    for (const auto& [a, b] : {std::pair{0, 1}, {1, 2}, {2, 0}, {3, 0}, {3, 2}, {3, 1}}) {
      const Point &x = pair.nodes[static_cast<std::size_t>(corners[static_cast<std::size_t>(a)])],
                  &y = pair.nodes[static_cast<std::size_t>(corners[static_cast<std::size_t>(b)])];
      pair.blocks[0].nodes.push_back(static_cast<Index>(pair.nodes.size()));
      pair.nodes.push_back({(x[0] + y[0]) / 2, (x[1] + y[1]) / 2, (x[2] + y[2]) / 2});
    }
  }
  pair.nodes[static_cast<std::size_t>(pair.blocks[0].nodes[4])][1] -= 0.1;
  pair.boundaries = {{"curved", {{0, 3}}}, {"straight", {{1, 2}}}};
  pair.image = own_images(pair.nodes.size());
  prepare(pair);
  ASSERT_EQ(pair.blocks.size(), 2U);
  EXPECT_EQ(pair.blocks[0].source, std::vector<Index>{1});
  EXPECT_EQ(pair.blocks[1].source, std::vector<Index>{0});
  EXPECT_EQ(pair.blocks[1].order, 2);
  expect_consistent(pair);
  for (const Boundary& boundary : pair.boundaries)
    if (!boundary.name.empty()) {
      EXPECT_EQ(boundary.sides.at(0).element, boundary.name == "curved" ? 1 : 0);
      // The side of the corners 0, 1, 2, and that of the corners 1, 4, 3.
      Point sum{};
      for (const Index node : corners_of(pair, boundary.sides[0]))
        for (std::size_t k = 0; k < 3; ++k) sum[k] += pair.nodes[static_cast<std::size_t>(node)][k];
      EXPECT_EQ(sum[2], boundary.name == "curved" ? 0 : 2);
    }
}

TEST(Prepare, JoinsAllShapesAtTheirFaces) {
  Mesh mesh = read_gmsh(data_file("solids-order2-41.msh"));
  prepare(mesh);
  expect_consistent(mesh);
  EXPECT_EQ(mesh.faces.size() - static_cast<std::size_t>(mesh.boundary_faces), 3U);
}

TEST(Prepare, RefusesTrianglesOnAQuadrilateralFace) {
  // A cube, and a prism and two tetrahedra of the cube's right side's corners and a point behind it.
  Mesh mesh;
  mesh.file = "split.msh";
  mesh.dimension = 3;
  mesh.nodes = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}, {2, 0.5, 0.5}};
  mesh.image = own_images(mesh.nodes.size());
  mesh.blocks = {{Shape::tetrahedron, 1, {1, 2, 6, 8, 1, 6, 5, 8}, {-1, -1}, {0, 1}},
                 {Shape::hexahedron, 1, {0, 1, 2, 3, 4, 5, 6, 7}, {-1}, {2}}};
  const auto refusal_of = [](Mesh bad) -> std::string {
    try {
      prepare(bad);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_NE(refusal_of(mesh).find("a quadrilateral face of hexahedron 3 at (0.5, 0.5, 0.5) meets a triangular one of "
                                  "tetrahedron 1 at (1.25, 0.625, 0.375)"),
            std::string::npos)
      << refusal_of(mesh);
  // A pyramid fits, and so do walls of both sides.
  Mesh fits = mesh;
  fits.blocks[0] = {Shape::pyramid, 1, {1, 2, 6, 5, 8}, {-1}, {0}};
  fits.blocks[1].source = {1};
  EXPECT_EQ(refusal_of(fits), "accepted");
  mesh.boundaries = {{"wall", {{2, 3}, {0, 3}, {1, 3}}}};
  EXPECT_EQ(refusal_of(mesh), "accepted");
}

TEST(Prepare, NumbersNeighboursNearOneAnother) {
  Mesh mesh = make_rectangle(32, 32, {0, 0}, {1, 1}, CellStyle::quadrilaterals);
  prepare(mesh);
  // Along a Hilbert curve of a square grid every element follows a neighbour.
  for (Index e = 1; e < mesh.element_count(); ++e)
    EXPECT_NEAR(distance(centroid(mesh, e - 1), centroid(mesh, e)), 1.0 / 32, 1e-9);
}

TEST(Prepare, IsDeterministicAndDoesNotDependOnTheOrderOfTheFile) {
  Mesh first = make_rectangle(6, 6, {0, 0}, {1, 1}, CellStyle::random_triangles, 0.1), second = first;
  prepare(first);
  prepare(second);
  EXPECT_EQ(first.blocks[0].nodes, second.blocks[0].nodes);
  EXPECT_EQ(first.blocks[0].source, second.blocks[0].source);
  std::vector<Index> sources = first.blocks[0].source;
  std::sort(sources.begin(), sources.end());
  for (std::size_t e = 0; e < sources.size(); ++e) EXPECT_EQ(sources[e], static_cast<Index>(e));
}

TEST(Prepare, AcceptsWallsOfNoThicknessThatHaveAName) {
  // Two squares side by side whose common edge is a wall: its nodes are there twice, and one side has one node more.
  const std::string text =
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n9\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n5 1 0 0\n6 2 0 0\n7 2 1 "
      "0\n8 1 1 0\n"
      "9 1 0.5 0\n$EndNodes\n$Elements\n7\n1 1 2 1 1 2 3\n2 1 2 1 1 5 9\n3 1 2 1 1 9 8\n4 3 2 2 1 1 2 3 4\n5 2 2 2 1 5 "
      "6 9\n"
      "6 2 2 2 1 9 6 7\n7 2 2 2 1 9 7 8\n$EndElements\n";
  Mesh mesh = read_gmsh_text(text, "wall.msh");
  prepare(mesh);
  expect_consistent(mesh);
  std::string unnamed = text;
  unnamed.replace(unnamed.find("7\n1 1 2 1 1 2 3\n2 1 2 1 1 5 9\n3 1 2 1 1 9 8\n"), 46, "4\n");
  Mesh hanging = read_gmsh_text(unnamed, "wall.msh");
  EXPECT_THROW(prepare(hanging), InputError);
}

}  // namespace
}  // namespace galerna::mesh
