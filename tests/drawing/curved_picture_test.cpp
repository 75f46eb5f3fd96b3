/// Pictures of curved elements.
#include <gtest/gtest.h>

#include "curved_solution.hpp"
#include "drawing/isolines.hpp"
#include "drawing/picture.hpp"
#include "drawing/rasterize.hpp"

namespace galerna::drawing {
namespace {

using tests::CurvedMixture;
using tests::quadratic;

TEST_F(CurvedMixture, PicturesShowIt) {
  const Raster raster = rasterize(solution_, 0, {0, 1, 0, 1}, 100, 100);
  for (int row = 0; row < 100; ++row)
    for (int column = 0; column < 100; ++column) {
      const auto at = static_cast<std::size_t>(row * 100 + column);
      ASSERT_TRUE(raster.covered[at]) << row << " " << column;
      EXPECT_NEAR(raster.values[at], quadratic((column + 0.5) / 100, 1 - (row + 0.5) / 100, 0), 0.02);
    }
  for (const Segment& s : isolines(solution_, 0, {1.2, 1.5}, {0, 1, 0, 1}, 0.02)) {
    const double value = quadratic(s.x0, s.y0, 0);
    EXPECT_LT(std::min(std::abs(value - 1.2), std::abs(value - 1.5)), 1e-2);
  }
  EXPECT_GT(isolines(solution_, 0, {1.2, 1.5}, {0, 1, 0, 1}, 0.02).size(), 50u);
  PictureOptions options;
  options.mesh_lines = true;
  options.width = 240;
  EXPECT_GT(render_picture(solution_, options, PictureFormat::png).size(), 1000u);
  EXPECT_GT(mesh_lines(mesh_, false, {0, 1, 0, 1}).size(), 12 * mesh_.faces.size() - 1);
}

}  // namespace
}  // namespace galerna::drawing
