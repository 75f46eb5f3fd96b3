#include "drawing/picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/field_sampler.hpp"
#include "base/error.hpp"
#include "drawing/canvas.hpp"
#include "drawing/pen_font.hpp"
#include "drawing/streamlines.hpp"
#include "files/atomic_file.hpp"

namespace galerna::drawing {

using analysis::require_field;
using analysis::Solution;
using files::write_file;

namespace {

constexpr int fine = 2;  // samples along a pixel's side: smooth edges of the domain

void check_options(const mesh::Mesh& mesh, const PictureOptions& options) {
  const auto fail = [](const std::string& text) { throw InputError({}, "picture: " + text); };
  if (mesh.dimension == 3 && !options.scene)
    fail("of a solution in space a cut is drawn, or a boundary: give the normal of a plane, or a direction of view");
  if (mesh.dimension == 2 && options.scene) fail("planes and directions of view are for solutions in space");
  if (options.scene && options.streamlines > 0) fail("streamlines are drawn in the plane only");
  if (options.width < 200 || options.width > 20000)
    fail(fmt::format("a width of {} pixels; choose 200 … 20000", options.width));
  if (options.range && !((*options.range)[0] < (*options.range)[1]))
    fail(fmt::format("the range {} … {} is empty; give the lower value first", (*options.range)[0],
                     (*options.range)[1]));
  if (options.window && !(options.window->width() > 0 && options.window->height() > 0))
    fail("the window is empty; give it as x0, x1, y0, y1 with x0 < x1 and y0 < y1");
  if (options.isolines && (options.isolines->count < 1 || options.isolines->count > 10000))
    fail(fmt::format("{} isolines; choose 1 … 10000", options.isolines->count));
  if (options.streamlines < 0 || options.streamlines > 500)
    fail(fmt::format("{} streamlines; choose 1 … 500, or 0 for none", options.streamlines));
  if (options.isolines && !(options.isolines->min <= options.isolines->max))
    fail("isolines need their lower value first");
}

std::vector<double> levels_of(const PictureOptions::Isolines& isolines) {
  std::vector<double> levels;
  const double step = isolines.count > 1 ? (isolines.max - isolines.min) / (isolines.count - 1) : 0;
  for (int i = 0; i < isolines.count; ++i) levels.push_back(isolines.min + i * step);
  return levels;
}

/// The range of the colours, never empty.
std::array<double, 2> colour_range(const PictureOptions& options, const Raster& raster) {
  if (options.range) return *options.range;
  std::array<double, 2> range = raster.range();
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

/// Of a direction along an axis of space; others have none.
std::string axis_name(const mesh::Point& direction) {
  for (std::size_t k = 0; k < 3; ++k)
    if (direction[k] > 1 - 1e-12) return std::string(1, "xyz"[k]);
  return "";
}

/// A picture of space: all of it comes from one raster, so that what is hidden has no lines either.
void draw_space(Canvas& canvas, const PictureLayout& layout, const Solution& solution, int field,
                const PictureOptions& options) {
  const double pixel_line = layout.font / 16;
  Raster raster = rasterize(solution, field, *options.scene, layout.window, fine * layout.plot_width,
                            fine * layout.plot_height, options.mesh_lines ? std::max(1.2, fine * pixel_line) : 0);
  if (std::none_of(raster.covered.begin(), raster.covered.end(), [](std::uint8_t c) { return c != 0; }))
    throw InputError({}, options.scene->flat ? "picture: the plane does not cut the mesh in this window"
                                             : "picture: nothing that it shows lies in this window");
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

PictureLayout layout_picture(const mesh::Mesh& mesh, const PictureOptions& options) {
  check_options(mesh, options);
  PictureLayout layout;
  layout.window = options.window ? *options.window : options.scene ? window_of(mesh, *options.scene) : window_of(mesh);
  if (options.scene) {
    layout.across = axis_name(options.scene->frame.right);
    layout.upward = axis_name(options.scene->frame.up);
  }
  layout.width = options.width;
  layout.font = std::clamp(options.width / 75.0, 7.0, 60.0);
  const double f = layout.font, aspect = layout.window.height() / layout.window.width();
  layout.bar_below = options.colours && aspect < 0.25;
  const bool bar_beside = options.colours && !layout.bar_below;
  const double left = 6.5 * f, right = bar_beside ? 9.4 * f : 2 * f;
  const double most_height = 1.5 * options.width;
  const double room = options.width - left - right;
  const double plot_height = std::clamp(room * aspect, 3.0, most_height);
  layout.plot_height = static_cast<int>(std::lround(plot_height));
  layout.plot_width = std::max(3, static_cast<int>(std::lround(std::min(room, plot_height / aspect))));
  layout.left = static_cast<int>(left + (room - layout.plot_width) / 2);
  layout.top = static_cast<int>(2.6 * f);
  layout.height = layout.top + layout.plot_height + static_cast<int>((layout.bar_below ? 9.4 : 3.8) * f);
  return layout;
}

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
  std::vector<PictureOptions> pictures = figure.pictures;
  std::vector<PictureLayout> layouts;
  std::vector<int> tops = {0};  // of the rows, and the end
  for (PictureOptions& picture : pictures) {
    picture.width = figure.width / static_cast<int>(columns);
    layouts.push_back(layout_picture(*solution.mesh, picture));
    if ((layouts.size() - 1) % columns == 0) tops.push_back(tops.back());
    tops.back() = std::max(tops.back(), tops[tops.size() - 2] + layouts.back().height);
  }
  Canvas canvas(figure.width, tops.back(), format);
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    cairo_save(canvas.context());
    cairo_translate(canvas.context(), static_cast<double>(i % columns) * pictures[i].width, tops[i / columns]);
    draw_picture(canvas, layouts[i], solution, pictures[i]);
    cairo_restore(canvas.context());
  }
  return canvas.bytes();
}

void write_figure(const Solution& solution, const std::filesystem::path& file, const Figure& figure) {
  write_file(file, render_figure(solution, figure, format_of(file)));
}

}  // namespace galerna::drawing
