/// Elements with a corner twice, and the shapes that they are.
#include "mesh/collapse.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include "base/error.hpp"
#include "mesh/gmsh_reader.hpp"
#include "mesh/prepare.hpp"

namespace galerna::mesh {
namespace {

std::optional<Shape> collapsed(Shape shape, const std::vector<Index>& corners) {
  return collapsed_shape(shape, corners);
}

TEST(Collapse, FindsTheShapeThatIsLeft) {
  EXPECT_EQ(collapsed(Shape::quadrilateral, {1, 2, 3, 3}), Shape::triangle);
  EXPECT_EQ(collapsed(Shape::quadrilateral, {1, 2, 3, 1}), Shape::triangle);
  EXPECT_FALSE(collapsed(Shape::quadrilateral, {1, 2, 1, 3}));  // a bow
  EXPECT_EQ(collapsed(Shape::hexahedron, {1, 2, 3, 3, 5, 6, 7, 7}), Shape::prism);
  EXPECT_EQ(collapsed(Shape::hexahedron, {1, 1, 3, 4, 5, 5, 7, 8}), Shape::prism);
  EXPECT_EQ(collapsed(Shape::hexahedron, {1, 2, 3, 4, 1, 2, 7, 8}), Shape::prism);
  EXPECT_EQ(collapsed(Shape::hexahedron, {1, 2, 3, 4, 5, 5, 5, 5}), Shape::pyramid);
  EXPECT_EQ(collapsed(Shape::hexahedron, {1, 2, 3, 3, 5, 5, 5, 5}), Shape::tetrahedron);
  EXPECT_FALSE(collapsed(Shape::hexahedron, {1, 2, 3, 3, 5, 6, 7, 8}));  // one edge of no length
  EXPECT_EQ(collapsed(Shape::prism, {1, 2, 3, 4, 5, 3}), Shape::pyramid);
  EXPECT_EQ(collapsed(Shape::prism, {1, 2, 3, 4, 4, 4}), Shape::tetrahedron);
  EXPECT_FALSE(collapsed(Shape::prism, {1, 1, 3, 4, 5, 6}));
  EXPECT_EQ(collapsed(Shape::pyramid, {1, 2, 3, 3, 5}), Shape::tetrahedron);
  EXPECT_FALSE(collapsed(Shape::pyramid, {1, 2, 3, 4, 4}));
  EXPECT_FALSE(collapsed(Shape::tetrahedron, {1, 2, 3, 3}));
  EXPECT_FALSE(collapsed(Shape::triangle, {1, 2, 2}));
}

/// The unit cube as one element of eight numbered nodes of the given places.
std::string hexahedron(const std::vector<Point>& places, const std::vector<int>& corners) {
  std::string text = fmt::format("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n{}\n", places.size());
  for (std::size_t n = 0; n < places.size(); ++n)
    text += fmt::format("{} {} {} {}\n", n + 1, places[n][0], places[n][1], places[n][2]);
  text += "$EndNodes\n$Elements\n1\n17 5 2 1 1";
  for (const int corner : corners) text += fmt::format(" {}", corner);
  return text + "\n$EndElements\n";
}

std::string refusal(const std::string& text) {
  try {
    Mesh mesh = read_gmsh_text(text, "m.msh");
    prepare(mesh);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

TEST(Collapse, IsSaidOfNodesThatAreThereTwiceAndOfPlaces) {
  std::vector<Point> cube = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
  EXPECT_EQ(refusal(hexahedron(cube, {1, 2, 3, 3, 5, 6, 7, 7})),
            "m.msh:17: error: element 17 (a hexahedron) has node 3 twice: write it as a prism");
  EXPECT_EQ(refusal(hexahedron(cube, {1, 2, 3, 4, 5, 5, 5, 5})),
            "m.msh:17: error: element 17 (a hexahedron) has node 5 4 times: write it as a pyramid");
  EXPECT_NE(refusal(hexahedron(cube, {1, 2, 3, 3, 5, 6, 7, 8})).find("split it into tetrahedra and pyramids"),
            std::string::npos);
  cube[3] = cube[2];
  cube[7] = cube[6];
  EXPECT_EQ(refusal(hexahedron(cube, {1, 2, 3, 4, 5, 6, 7, 8})),
            "m.msh: error: hexahedron 17 at (0.75, 0.5, 0.5) has 2 corners at (1, 1, 0): write it as a prism");
}

}  // namespace
}  // namespace galerna::mesh
