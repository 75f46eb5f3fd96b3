#include "analysis/integrals.hpp"

#include <cmath>

#include "base/error.hpp"
#include "solutions.hpp"

namespace galerna::analysis {
namespace {

double constant(double, double, double) {
  return 3;
}
double linear(double x, double y, double) {
  return 1 + x - 2 * y;
}
double product(double x, double y, double) {
  return x * y;
}

TEST(Integrals, AreExact) {
  for (const mesh::Mesh& mesh : {tests::triangles(5, 3), tests::quadrilaterals(4, 3), tests::mixed(6, 3)}) {
    const auto values = integrals(tests::project(mesh, 2, {constant, linear}));
    EXPECT_NEAR(values[0], 6, 1e-13);
    EXPECT_NEAR(values[1], 2 + 2 - 2, 1e-13);
  }
  EXPECT_NEAR(integrals(tests::project(tests::triangles(5, 3), 2, product))[0], 1, 1e-13);
}

TEST(Integrals, InThreeDimensionsAndOnCurvedElements) {
  for (Shape shape : {Shape::tetrahedron, Shape::hexahedron, Shape::prism}) {
    const mesh::Mesh mesh = tests::one_element(shape, true);
    const double determinant = (2 * 1 + 0.3 * 0.2) * 1.5;
    EXPECT_NEAR(integrals(tests::project(mesh, 1, constant))[0], 3 * determinant * reference_measure(shape), 1e-12);
  }
  // A triangle of area 1/2 and a parabolic segment: 2/3 · length √2 · height 0.15 √2.
  EXPECT_NEAR(integrals(tests::project(tests::curved_triangle(), 0, constant))[0], 3 * (0.5 + 2.0 / 3 * 2 * 0.15),
              1e-12);
}

TEST(Integrals, DoNotDependOnTheNumbering) {
  const mesh::Mesh mesh = tests::triangles(9, 7);
  const auto wild = [](double x, double y, double) { return std::sin(40 * x) * std::exp(5 * y); };
  const Solution solution = tests::project(mesh, 1, wild);
  // Elements turned round: the first becomes the last, with its coefficients and its place in the file.
  mesh::Mesh turned = mesh;
  Solution other = solution;
  other.mesh = &turned;
  const std::size_t count = static_cast<std::size_t>(mesh.blocks[0].size());
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t from = count - 1 - i;
    turned.blocks[0].source[i] = mesh.blocks[0].source[from];
    for (std::size_t k = 0; k < 3; ++k) {
      turned.blocks[0].nodes[3 * i + k] = mesh.blocks[0].nodes[3 * from + k];
      other.pieces[0].coefficients[3 * i + k] = solution.pieces[0].coefficients[3 * from + k];
    }
  }
  EXPECT_EQ(integrals(solution), integrals(other));
}

}  // namespace
}  // namespace galerna::analysis
