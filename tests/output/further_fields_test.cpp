/// Fields and integrals that look at the place, the time and the solution's gradient.
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.hpp"
#include "dg/curved_meshes.hpp"
#include "output/integrals.hpp"
#include "output/probes.hpp"
#include "output/raster.hpp"
#include "output/vtu.hpp"
#include "solutions.hpp"
#include "vtu_file.hpp"

namespace galerna::output {
namespace {

using test::contains;
using test::Folder;

double quadratic(double x, double y, double) {
  return 1 + 2 * x - y + x * x - 3 * x * y + 0.5 * y * y;
}
double slope_x(double x, double y) {
  return 2 + 2 * x - 3 * y;
}
double slope_y(double x, double y) {
  return -1 - 3 * x + y;
}

/// Its gradient, and a field of place, time and state.
std::vector<FurtherField> further_fields() {
  const auto along_x = [](double, double, double, double, const double* u) { return u[1]; };
  const auto along_y = [](double, double, double, double, const double* u) { return u[2]; };
  const auto everything = [](double x, double y, double, double t, const double* u) {
    return x + 10 * y + 100 * t + u[0];
  };
  return {{"slope_x", false, true, along_x}, {"slope_y", false, true, along_y}, {"mixed", true, false, everything}};
}

Solution quadratic_on(const mesh::Mesh& mesh, int degree) {
  Solution solution = test::project(mesh, degree, quadratic);
  solution.fields.further = further_fields();
  solution.time = 3;
  return solution;
}

mesh::Mesh curved() {
  return tests::curved_mixture(4, 2, 0.1, [](double x, double y) {
    return mesh::Point{x + 0.08 * std::sin(M_PI * x) * std::sin(2 * M_PI * y),
                       y + 0.07 * std::sin(2 * M_PI * x) * std::sin(M_PI * y), 0};
  });
}

struct MeshAndDegree {
  mesh::Mesh mesh;
  int degree;  // at which a quadratic function of place is a polynomial of the reference coordinates
};

std::vector<MeshAndDegree> all_meshes() {
  return {{test::triangles(5, 3), 2}, {test::quadrilaterals(5, 3), 2}, {test::mixed(6, 4), 2}, {curved(), 4}};
}

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

TEST(FurtherFields, AreExactInRastersAndIsolines) {
  for (const auto& [mesh, degree] : all_meshes()) {
    const Solution solution = quadratic_on(mesh, degree);
    const bool is_curved = mesh.blocks[0].order > 1;
    const Window window = {0, 1, 0, 1};
    const Raster slope = rasterize(solution, solution.fields.find("slope_x"), window, 40, 40);
    const Raster mixed = rasterize(solution, solution.fields.find("mixed"), window, 40, 40);
    for (int row = 0; row < 40; ++row)
      for (int column = 0; column < 40; ++column) {
        const double x = (column + 0.5) / 40, y = 1 - (row + 0.5) / 40;
        // Curved elements are cut into straight pieces.
        const double tolerance = is_curved ? 0.02 : 1e-9;
        const auto at = static_cast<std::size_t>(row * 40 + column);
        ASSERT_NEAR(slope.values[at], slope_x(x, y), tolerance);
        ASSERT_NEAR(mixed.values[at], x + 10 * y + 300 + quadratic(x, y, 0), tolerance);
      }
    const auto segments = isolines(solution, solution.fields.find("slope_x"), {1.0}, window, 0.002);
    EXPECT_FALSE(segments.empty());
    for (const Segment& s : segments) EXPECT_NEAR(slope_x(s.x0, s.y0), 1, 0.01);
  }
}

TEST(FurtherFields, VanishAtDegreeZeroWhereTheyAreGradients) {
  const mesh::Mesh mesh = test::mixed(4, 2);
  const Solution solution = quadratic_on(mesh, 0);
  const auto values = evaluate(solution, PointLocator(mesh).locate({0.3, 0.3, 0}, "p"), {"slope_x", "slope_y"});
  EXPECT_EQ(values, (std::vector<double>{0, 0}));
}

TEST(FurtherFields, StandInVtuFilesAsListed) {
  const Folder folder;
  const mesh::Mesh mesh = test::mixed(4, 2);
  const Solution solution = quadratic_on(mesh, 2);
  write_vtu(solution, folder / "listed.vtu");
  const test::VtuFile listed(folder / "listed.vtu");
  EXPECT_TRUE(listed.has("density"));
  EXPECT_TRUE(listed.has("mixed"));
  EXPECT_FALSE(listed.has("slope_x"));
  VtuOptions options;
  options.precision = VtuOptions::Precision::double_precision;
  options.fields = {"slope_x", "slope_y"};
  write_vtu(solution, folder / "chosen.vtu", options);
  const test::VtuFile chosen(folder / "chosen.vtu");
  EXPECT_FALSE(chosen.has("density"));
  const auto points = chosen.numbers("Points"), along_x = chosen.numbers("slope_x"), joined = chosen.numbers("slope");
  ASSERT_EQ(joined.size(), points.size());
  for (std::size_t i = 0; i < along_x.size(); ++i) {
    EXPECT_NEAR(along_x[i], slope_x(points[3 * i], points[3 * i + 1]), 1e-10);
    EXPECT_NEAR(joined[3 * i + 1], slope_y(points[3 * i], points[3 * i + 1]), 1e-10);
  }
  options.fields = {"slop_x"};
  try {
    write_vtu(solution, folder / "wrong.vtu", options);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_TRUE(contains(error.what(), "did you mean \"slope_x\"?"));
  }
}

TEST(FurtherFields, AreIntegratedOverTheDomainAndItsRegions) {
  for (mesh::Mesh mesh : {test::triangles(4, 2), test::quadrilaterals(4, 2), test::mixed(4, 2)}) {
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
  for (const mesh::Mesh& mesh : {test::triangles(5, 3), test::quadrilaterals(4, 3), test::mixed(6, 4)}) {
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
  mesh::Mesh mesh = test::curved_triangle();
  mesh.boundaries.push_back({"rim", {{0, 0}, {0, 1}, {0, 2}}});
  const auto area = [](double x, double, double, double, const double* u) { return x * u[3]; };
  EXPECT_NEAR(boundary_integrals(quadratic_on(mesh, 1), "rim", {{"area", true, false, area}}).at(0), 0.7, 1e-13);
}

}  // namespace
}  // namespace galerna::output
