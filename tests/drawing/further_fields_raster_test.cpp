/// Fields of the gradient in rasters and isolines.
#include <gtest/gtest.h>

#include "drawing/isolines.hpp"
#include "drawing/rasterize.hpp"
#include "further_fields.hpp"

namespace galerna::drawing {
namespace {

using analysis::Solution;
using tests::all_meshes;
using tests::quadratic;
using tests::quadratic_on;
using tests::slope_x;

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

}  // namespace
}  // namespace galerna::drawing
