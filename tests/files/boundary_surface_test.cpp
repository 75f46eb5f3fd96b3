#include "files/boundary_surface.hpp"

#include <cmath>
#include <fstream>
#include <sstream>

#include "analysis/field_sampler.hpp"
#include "base/error.hpp"
#include "dg/curved_solids.hpp"
#include "mesh/box.hpp"
#include "solutions.hpp"

namespace galerna::files {
namespace {

using analysis::BlockGradients;
using analysis::BlockSampler;
using analysis::Solution;
using tests::contains;
using tests::project;

double plane(double x, double y, double z) {
  return x + 2 * y - 3 * z;
}

/// A cube of curved elements with its top lifted to z = 1 + 0.2 x (1 − x).
mesh::Mesh vaulted(Shape shape, int order) {
  mesh::Mesh mesh =
      tests::raise_solids(mesh::make_box({2, 2, 2}, {1, 1, 1}, 0, shape), order, [](const mesh::Point& x) {
        return mesh::Point{x[0], x[1], x[2] * (1 + 0.2 * x[0] * (1 - x[0]))};
      });
  mesh::prepare(mesh);
  return mesh;
}

TEST(BoundarySurface, HasFieldsAndNormalsOfTheCurvedFace) {
  const mesh::Mesh mesh = vaulted(Shape::tetrahedron, 2);
  const Solution solution = project(mesh, 2, plane);
  const BoundarySurface top = sample_boundary(solution, "top");
  ASSERT_EQ(top.names, std::vector<std::string>{"density"});
  ASSERT_EQ(top.types.size(), 8U);
  ASSERT_EQ(top.places.size(), 8U * 6);
  double flattest = 1;
  for (std::size_t q = 0; q < top.places.size(); ++q) {
    const auto& [x, y, z] = top.places[q];
    EXPECT_NEAR(z, 1 + 0.2 * x * (1 - x), 1e-14);
    EXPECT_NEAR(top.values[q], plane(x, y, z), 0.02);
    const double slope = 0.2 * (1 - 2 * x), length = std::hypot(slope, 1.0);
    EXPECT_NEAR(top.normals[q][0], -slope / length, 1e-12);
    EXPECT_NEAR(top.normals[q][1], 0, 1e-12);
    EXPECT_NEAR(top.normals[q][2], 1 / length, 1e-12);
    flattest = std::min(flattest, top.normals[q][2]);
  }
  EXPECT_LT(flattest, 0.99);
  for (const mesh::Point& normal : sample_boundary(solution, "bottom").normals) EXPECT_NEAR(normal[2], -1, 1e-12);
  EXPECT_THROW(sample_boundary(solution, "lid"), InputError);
  const tests::Folder folder;
  write_boundary_vtu(top, 0, folder / "top.vtu");
  const std::string text = (std::ostringstream() << std::ifstream(folder / "top.vtu").rdbuf()).str();
  EXPECT_TRUE(contains(text, "NumberOfPoints=\"48\" NumberOfCells=\"8\""));
  EXPECT_TRUE(contains(text, "Name=\"normal\""));
  EXPECT_TRUE(contains(text, "version=\"1.0\" byte_order"));
}

/// The vault is a polynomial of the base of a pyramid.
TEST(BoundarySurface, TakesBasesOfCurvedPyramids) {
  for (const int order : {2, 3, 4}) {
    const mesh::Mesh mesh = vaulted(Shape::pyramid, order);
    const BoundarySurface top = sample_boundary(project(mesh, 2, plane), "top");
    EXPECT_GT(top.places.size(), 4U * 8);
    for (std::size_t q = 0; q < top.places.size(); ++q) {
      const auto& [x, y, z] = top.places[q];
      EXPECT_NEAR(z, 1 + 0.2 * x * (1 - x), 1e-14);
      const double slope = 0.2 * (1 - 2 * x), length = std::hypot(slope, 1.0);
      EXPECT_NEAR(top.normals[q][0], -slope / length, 1e-12);
      EXPECT_NEAR(top.normals[q][2], 1 / length, 1e-12);
    }
  }
}

TEST(BlockGradients, OfALinearFieldInSpace) {
  mesh::Mesh mesh = mesh::make_box({2, 1, 2}, {1, 1, 1}, 0.1);
  mesh::prepare(mesh);
  const Solution solution = project(mesh, 2, [](double x, double y, double z) { return plane(x, y, z) + x * z; });
  const std::vector<basis::Point> points = {{0.2, 0.1, 0.3}, {0.1, 0.6, 0.1}};
  const BlockGradients gradients(solution, 0, points);
  const BlockSampler sampler(solution, 0, points);
  std::vector<mesh::Point> places;
  for (mesh::Index e = 0; e < mesh.element_count(); ++e) {
    sampler.places(e, places);
    for (int q = 0; q < 2; ++q) {
      double found[3];
      gradients.evaluate(e, q, found);
      const mesh::Point& x = places[static_cast<std::size_t>(q)];
      EXPECT_NEAR(found[0], 1 + x[2], 1e-11);
      EXPECT_NEAR(found[1], 2, 1e-11);
      EXPECT_NEAR(found[2], -3 + x[0], 1e-11);
    }
  }
}

}  // namespace
}  // namespace galerna::files
