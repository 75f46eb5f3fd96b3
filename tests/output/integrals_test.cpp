#include "output/integrals.hpp"

#include <cmath>

#include "base/error.hpp"
#include "solutions.hpp"

namespace galerna::output {
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
  for (const mesh::Mesh& mesh : {test::triangles(5, 3), test::quadrilaterals(4, 3), test::mixed(6, 3)}) {
    const auto values = integrals(test::project(mesh, 2, {constant, linear}));
    EXPECT_NEAR(values[0], 6, 1e-13);
    EXPECT_NEAR(values[1], 2 + 2 - 2, 1e-13);
  }
  EXPECT_NEAR(integrals(test::project(test::triangles(5, 3), 2, product))[0], 1, 1e-13);
}

TEST(Integrals, InThreeDimensionsAndOnCurvedElements) {
  for (Shape shape : {Shape::tetrahedron, Shape::hexahedron, Shape::prism}) {
    const mesh::Mesh mesh = test::one_element(shape, true);
    const double determinant = (2 * 1 + 0.3 * 0.2) * 1.5;
    EXPECT_NEAR(integrals(test::project(mesh, 1, constant))[0], 3 * determinant * reference_measure(shape), 1e-12);
  }
  // A triangle of area 1/2 and a parabolic segment: 2/3 · length √2 · height 0.15 √2.
  EXPECT_NEAR(integrals(test::project(test::curved_triangle(), 0, constant))[0], 3 * (0.5 + 2.0 / 3 * 2 * 0.15), 1e-12);
}

TEST(Integrals, DoNotDependOnTheNumbering) {
  const mesh::Mesh mesh = test::triangles(9, 7);
  const auto wild = [](double x, double y, double) { return std::sin(40 * x) * std::exp(5 * y); };
  const Solution solution = test::project(mesh, 1, wild);
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
      other.coefficients[3 * i + k] = solution.coefficients[3 * from + k];
    }
  }
  EXPECT_EQ(integrals(solution), integrals(other));
}

TEST(Forces, OfAUniformPressureAreNormalTimesLength) {
  for (const mesh::Mesh& mesh : {test::triangles(5, 3), test::quadrilaterals(5, 3), test::mixed(6, 4)}) {
    const Solution solution = test::project(mesh, 1, constant);
    const auto pressure = [](const double* u) { return 2 * u[0]; };
    const auto all = forces(solution, std::vector<std::string>{"bottom", "right", "top", "left"}, pressure);
    const std::map<std::string, std::array<double, 2>> expected = {
        {"bottom", {0, -12}}, {"right", {6, 0}}, {"top", {0, 12}}, {"left", {-6, 0}}};
    for (const auto& [name, force] : expected) {
      EXPECT_NEAR(all.at(name)[0], force[0], 1e-12) << name;
      EXPECT_NEAR(all.at(name)[1], force[1], 1e-12) << name;
      EXPECT_EQ(all.at(name)[2], 0) << name;
    }
  }
}

TEST(Forces, IntegrateThePressureOfTheState) {
  const mesh::Mesh mesh = test::triangles(4, 3);
  const Solution solution = test::project(mesh, 2, linear);  // at the bottom: 1 + x
  const auto force = forces(solution, "bottom", [](const double* u) { return u[0] * u[0]; });
  EXPECT_NEAR(force[0], 0, 1e-12);
  EXPECT_NEAR(force[1], -26.0 / 3, 1e-12);
}

TEST(Forces, OnACurvedSideTakeItsNormal) {
  mesh::Mesh mesh = test::curved_triangle();
  mesh.boundaries = {{"arc", {{0, 0}}}};
  const Solution solution = test::project(mesh, 0, constant);
  const auto force = forces(solution, "arc", [](const double* u) { return u[0]; });
  EXPECT_NEAR(force[0], 3, 1e-12);  // the force on the closed curve is zero, the other two sides give (−3, −3)
  EXPECT_NEAR(force[1], 3, 1e-12);
}

TEST(Forces, OnAnUnknownBoundaryAreAnError) {
  const mesh::Mesh mesh = test::triangles(2, 2);
  const Solution solution = test::project(mesh, 0, constant);
  try {
    forces(solution, "wall", [](const double*) { return 0.0; });
    FAIL();
  } catch (const InputError& error) {
    EXPECT_TRUE(test::contains(error.what(), "bottom, right, top or left"));
  }
}

}  // namespace
}  // namespace galerna::output
