/// Fields that look at the place, the time and the solution's gradient.
#include <gtest/gtest.h>

#include <cmath>

#include "analysis/probes.hpp"
#include "further_fields.hpp"
#include "solutions.hpp"

namespace galerna::analysis {
namespace {

using tests::all_meshes;
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

}  // namespace
}  // namespace galerna::analysis
