#include "drawing/curve_plot.hpp"

#include <gtest/gtest.h>

#include <regex>

namespace galerna::drawing {
namespace {

/// Ends of the first line of two points that an SVG file has, (x, y) in pixels from the top left corner.
std::array<double, 4> line_of(const CurvePlot& plot) {
  const std::string svg = render_plot(plot, PictureFormat::svg);
  const std::regex line("d=\"M ([0-9.]+) ([0-9.]+) L ([0-9.]+) ([0-9.]+) ?\"");
  std::smatch found;
  if (!std::regex_search(svg, found, line)) return {};
  return {std::stod(found[1]), std::stod(found[2]), std::stod(found[3]), std::stod(found[4])};
}

TEST(CurvePlot, GrowsUpwardOrDownward) {
  CurvePlot plot;
  plot.curves = {{{0, -1}, {1, 2}}};
  plot.width = 400;
  const auto [x0, y0, x1, y1] = line_of(plot);
  EXPECT_LT(x0, x1);
  EXPECT_GT(y0, y1) << "pixels are counted downward";
  plot.downward = true;
  const auto downward = line_of(plot);
  EXPECT_NEAR(downward[0], x0, 1e-3);
  EXPECT_NEAR(downward[1], y1, 0.1) << "room is left on both sides alike";
  EXPECT_NEAR(downward[3], y0, 0.1);
}

TEST(CurvePlot, IsDrawnWhateverTheCurves) {
  CurvePlot plot;
  EXPECT_FALSE(render_plot(plot, PictureFormat::png).empty());
  plot.curves = {{}, {{0.5, 1}}, {{0, 1}, {1, 1}}};
  EXPECT_EQ(render_plot(plot, PictureFormat::png).substr(1, 3), "PNG");
}

}  // namespace
}  // namespace galerna::drawing
