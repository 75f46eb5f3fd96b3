/// Fields and integrals that look at the place, the time and the solution's gradient.
#include <gtest/gtest.h>

#include <cmath>

#include "analysis/integrals.hpp"
#include "analysis/probes.hpp"
#include "base/error.hpp"
#include "further_fields.hpp"
#include "solutions.hpp"

namespace galerna::analysis {
namespace {

using tests::all_meshes;
using tests::further_fields;
using tests::quadratic;
using tests::quadratic_on;
using tests::slope_x;
using tests::slope_y;

TEST(FurtherFields, AreExactAtProbesOnAllElements) {
  for (const auto& [mesh, degree] : all_meshes()) {
    const Solution solution = quadratic_on(mesh, degree);
    const PointLocator locator(mesh);
    for (int i = 1; i < 20; ++i) {
      const double x = i / 20.0, y = 1 - 0.9 * x;
      const auto values =
          evaluate(solution, locator.locate({x, y, 0}, "p"), {"slope_y", "density", "slope_x", "mixed"});
      EXPECT_NEAR(values.at(0), slope_y(x, y), 1e-9);
      EXPECT_NEAR(values.at(1), quadratic(x, y, 0), 1e-10);
      EXPECT_NEAR(values.at(2), slope_x(x, y), 1e-9);
      EXPECT_NEAR(values.at(3), x + 10 * y + 300 + quadratic(x, y, 0), 1e-10);
    }
  }
}

TEST(FurtherFields, VanishAtDegreeZeroWhereTheyAreGradients) {
  const mesh::Mesh mesh = tests::mixed(4, 2);
  const Solution solution = quadratic_on(mesh, 0);
  const auto values = evaluate(solution, PointLocator(mesh).locate({0.3, 0.3, 0}, "p"), {"slope_x", "slope_y"});
  EXPECT_EQ(values, (std::vector<double>{0, 0}));
}

TEST(FurtherFields, AreIntegratedOverTheDomainAndItsRegions) {
  for (mesh::Mesh mesh : {tests::triangles(4, 2), tests::quadrilaterals(4, 2), tests::mixed(4, 2)}) {
    // Elements right of x = 1, where the squares of these meshes meet.
    mesh.region_names = {"west", "east"};
    for (mesh::ElementBlock& block : mesh.blocks)
      for (mesh::Index i = 0; i < block.size(); ++i) {
        double x = 0;
        for (int k = 0; k < block.nodes_per_element(); ++k)
          x += mesh.nodes[block.nodes[i * block.nodes_per_element() + k]][0] / block.nodes_per_element();
        block.region[i] = x > 1;
      }
    for (mesh::Point& node : mesh.nodes)
      if (std::abs(node[0] - 1) < 0.1) node[0] = 1;
    const Solution solution = quadratic_on(mesh, 2);
    FieldSet functions;
    functions.further = further_fields();
    functions.further.push_back({"square", true, true, [](double, double, double, double, const double* u) {
                                   return u[1] * u[1] + u[2] * u[2];
                                 }});
    const auto all = integrals(solution, functions);
    EXPECT_NEAR(all.at(0), 2 * slope_x(1, 0.5), 1e-12);
    EXPECT_NEAR(all.at(1), 2 * slope_y(1, 0.5), 1e-12);
    // ∫ (2 + 2x − 3y)² + (y − 3x − 1)² over [0, 2] × [0, 1], term by term.
    EXPECT_NEAR(all.at(3), 50.0 / 3 + 92.0 / 3, 1e-11);
    const auto west = integrals(solution, functions, "west"), east = integrals(solution, functions, "east");
    EXPECT_NEAR(west.at(0), slope_x(0.5, 0.5), 1e-12);
    EXPECT_NEAR(east.at(0), slope_x(1.5, 0.5), 1e-12);
    EXPECT_THROW(integrals(solution, functions, "south"), InputError);
  }
}

TEST(FurtherFields, AreIntegratedAlongBoundaries) {
  const auto flux = [](double, double, double, double, const double* u) { return u[1] * u[3] + u[2] * u[4]; };
  const auto place = [](double x, double y, double, double t, const double* u) { return t * u[0] + x * x * y * u[4]; };
  const std::vector<FurtherField> functions = {{"flux", true, true, flux}, {"place", true, false, place}};
  for (const mesh::Mesh& mesh : {tests::triangles(5, 3), tests::quadrilaterals(4, 3), tests::mixed(6, 4)}) {
    const Solution solution = quadratic_on(mesh, 2);
    double out = 0;
    for (const char* side : {"bottom", "right", "top", "left"})
      out += boundary_integrals(solution, side, functions).at(0);
    EXPECT_NEAR(out, 2 * (2 + 1), 1e-11);  // Gauss: the Laplacian of the quadratic is 3
    EXPECT_NEAR(boundary_integrals(solution, "right", functions).at(0), slope_x(2, 0.5), 1e-11);
    // At the top y = 1 and n = (0, 1): ∫ 3 (½ − x + x²) + x² dx.
    EXPECT_NEAR(boundary_integrals(solution, "top", functions).at(1), 3 * (1 - 2 + 8.0 / 3) + 8.0 / 3, 1e-11);
    EXPECT_THROW(boundary_integrals(solution, "lid", functions), InputError);
  }
  // Round a curved element ∮ x n_x ds is its area.
  mesh::Mesh mesh = tests::curved_triangle();
  mesh.boundaries.push_back({"rim", {{0, 0}, {0, 1}, {0, 2}}});
  const auto area = [](double x, double, double, double, const double* u) { return x * u[3]; };
  EXPECT_NEAR(boundary_integrals(quadratic_on(mesh, 1), "rim", {{"area", true, false, area}}).at(0), 0.7, 1e-13);
}

}  // namespace
}  // namespace galerna::analysis
