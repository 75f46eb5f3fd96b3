#include "mesh/gmsh_reader.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/lattice.hpp"
#include "mesh/files.hpp"
#include "mesh/geometry.hpp"
#include "mesh/hash.hpp"
#include "mesh/prepare.hpp"
#include "mesh/quality.hpp"
#include "mesh/side_key.hpp"
#include "mesh/true_area.hpp"

namespace galerna::mesh {
namespace {

const std::vector<std::string> formats = {"22", "22-binary", "41", "41-binary"};

std::string file_name(const std::string& mesh, int order, const std::string& format) {
  return mesh + "-order" + std::to_string(order) + "-" + format + ".msh";
}

std::map<std::string, std::size_t> side_counts(const Mesh& mesh) {
  std::map<std::string, std::size_t> counts;
  for (const Boundary& boundary : mesh.boundaries) counts[boundary.name] = boundary.sides.size();
  return counts;
}

/// Values at x of the functions that are one at one corner and zero at the others: linear, bilinear, trilinear; on
/// pyramids the rational ones (any of that kind reproduces straight elements).
std::vector<double> corner_weights(Shape shape, const std::array<double, 3>& x) {
  const auto [r, s, t] = x;
  const auto box = [](double c, double v) { return (1 + c * v) / 2; };
  std::vector<double> weights;
  for (int i = 0; i < corner_count(shape); ++i) {
    const auto c = reference_corner(shape, i);
    const double simplex = c[0] == 1 ? r : c[1] == 1 ? s : 1 - r - s;
    switch (shape) {
      case Shape::triangle:
        weights.push_back(simplex);
        break;
      case Shape::tetrahedron:
        weights.push_back(c[2] == 1 ? t : c[0] == 1 ? r : c[1] == 1 ? s : 1 - r - s - t);
        break;
      case Shape::prism:
        weights.push_back(simplex * box(c[2], t));
        break;
      case Shape::quadrilateral:
        weights.push_back(box(c[0], r) * box(c[1], s));
        break;
      case Shape::hexahedron:
        weights.push_back(box(c[0], r) * box(c[1], s) * box(c[2], t));
        break;
      default:
        weights.push_back(c[2] == 1 ? t : t < 1 ? (1 - t) * box(c[0], r / (1 - t)) * box(c[1], s / (1 - t)) : 0);
    }
  }
  return weights;
}

TEST(ReadGmsh, PutsNodesOfEveryOrderWhereTheLatticeSays) {
  for (const std::string mesh_name : {"plane", "solids"})
    for (int order = 1; order <= 6; ++order) {
      const Mesh mesh = read_gmsh(data_file(file_name(mesh_name, order, "41")));
      for (const ElementBlock& block : mesh.blocks) {
        EXPECT_EQ(block.order, order);
        const auto lattice = node_lattice(block.shape, order);
        ASSERT_EQ(static_cast<int>(lattice.size()), node_count(block.shape, order));
        for (std::size_t n = 0; n < lattice.size(); ++n) {
          const auto weights = corner_weights(block.shape, reference_point(block.shape, order, lattice[n]));
          Point expected{};
          for (std::size_t c = 0; c < weights.size(); ++c)
            for (std::size_t k = 0; k < 3; ++k)
              expected[k] += weights[c] * mesh.nodes[static_cast<std::size_t>(block.nodes[c])][k];
          EXPECT_LT(distance(mesh.nodes[static_cast<std::size_t>(block.nodes[n])], expected), 1e-12)
              << plural_name(block.shape) << " order " << order << " node " << n;
        }
      }
    }
}

TEST(ReadGmsh, AllFormatsGiveTheSameMesh) {
  for (const std::string mesh_name : {"plane", "solids"})
    for (int order = 1; order <= 6; ++order) {
      const Mesh first = read_gmsh(data_file(file_name(mesh_name, order, "22")));
      for (const std::string& format : formats) {
        SCOPED_TRACE(file_name(mesh_name, order, format));
        const Mesh mesh = read_gmsh(data_file(file_name(mesh_name, order, format)));
        EXPECT_EQ(mesh.element_count(), mesh.dimension == 2 ? 2 : 4);
        EXPECT_EQ(mesh.region_names, std::vector<std::string>{"fluid"});
        EXPECT_EQ(side_counts(mesh), side_counts(first));
        ASSERT_EQ(mesh.blocks.size(), first.blocks.size());
        double difference = 0;
        for (std::size_t b = 0; b < mesh.blocks.size(); ++b) {
          ASSERT_EQ(mesh.blocks[b].nodes.size(), first.blocks[b].nodes.size());
          for (std::size_t n = 0; n < mesh.blocks[b].nodes.size(); ++n)
            difference =
                std::max(difference, distance(mesh.nodes[static_cast<std::size_t>(mesh.blocks[b].nodes[n])],
                                              first.nodes[static_cast<std::size_t>(first.blocks[b].nodes[n])]));
        }
        EXPECT_LT(difference, 1e-12);
      }
    }
}

TEST(ReadGmsh, ReadsCurvedElementsOfOrders5And6) {
  for (const int order : {5, 6}) {
    Mesh mesh = read_gmsh(data_file("disc-order" + std::to_string(order) + ".msh"));
    for (const ElementBlock& block : mesh.blocks) EXPECT_EQ(block.order, order);
    const std::map<std::string, std::size_t> sides = {{"rim", 8}};
    EXPECT_EQ(side_counts(mesh), sides);
    prepare(mesh);  // proves that no element is folded
    EXPECT_EQ(mesh.turned, 0);
    EXPECT_NEAR(true_area(mesh), M_PI, 1e-6) << order;
    EXPECT_EQ(quality(mesh).curved, 8);
  }
}

TEST(ReadGmsh, NamesBoundariesAndRegions) {
  const Mesh mesh = read_gmsh(data_file(file_name("solids", 2, "41-binary")));
  const std::map<std::string, std::size_t> expected = {{"bottom", 2}, {"rest", 12}};
  EXPECT_EQ(side_counts(mesh), expected);
  for (const Boundary& boundary : mesh.boundaries)
    for (const Side& side : boundary.sides)
      for (const Index node : corners_of(mesh, side)) {
        if (boundary.name != "bottom") continue;
        EXPECT_EQ(mesh.nodes[static_cast<std::size_t>(node)][2], 0);
      }
}

TEST(ReadGmsh, SourcesNumberTheElementsOfTheFile) {
  const Mesh mesh = read_gmsh(data_file(file_name("solids", 1, "22")));
  std::vector<Index> sources;
  for (const ElementBlock& block : mesh.blocks) sources.insert(sources.end(), block.source.begin(), block.source.end());
  std::sort(sources.begin(), sources.end());
  EXPECT_EQ(sources, (std::vector<Index>{0, 1, 2, 3}));
}

TEST(ReadGmsh, GroupsWithoutANameAreCalledByTheirNumberAndSidesWithoutGroupHaveNoBoundary) {
  const Mesh mesh = read_gmsh_text(R"($MeshFormat
2.2 0 8
$EndMeshFormat
$Comments
anything at all
$EndComments
$Nodes
4
1000000007 0 0 3
2 1 0 3
7 1 1 3
9 0 1 3
$EndNodes
$Elements
4
1 1 2 -17 1 1000000007 2
2 1 2 0 1 2 7
3 2 2 42 1 1000000007 2 7
4 2 2 0 1 1000000007 7 9
$EndElements
)",
                                   "sparse.msh");
  ASSERT_EQ(mesh.boundaries.size(), 1U);
  EXPECT_EQ(mesh.boundaries[0].name, "17");
  EXPECT_EQ(mesh.region_names, std::vector<std::string>{"42"});
  EXPECT_EQ(mesh.blocks[0].region, (std::vector<int>{0, -1}));
  EXPECT_EQ(mesh.blocks[0].nodes, (std::vector<Index>{0, 1, 2, 0, 2, 3}));
}

TEST(ReadGmsh, PassesOverTextAndSectionsThatItDoesNotKnow) {
  const std::string before =
      "written by a mesh generator\n$Comments\nnot yet:\n$MeshFormat\n9.5 0 8\n$EndMeshFormat\n$EndComments\n\n";
  const std::string between = "$Comments\nNodes follow, $EndComments comes later\n  $EndComments\n";
  for (const std::string& format : formats)
    for (const std::string& start : {std::string("\xEF\xBB\xBF"), before, "$ no section\r\n" + before}) {
      SCOPED_TRACE(format);
      const std::string plain = content(data_file(file_name("plane", 3, format)));
      // Bytes that look like the section's end but for the rest of the word.
      const std::string data = "$NodeData\n$EndNodeDatabase" + std::string("\0\n\xFF", 3) + "\n$EndNodeData\n";
      std::string bytes = start + plain;
      bytes.insert(bytes.find("$Nodes"), between);
      const Mesh mesh = read_gmsh_text(bytes + data, "text.msh"), expected = read_gmsh_text(plain, "plain.msh");
      EXPECT_EQ(hash(mesh), hash(expected));
      EXPECT_EQ(side_counts(mesh), side_counts(expected));
    }
}

TEST(ReadGmsh, NamedSidesInsideTheDomainAreNoBoundary) {
  const Mesh mesh = read_gmsh_text(
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n$EndNodes\n"
      "$Elements\n3\n1 1 2 5 1 1 3\n2 2 2 1 1 1 2 3\n3 2 2 1 1 1 3 4\n$EndElements\n",
      "interface.msh");
  EXPECT_TRUE(mesh.boundaries.empty());
}

TEST(ReadGmsh, ReadsPeriodicityOfBothFormats) {
  for (const std::string& format : formats) {
    SCOPED_TRACE(format);
    Mesh mesh = read_gmsh(data_file("periodic-" + format + ".msh"));
    Index images = 0;
    for (std::size_t n = 0; n < mesh.image.size(); ++n) {
      if (mesh.image[n] == static_cast<Index>(n)) continue;
      ++images;
      const Point &x = mesh.nodes[n], &y = mesh.nodes[static_cast<std::size_t>(mesh.image[n])];
      EXPECT_TRUE(std::abs(std::abs(x[0] - y[0]) - 1) < 1e-9 || std::abs(std::abs(x[1] - y[1]) - 1) < 1e-9);
    }
    // The four corners are one node, and three nodes on either pair of sides have an image: Gmsh writes corners of
    // elements only.
    EXPECT_EQ(images, 3 + 2 * 3);
    prepare(mesh);
    EXPECT_EQ(mesh.boundary_faces, 0);
    EXPECT_TRUE(mesh.boundaries.empty());
    EXPECT_EQ(static_cast<Index>(mesh.faces.size()) * 2, mesh.element_count() * 3);
  }
}

TEST(ReadGmsh, HashTellsMeshesApartAndSurvivesPreparation) {
  Mesh mesh = read_gmsh(data_file("periodic-41.msh"));
  const std::uint64_t before = hash(mesh);
  prepare(mesh);
  EXPECT_EQ(hash(mesh), before);
  mesh.nodes[20][0] += 1e-15;
  EXPECT_NE(hash(mesh), before);
  EXPECT_NE(hash(read_gmsh(data_file(file_name("plane", 1, "22")))), before);
}

// Coefficients of an element mean something else once it begins at another corner. prepare() sorts those of simplices.
TEST(ReadGmsh, HashKnowsAtWhichCornerElementsBegin) {
  const std::map<Shape, std::vector<std::size_t>> turns = {
      {Shape::triangle, {1, 2, 0}},       {Shape::quadrilateral, {1, 2, 3, 0}},
      {Shape::tetrahedron, {1, 2, 0, 3}}, {Shape::pyramid, {1, 2, 3, 0, 4}},
      {Shape::prism, {1, 2, 0, 4, 5, 3}}, {Shape::hexahedron, {1, 2, 3, 0, 5, 6, 7, 4}}};
  std::size_t shapes = 0;
  for (const std::string name : {"plane", "solids"}) {
    Mesh original = read_gmsh(data_file(file_name(name, 1, "41")));
    for (std::size_t b = 0; b < original.blocks.size(); ++b) {
      Mesh mesh = original;
      ElementBlock& block = mesh.blocks[b];
      const std::vector<std::size_t>& turn = turns.at(block.shape);
      for (std::size_t k = 0; k < turn.size(); ++k) block.nodes[k] = original.blocks[b].nodes[turn[k]];
      EXPECT_EQ(hash(mesh) == hash(original), is_simplex(block.shape)) << name << ", block " << b;
      ++shapes;
    }
  }
  EXPECT_GE(shapes, 6u);
}

}  // namespace
}  // namespace galerna::mesh
