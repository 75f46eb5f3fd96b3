// Elements of other shapes as triangles and tetrahedra.
#include "mesh/split.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "base/error.hpp"
#include "dg/solids.hpp"
#include "mesh/box.hpp"
#include "mesh/generate.hpp"
#include "mesh/prepare.hpp"

namespace galerna::tests {
namespace {

using mesh::Index;

double measure_of(const mesh::Mesh& mesh) {
  double sum = 0;
  for (Index element = 0; element < mesh.element_count(); ++element) {
    const std::vector<Index> corners = mesh.corners(element);
    std::array<mesh::Point, 3> e{};
    for (std::size_t c = 0; c + 1 < corners.size(); ++c)
      for (std::size_t k = 0; k < 3; ++k)
        e[c][k] = mesh.nodes[static_cast<std::size_t>(corners[c + 1])][k] -
                  mesh.nodes[static_cast<std::size_t>(corners[0])][k];
    if (mesh.dimension == 2) e[2] = {0, 0, 3};
    const double volume = e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) -
                          e[0][1] * (e[1][0] * e[2][2] - e[1][2] * e[2][0]) +
                          e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]);
    sum += std::abs(volume) / 6;
  }
  return sum;
}

TEST(Split, QuadrilateralsAreTwoTriangles) {
  mesh::Mesh whole = mesh::make_rectangle(5, 4, {0, 0}, {1, 1}, mesh::CellStyle::quadrilaterals, 0.2);
  mesh::prepare(whole);
  EXPECT_TRUE(mesh::can_be_split(whole));
  const mesh::SplitMesh split = mesh::split(whole);
  EXPECT_FALSE(mesh::can_be_split(split.mesh));
  EXPECT_EQ(split.mesh.element_count(), 40);
  EXPECT_NEAR(measure_of(split.mesh), 1, 1e-14);
  ASSERT_EQ(split.mesh.boundaries.size(), 4U);
  for (std::size_t b = 0; b < 4; ++b) {
    EXPECT_EQ(split.mesh.boundaries[b].name, whole.boundaries[b].name);
    EXPECT_EQ(split.mesh.boundaries[b].sides.size(), whole.boundaries[b].sides.size());
  }
  // Parts of an element keep its place in the file.
  for (std::size_t k = 0; k < 40; ++k)
    EXPECT_EQ(split.mesh.blocks[0].source[k] / 2, whole.blocks[0].source[static_cast<std::size_t>(split.parents[k])]);
}

TEST(Split, SolidsCutTheirCommonSidesAlike) {
  struct Expected {
    Shape shape;
    Index parts, sides;
  };
  for (const auto& [shape, parts, sides] :
       {Expected{Shape::hexahedron, 6, 18}, Expected{Shape::prism, 3, 18}, Expected{Shape::pyramid, 2, 18}}) {
    mesh::Mesh whole = mesh::make_box({3, 3, 3}, {1, 1, 1}, 0.05, shape);
    mesh::prepare(whole);
    // Sides that do not meet would be hanging nodes, or boundary without a name.
    const mesh::SplitMesh split = mesh::split(whole);
    EXPECT_EQ(split.mesh.element_count(), parts * whole.element_count()) << name(shape);
    EXPECT_NEAR(measure_of(split.mesh), 1, 1e-13) << name(shape);
    ASSERT_EQ(split.mesh.boundaries.size(), 6U) << name(shape);
    for (const mesh::Boundary& boundary : split.mesh.boundaries)
      EXPECT_EQ(static_cast<Index>(boundary.sides.size()), sides) << name(shape) << ' ' << boundary.name;
  }
}

TEST(Split, SolidsOfAllShapesSideBySide) {
  mesh::Mesh whole = box_of_all_solids(3);
  mesh::prepare(whole);
  const mesh::SplitMesh split = mesh::split(whole);
  EXPECT_NEAR(measure_of(split.mesh), 1, 1e-13);
  Index outer = 0;
  for (const mesh::Boundary& boundary : split.mesh.boundaries) outer += static_cast<Index>(boundary.sides.size());
  EXPECT_EQ(outer, 2 * (2 * 9 + 4 * 6));
}

TEST(Split, ElementsThatAreTooDistortedAreNamed) {
  mesh::Mesh whole = mesh::make_rectangle(1, 1, {0, 0}, {1, 1}, mesh::CellStyle::quadrilaterals, 0);
  mesh::prepare(whole);
  for (auto& node : whole.nodes)
    if (node[0] > 0.9 && node[1] < 0.1) node = {0.2, 0.3, 0};  // beyond the diagonal of the lowest node
  try {
    mesh::split(whole);
    FAIL() << "was accepted";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("is too distorted to be split into triangles"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace galerna::tests
