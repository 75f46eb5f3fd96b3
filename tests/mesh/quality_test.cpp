#include "mesh/quality.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>
#include <stdexcept>

#include "base/error.hpp"
#include "mesh/box.hpp"
#include "mesh/files.hpp"
#include "mesh/generate.hpp"
#include "mesh/geometry.hpp"
#include "mesh/gmsh_reader.hpp"
#include "mesh/gmsh_writer.hpp"
#include "mesh/hash.hpp"
#include "mesh/images.hpp"
#include "mesh/prepare.hpp"

namespace galerna::mesh {
namespace {

Mesh single(Shape shape, const std::vector<Point>& nodes) {
  Mesh mesh;
  mesh.dimension = dimension(shape);
  mesh.nodes = nodes;
  mesh.image = own_images(nodes.size());
  mesh.blocks = {{shape, 1, own_images(nodes.size()), {-1}, {0}}};
  return mesh;
}

Mesh reference_element(Shape shape) {
  std::vector<Point> nodes;
  for (int c = 0; c < corner_count(shape); ++c) nodes.push_back(reference_corner(shape, c));
  return single(shape, nodes);
}

TEST(Geometry, MeasuresReferenceElements) {
  for (const Shape shape : all_shapes) {
    if (dimension(shape) < 2) continue;
    const Mesh mesh = reference_element(shape);
    EXPECT_NEAR(measure(mesh, 0), reference_measure(shape), 1e-15) << name(shape);
    EXPECT_EQ(orientation(mesh, 0), Orientation::positive) << name(shape);
  }
}

TEST(Geometry, MeasuresATwistedHexahedron) {
  Mesh mesh = reference_element(Shape::hexahedron);
  mesh.nodes[6] = {1.7, 1.4, 1.9};
  mesh.nodes[0] = {-1.2, -0.8, -1.1};
  // The Jacobian of a trilinear map is a polynomial that two Gauss points in each direction integrate exactly.
  double volume = 0;
  const double g = 1 / std::sqrt(3.0);
  for (int point = 0; point < 8; ++point) {
    const double r[3] = {point & 1 ? g : -g, point & 2 ? g : -g, point & 4 ? g : -g};
    double j[3][3] = {};
    for (int c = 0; c < 8; ++c) {
      const auto s = reference_corner(Shape::hexahedron, c);
      for (std::size_t d = 0; d < 3; ++d) {
        double weight = s[d] / 8;
        for (std::size_t other = 0; other < 3; ++other)
          if (other != d) weight *= 1 + s[other] * r[other];
        for (std::size_t k = 0; k < 3; ++k) j[d][k] += weight * mesh.nodes[static_cast<std::size_t>(c)][k];
      }
    }
    volume += j[0][0] * (j[1][1] * j[2][2] - j[1][2] * j[2][1]) - j[0][1] * (j[1][0] * j[2][2] - j[1][2] * j[2][0]) +
              j[0][2] * (j[1][0] * j[2][1] - j[1][1] * j[2][0]);
  }
  EXPECT_NEAR(measure(mesh, 0), volume, 1e-13);
}

TEST(Geometry, InscribedDiametersAndAspects) {
  const Mesh equilateral = single(Shape::triangle, {{0, 0, 0}, {1, 0, 0}, {0.5, std::sqrt(3.0) / 2, 0}});
  EXPECT_NEAR(inscribed_diameter(equilateral, 0), 1 / std::sqrt(3.0), 1e-15);
  EXPECT_NEAR(aspect(equilateral, 0), 1, 1e-14);
  // 3-4-5: inradius 1, circumradius 5/2.
  const Mesh right = single(Shape::triangle, {{0, 0, 0}, {4, 0, 0}, {0, 3, 0}});
  EXPECT_NEAR(inscribed_diameter(right, 0), 2, 1e-15);
  EXPECT_NEAR(aspect(right, 0), 1.25, 1e-14);
  const Mesh regular = single(Shape::tetrahedron, {{1, 1, 1}, {-1, 1, -1}, {1, -1, -1}, {-1, -1, 1}});
  EXPECT_NEAR(inscribed_diameter(regular, 0), 2 / std::sqrt(3.0), 1e-14);
  EXPECT_NEAR(aspect(regular, 0), 1, 1e-13);
  EXPECT_NEAR(inscribed_diameter(reference_element(Shape::quadrilateral), 0), 2, 1e-15);
  EXPECT_NEAR(inscribed_diameter(reference_element(Shape::hexahedron), 0), 2, 1e-15);
  EXPECT_NEAR(aspect(reference_element(Shape::hexahedron), 0), 1, 1e-15);
}

TEST(Geometry, AnglesBetweenSides) {
  const auto expect = [](const Mesh& mesh, double least, double most) {
    const auto angles = dihedral_angles(mesh, 0);
    EXPECT_NEAR(angles[0], least, 1e-9);
    EXPECT_NEAR(angles[1], most, 1e-9);
  };
  expect(single(Shape::tetrahedron, {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}}),
         std::acos(1.0 / 3) * 180 / M_PI, std::acos(1.0 / 3) * 180 / M_PI);
  expect(reference_element(Shape::tetrahedron), std::acos(1 / std::sqrt(3.0)) * 180 / M_PI, 90);
  expect(reference_element(Shape::hexahedron), 90, 90);
  expect(reference_element(Shape::prism), 45, 90);
  // A pyramid as high as half its side: 45 degrees at the base, 120 between neighbours.
  expect(reference_element(Shape::pyramid), 45, 120);
  const Mesh box = make_box({2, 2, 2});
  EXPECT_NEAR(quality(box).smallest_angle.value, 45, 1e-9);
  EXPECT_NEAR(quality(box).largest_angle.value, 90, 1e-9);
  EXPECT_NE(describe(box).find("smallest angle    45, tetrahedron"), std::string::npos) << describe(box);
}

TEST(Quality, FindsTheExtremeElements) {
  Mesh mesh = make_rectangle(3, 1, {0, 0}, {3, 1}, CellStyle::quadrilaterals);
  for (Point& x : mesh.nodes)
    if (x[0] == 2) x[0] = 2.5;
  const Quality q = quality(mesh);
  EXPECT_EQ(q.smallest_measure.element, 2);
  EXPECT_NEAR(q.smallest_measure.value, 0.5, 1e-15);
  EXPECT_EQ(q.largest_measure.element, 1);
  EXPECT_NEAR(q.smallest_diameter.value, 2 * 0.5 / 1.5, 1e-15);
  EXPECT_EQ(q.worst_aspect.element, 2);
}

TEST(Quality, DescribesAMesh) {
  Mesh mesh = read_gmsh(data_file("plane-order1-41.msh"));
  prepare(mesh);
  const std::string text = describe(mesh);
  for (const std::string part :
       {"1 triangle of order 1", "1 quadrilateral of order 1", "6 (5 boundary, 1 interior, 0 periodic)",
        "'bottom': 1 side\n", "'rest': 4 sides", "'fluid': 2 elements", "(0, 0) to (1.5, 1)", "smallest area"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  Mesh periodic = read_gmsh(data_file("periodic-41.msh"));
  prepare(periodic);
  EXPECT_NE(describe(periodic).find("9 nodes are the image of another"), std::string::npos);
  EXPECT_NE(describe(periodic).find("0 boundary"), std::string::npos);
  EXPECT_NE(describe(periodic).find("none: every side has an element on both sides"), std::string::npos);
}

Mesh written_and_read(const Mesh& mesh) {
  std::ostringstream stream;
  write_gmsh(mesh, stream);
  return read_gmsh_text(stream.str(), mesh.file);
}

TEST(WriteGmsh, GivesTheSameMeshAgain) {
  for (const std::string name : {"plane-order1-41.msh", "plane-order3-41.msh", "solids-order1-41.msh",
                                 "solids-order4-22.msh", "periodic-41.msh"}) {
    SCOPED_TRACE(name);
    const Mesh mesh = read_gmsh(data_file(name));
    Mesh prepared = mesh;
    prepare(prepared);
    const Mesh again = written_and_read(mesh);
    EXPECT_EQ(hash(again), hash(mesh));
    EXPECT_EQ(again.nodes, mesh.nodes);
    EXPECT_EQ(again.image, mesh.image);
    EXPECT_EQ(again.region_names, mesh.region_names);
    ASSERT_EQ(again.boundaries.size(), mesh.boundaries.size());
    for (std::size_t b = 0; b < mesh.boundaries.size(); ++b) {
      EXPECT_EQ(again.boundaries[b].name, mesh.boundaries[b].name);
      EXPECT_EQ(again.boundaries[b].sides.size(), mesh.boundaries[b].sides.size());
    }
    for (std::size_t b = 0; b < mesh.blocks.size(); ++b) EXPECT_EQ(again.blocks[b].nodes, mesh.blocks[b].nodes);
    Mesh from_prepared = written_and_read(prepared);
    EXPECT_EQ(hash(from_prepared), hash(prepared));
    EXPECT_NO_THROW(prepare(from_prepared));
  }
}

TEST(WriteGmsh, RefusesAFolderThatIsNotThere) {
  EXPECT_THROW(write_gmsh(make_rectangle(1, 1), data_file("no-such-folder/mesh.msh")), SystemError);
}

TEST(MakeRectangle, JittersOnlyInteriorNodes) {
  const Mesh mesh = make_rectangle(5, 4, {-1, 0}, {1, 3}, CellStyle::random_triangles, 0.2);
  const Box box = bounding_box(mesh);
  EXPECT_EQ(box.lower, (Point{-1, 0, 0}));
  EXPECT_EQ(box.upper, (Point{1, 3, 0}));
  EXPECT_EQ(mesh.element_count(), 40);
  EXPECT_NE(quality(mesh).smallest_measure.value, quality(mesh).largest_measure.value);
  for (Index e = 0; e < mesh.element_count(); ++e) EXPECT_EQ(orientation(mesh, e), Orientation::positive);
  EXPECT_THROW(make_rectangle(0, 1), std::invalid_argument);
}

}  // namespace
}  // namespace galerna::mesh
