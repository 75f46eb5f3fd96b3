#include "mesh/boundaries.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "mesh/box.hpp"
#include "mesh/generate.hpp"
#include "mesh/prepare.hpp"

namespace galerna::mesh {
namespace {

TEST(Boundary, IsFoundByItsName) {
  const Mesh mesh = make_rectangle(2, 2, {0, 0}, {1, 1}, CellStyle::random_triangles, 0);
  EXPECT_EQ(find_boundary(mesh, "top").name, "top");
  EXPECT_EQ(boundary_names(mesh), (std::vector<std::string>{"left", "right", "bottom", "top"}));
  try {
    find_boundary(mesh, "wall");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("left, right, bottom or top"), std::string::npos);
  }
}

TEST(Region, IsFoundByItsName) {
  Mesh mesh = make_rectangle(2, 2, {0, 0}, {1, 1}, CellStyle::random_triangles, 0);
  const auto said_of = [&](const std::string& name) -> std::string {
    try {
      find_region(mesh, name);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  mesh.region_names.clear();
  EXPECT_NE(said_of("west").find("has no region \"west\"; there are no regions"), std::string::npos);
  mesh.region_names = {"west", "east"};
  EXPECT_EQ(find_region(mesh, "east"), 1);
  EXPECT_NE(said_of("lid").find("has no region \"lid\"; its regions are west or east"), std::string::npos);
}

TEST(Boundary, OfSidesWithoutANameIsToldWithPlaceAndRemedy) {
  Mesh named = make_box({1, 1, 1}, {1, 1, 1}, 0, Shape::hexahedron);
  Mesh mesh = named;
  prepare(named);
  EXPECT_EQ(describe_unnamed(named), "");
  for (Boundary& boundary : mesh.boundaries)
    if (boundary.name == "top") boundary.sides.clear();
  mesh.numbers = {17};
  prepare(mesh);
  EXPECT_EQ(describe_unnamed(mesh),
            "1 boundary side belongs to no physical group, at (0.5, 0.5, 1) (hexahedron 17): name it in Gmsh with "
            "Physical Surface(\"name\") = {…}, or mesh the elements that are missing there");
  Mesh plane = make_rectangle(2, 2);
  plane.boundaries.clear();
  prepare(plane);
  const std::string text = describe_unnamed(plane);
  EXPECT_EQ(text.find("8 boundary sides belong to no physical group, at ("), 0U) << text;
  EXPECT_NE(text.find(", …: name them in Gmsh with Physical Curve("), std::string::npos) << text;
}

TEST(Boundary, OfSidesWithoutANameIsToldWithDoubledNodes) {
  // Two squares that meet at one corner, where each has a node of its own.
  Mesh mesh = make_rectangle(2, 2, {0, 0}, {1, 1}, CellStyle::quadrilaterals);
  mesh.boundaries.clear();
  std::vector<Index>& nodes = mesh.blocks[0].nodes;
  const std::vector<Index> corner(nodes.begin() + 12, nodes.end());
  mesh.nodes.push_back(mesh.nodes[4]);  // the middle
  mesh.image.push_back(9);
  nodes.resize(4);
  for (const Index node : corner) nodes.push_back(node == 4 ? 9 : node);
  mesh.blocks[0].region.resize(2);
  mesh.blocks[0].source.resize(2);
  prepare(mesh);
  EXPECT_NE(describe_unnamed(mesh).find("two nodes lie at (0.5, 0.5): if they should be one, join them"),
            std::string::npos)
      << describe_unnamed(mesh);
}

}  // namespace
}  // namespace galerna::mesh
