#include "drawing/picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/field_sampler.hpp"
#include "base/error.hpp"
#include "drawing/canvas.hpp"
#include "drawing/isolines.hpp"
#include "drawing/pen_font.hpp"
#include "drawing/rasterize.hpp"
#include "drawing/space_raster.hpp"
#include "drawing/streamlines.hpp"
#include "files/atomic_file.hpp"

namespace galerna::drawing {

using analysis::require_field;
using analysis::Solution;
using files::write_file;

namespace {

constexpr int fine = 2;  // samples along a pixel's side: smooth edges of the domain

std::vector<double> levels_of(const PictureOptions::Isolines& isolines) {
  std::vector<double> levels;
  const double step = isolines.count > 1 ? (isolines.max - isolines.min) / (isolines.count - 1) : 0;
  for (int i = 0; i < isolines.count; ++i) levels.push_back(isolines.min + i * step);
  return levels;
}

/// The range of the colours, never empty nor so wide that its width is no number.
std::array<double, 2> colour_range(const PictureOptions& options, const Raster& raster) {
  if (options.range) return *options.range;
  std::array<double, 2> range = raster.range();
  constexpr double largest = 1e300;
  for (double& end : range) end = std::clamp(end, -largest, largest);
  const double least = std::max(1e-12, 1e-9 * std::max(std::abs(range[0]), std::abs(range[1])));
  if (range[1] - range[0] < least) range = {range[0] - 500 * least, range[1] + 500 * least};
  return range;
}

/// "TITLE: field, t = 1"; with colours the field's name stands at their bar.
std::string title_of(const Solution& solution, const PictureOptions& options) {
  std::vector<std::string> facts;
  if (!options.colours) facts.push_back(options.field);
  if (solution.accurate) facts.push_back(fmt::format("t = {:.6g}", solution.time));
  const std::string text = fmt::format("{}", fmt::join(facts, ", "));
  if (options.title.empty() || text.empty()) return options.title + text;
  return options.title + (options.colours ? ", " : ": ") + text;
}

/// Lines that lie close together are fainter, so that a fine mesh does not hide the colours.
double mesh_opacity(const mesh::Mesh& mesh, double pixel) {
  const Window box = window_of(mesh);
  const double spacing = std::sqrt(box.width() * box.height() / static_cast<double>(mesh.element_count())) / pixel;
  return std::clamp(spacing / 12, 0.08, 0.55);
}

void draw_title(Canvas& canvas, const PictureLayout& layout, const std::string& title) {
  const double room = layout.width - layout.left - layout.font;
  const double size = 1.2 * layout.font;
  const double width = size * pen_text_width(title);
  canvas.text(layout.left, layout.top - 0.8 * layout.font, title, width > room ? size * room / width : size);
}

void draw_field(Canvas& canvas, const PictureLayout& layout, const Solution& solution, int field,
                const PictureOptions& options) {
  const Raster raster = rasterize(solution, field, layout.window, fine * layout.plot_width, fine * layout.plot_height);
  const std::array<double, 2> range = colour_range(options, raster);
  draw_raster(canvas, layout, raster, fine, range);
  draw_colour_bar(canvas, layout, range, options.field);
}

/// Streamlines with an arrow's head in the middle of each that is long enough.
std::vector<Segment> flow_lines(const Solution& solution, const PictureLayout& layout, int count) {
  const double pixel = layout.window.width() / layout.plot_width;
  StreamlineOptions lines;
  lines.spacing = std::max(layout.window.width(), layout.window.height()) / count;
  lines.step = std::min(2 * pixel, 0.2 * lines.spacing);
  std::vector<Segment> segments;
  const auto join = [&](const std::array<double, 2>& a, const std::array<double, 2>& b) {
    segments.push_back({a[0], a[1], b[0], b[1]});
  };
  for (const Streamline& line : streamlines(solution, layout.window, lines)) {
    for (std::size_t i = 1; i < line.size(); ++i) join(line[i - 1], line[i]);
    if (static_cast<double>(line.size()) * lines.step < lines.spacing) continue;
    const std::size_t middle = line.size() / 2;
    const auto &a = line[middle - 1], &b = line[middle];
    const double size = 0.6 * layout.font * pixel / std::hypot(b[0] - a[0], b[1] - a[1]);
    const double dx = size * (b[0] - a[0]), dy = size * (b[1] - a[1]);
    join({b[0] - dx - 0.5 * dy, b[1] - dy + 0.5 * dx}, b);
    join({b[0] - dx + 0.5 * dy, b[1] - dy - 0.5 * dx}, b);
  }
  return segments;
}

/// A picture of space: all of it comes from one raster, so that what is hidden has no lines either.
void draw_space(Canvas& canvas, const PictureLayout& layout, const Solution& solution, int field,
                const PictureOptions& options) {
  const double pixel_line = layout.font / 16;
  Raster raster = rasterize(solution, field, *options.scene, layout.window, fine * layout.plot_width,
                            fine * layout.plot_height, options.mesh_lines ? std::max(1.2, fine * pixel_line) : 0);
  if (options.colours) {
    const std::array<double, 2> range = colour_range(options, raster);
    draw_raster(canvas, layout, raster, fine, range);
    draw_colour_bar(canvas, layout, range, options.field);
  }
  if (options.isolines)
    canvas.segments(layout, raster_isolines(raster, layout.window, levels_of(*options.isolines)), 0.85 * pixel_line,
                    {0, 0, 0, 1});
}

/// A picture of the plane: colours, lines of the mesh, isolines, streamlines, outlines on top of each other.
void draw_plane(Canvas& canvas, const PictureLayout& layout, const Solution& solution, int field,
                const PictureOptions& options) {
  const double pixel = layout.window.width() / layout.plot_width, line = layout.font / 16;
  if (options.colours) draw_field(canvas, layout, solution, field, options);
  if (options.mesh_lines) {
    const double tone = options.colours ? 1 : 0.5, opacity = mesh_opacity(*solution.mesh, pixel);
    canvas.segments(layout, mesh_lines(*solution.mesh, false, layout.window), 0.6 * line, {tone, tone, tone, opacity});
  }
  if (!options.outlines.empty()) {
    const double tone = options.colours ? 1 : 0.5;
    canvas.segments(layout, options.outlines, 0.6 * line, {tone, tone, tone, 0.55});
  }
  if (options.isolines)
    canvas.segments(layout, isolines(solution, field, levels_of(*options.isolines), layout.window, pixel), 0.85 * line,
                    {0, 0, 0, 1});
  if (options.streamlines > 0)
    canvas.segments(layout, flow_lines(solution, layout, options.streamlines), 0.85 * line,
                    options.colours ? std::array<double, 4>{1, 1, 1, 0.8} : std::array<double, 4>{0, 0, 0, 1});
  canvas.segments(layout, mesh_lines(*solution.mesh, true, layout.window), line, {0.13, 0.13, 0.15, 1});
}

}  // namespace

namespace {

/// The picture into the top left corner of what is left of the canvas.
void draw_picture(Canvas& canvas, const PictureLayout& layout, const Solution& solution,
                  const PictureOptions& options) {
  const int field = require_field(solution.fields, options.field);
  if (options.isolines && solution.degree == 0)
    throw InputError({},
                     "picture: a solution of degree 0 is constant in each element and has no isolines; isolines "
                     "need degree 1 or more");
  if (options.scene)
    draw_space(canvas, layout, solution, field, options);
  else
    draw_plane(canvas, layout, solution, field, options);
  draw_axes(canvas, layout);
  draw_title(canvas, layout, title_of(solution, options));
}

PictureFormat format_of(const std::filesystem::path& file) {
  const std::string ending = file.extension().string();
  if (ending != ".png" && ending != ".svg") throw InputError({file.string()}, "pictures are written as .png or .svg");
  return ending == ".png" ? PictureFormat::png : PictureFormat::svg;
}

}  // namespace

std::string render_picture(const Solution& solution, const PictureOptions& options, PictureFormat format) {
  const PictureLayout layout = layout_picture(*solution.mesh, options);
  Canvas canvas(layout.width, layout.height, format);
  draw_picture(canvas, layout, solution, options);
  return canvas.bytes();
}

void write_picture(const Solution& solution, const std::filesystem::path& file, const PictureOptions& options) {
  write_file(file, render_picture(solution, options, format_of(file)));
}

std::string render_figure(const Solution& solution, const Figure& figure, PictureFormat format) {
  const auto columns = static_cast<std::size_t>(std::max(1, figure.columns));
  const FigureLayout layout = layout_figure(*solution.mesh, figure);
  Canvas canvas(figure.width, layout.tops.back(), format);
  for (std::size_t i = 0; i < layout.pictures.size(); ++i) {
    cairo_save(canvas.context());
    cairo_translate(canvas.context(), static_cast<double>(i % columns) * layout.pictures[i].width,
                    layout.tops[i / columns]);
    draw_picture(canvas, layout.pictures[i], solution, figure.pictures[i]);
    cairo_restore(canvas.context());
  }
  return canvas.bytes();
}

void write_figure(const Solution& solution, const std::filesystem::path& file, const Figure& figure) {
  write_file(file, render_figure(solution, figure, format_of(file)));
}

}  // namespace galerna::drawing
