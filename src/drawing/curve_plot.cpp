#include "drawing/curve_plot.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "drawing/canvas.hpp"
#include "drawing/pen_font.hpp"
#include "files/atomic_file.hpp"

namespace galerna::drawing {
namespace {

/// The range of a coordinate with some room on both sides; never empty.
std::array<double, 2> range_of(const CurvePlot& plot, std::size_t coordinate) {
  double least = std::numeric_limits<double>::infinity(), most = -least;
  for (const auto& curve : plot.curves)
    for (const auto& point : curve) {
      if (!std::isfinite(point[coordinate])) continue;
      least = std::min(least, point[coordinate]);
      most = std::max(most, point[coordinate]);
    }
  if (!(least <= most)) return {0, 1};
  const double room = std::max(0.05 * (most - least), 1e-6 * std::max({1.0, std::abs(least), std::abs(most)}));
  return {least - room, most + room};
}

PictureLayout layout_of(const CurvePlot& plot) {
  PictureLayout layout;
  const auto x = range_of(plot, 0), y = range_of(plot, 1);
  layout.window = {x[0], x[1], y[0], y[1]};
  if (plot.downward) std::swap(layout.window.y0, layout.window.y1);
  layout.across = plot.across;
  layout.upward = plot.upward;
  layout.width = plot.width;
  layout.font = std::clamp(plot.width / 60.0, 7.0, 60.0);
  layout.left = static_cast<int>(7.5 * layout.font);
  layout.top = static_cast<int>(2.6 * layout.font);
  layout.plot_width = std::max(3, plot.width - layout.left - static_cast<int>(2 * layout.font));
  layout.plot_height = std::max(3, static_cast<int>(0.6 * layout.plot_width));
  layout.height = layout.top + layout.plot_height + static_cast<int>(4 * layout.font);
  return layout;
}

}  // namespace

std::string render_plot(const CurvePlot& plot, PictureFormat format) {
  const PictureLayout layout = layout_of(plot);
  Canvas canvas(layout.width, layout.height, format);
  std::vector<Segment> segments;
  for (const auto& curve : plot.curves)
    for (std::size_t i = 1; i < curve.size(); ++i)
      segments.push_back({curve[i - 1][0], curve[i - 1][1], curve[i][0], curve[i][1]});
  canvas.segments(layout, segments, layout.font / 10, {0.12, 0.35, 0.6, 1});
  draw_axes(canvas, layout);
  const double room = layout.plot_width, size = 1.2 * layout.font, width = size * pen_text_width(plot.title);
  canvas.text(layout.left, layout.top - 0.8 * layout.font, plot.title, width > room ? size * room / width : size);
  return canvas.bytes();
}

void write_plot(const CurvePlot& plot, const std::filesystem::path& file) {
  files::write_file(file, render_plot(plot, file.extension() == ".svg" ? PictureFormat::svg : PictureFormat::png));
}

}  // namespace galerna::drawing
