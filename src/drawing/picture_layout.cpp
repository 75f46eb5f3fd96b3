#include "drawing/picture_layout.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/error.hpp"
#include "drawing/rasterize.hpp"
#include "drawing/space_raster.hpp"
#include "mesh/geometry.hpp"

namespace galerna::drawing {
namespace {

constexpr int fine = 2;               // samples along a pixel's side, as of pictures
constexpr int tallest_image = 32767;  // pixels, of Cairo's

/// Of a direction along an axis of space; others have none.
std::string axis_name(const mesh::Point& direction) {
  for (std::size_t k = 0; k < 3; ++k)
    if (direction[k] > 1 - 1e-12) return std::string(1, "xyz"[k]);
  return "";
}

/// The box around what there is to be seen.
Window shown_of(const mesh::Mesh& mesh, const PictureOptions& options) {
  return options.scene ? window_of(mesh, *options.scene) : window_of(mesh);
}

PictureLayout layout_of(const PictureOptions& options, const Window& window) {
  PictureLayout layout;
  layout.window = window;
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

bool is_empty(const Window& window) {
  return !(window.width() > 0 && window.height() > 0 && std::isfinite(window.width()) &&
           std::isfinite(window.height()));
}

/// Whether something of the mesh lies at the centre of a cell, with so many cells across the plot.
bool covers_a_cell(const analysis::Solution& nothing, const PictureOptions& options, const PictureLayout& layout,
                   double columns) {
  const int across = std::max(3, static_cast<int>(columns));
  const int upward = std::max(3, static_cast<int>(columns * layout.plot_height / layout.plot_width));
  const Raster raster = options.scene ? rasterize(nothing, 0, *options.scene, layout.window, across, upward, 0)
                                      : rasterize(nothing, 0, layout.window, across, upward);
  return std::any_of(raster.covered.begin(), raster.covered.end(), [](std::uint8_t covered) { return covered != 0; });
}

/// Whether a picture in its window would show anything of the mesh: drawn without a solution, with few cells first,
/// which nearly always answers, and no more than `most_cells`.
bool shows_something(const mesh::Mesh& mesh, const PictureOptions& options) {
  const PictureLayout layout = layout_of(options, *options.window);
  analysis::Solution nothing;
  nothing.mesh = &mesh;
  nothing.degree = 0;
  nothing.variables = {"u"};
  nothing.fields.names = {"u"};
  nothing.fields.evaluate = [](const double*, double* values) { values[0] = 0; };
  for (const mesh::ElementBlock& block : mesh.blocks)
    nothing.pieces.push_back({std::vector<double>(static_cast<std::size_t>(block.size()), 0.0)});
  constexpr double few_columns = 64, most_cells = 4e6;
  const double cells = static_cast<double>(fine * fine) * layout.plot_width * layout.plot_height;
  const double columns = fine * std::min(1.0, std::sqrt(most_cells / cells)) * layout.plot_width;
  return covers_a_cell(nothing, options, layout, std::min(few_columns, columns)) ||
         covers_a_cell(nothing, options, layout, columns);
}

void check_planes(const mesh::Mesh& mesh, const Scene& scene, std::vector<OptionProblem>& problems) {
  for (const Plane& plane : scene.planes) {
    if (meets(mesh, plane)) continue;
    const auto [lower, upper] = mesh::bounding_box(mesh);
    problems.push_back({scene.flat ? "normal" : "planes",
                        fmt::format("the plane through ({}) misses the mesh, which lies between {} and {}",
                                    fmt::join(plane.point, ", "), mesh::to_text(lower, 3), mesh::to_text(upper, 3))});
  }
}

/// \param options with planes that meet the mesh
void check_window(const mesh::Mesh& mesh, const PictureOptions& options, std::vector<OptionProblem>& problems) {
  const Window shown = shown_of(mesh, options);
  if (!options.window) {
    if (is_empty(shown)) problems.push_back({"", "there is nothing of the mesh to be seen"});
    return;
  }
  if (is_empty(*options.window)) {
    problems.push_back({"window", "the window is empty; give it as x0, x1, y0, y1 with x0 < x1 and y0 < y1"});
    return;
  }
  if (!shows_something(mesh, options))
    problems.push_back({"window", fmt::format("the window shows nothing of the mesh; what there is to be seen lies "
                                              "between {:.6g} and {:.6g} across, {:.6g} and {:.6g} upward",
                                              shown.x0, shown.x1, shown.y0, shown.y1)});
}

}  // namespace

std::vector<OptionProblem> picture_problems(const mesh::Mesh& mesh, const PictureOptions& options) {
  std::vector<OptionProblem> problems;
  const auto report = [&](const char* option, const std::string& text) { problems.push_back({option, text}); };
  if (mesh.dimension == 3 && !options.scene)
    report("normal",
           "of a solution in space a cut is drawn, or a boundary: give the normal of a plane, or a direction "
           "of view");
  if (mesh.dimension == 2 && options.scene)
    report("normal", "planes and directions of view are for solutions in space");
  if (problems.empty() && options.scene) check_planes(mesh, *options.scene, problems);
  if (options.scene && options.streamlines > 0) report("streamlines", "streamlines are drawn in the plane only");
  const bool can_be_drawn = problems.empty() && options.width >= 200 && options.width <= 20000;
  if (options.width < 200 || options.width > 20000)
    report("width", fmt::format("a width of {} pixels; choose 200 … 20000", options.width));
  if (const auto& range = options.range;
      range && !((*range)[0] < (*range)[1] && std::isfinite((*range)[1] - (*range)[0])))
    report("range", fmt::format("the range {} … {} is empty; give the lower value first", (*range)[0], (*range)[1]));
  if (const auto& lines = options.isolines) {
    if (lines->count < 1 || lines->count > 10000)
      report("isolines", fmt::format("{} isolines; choose 1 … 10000", lines->count));
    if (!std::isfinite(lines->max - lines->min))
      report("isolines", fmt::format("isolines from {} to {}: give two finite values", lines->min, lines->max));
    else if (lines->min > lines->max)
      report("isolines", "isolines need their lower value first");
  }
  if (options.streamlines < 0 || options.streamlines > 500)
    report("streamlines", fmt::format("{} streamlines; choose 1 … 500, or 0 for none", options.streamlines));
  if (can_be_drawn) check_window(mesh, options, problems);
  return problems;
}

PictureLayout layout_picture(const mesh::Mesh& mesh, const PictureOptions& options) {
  const std::vector<OptionProblem> problems = picture_problems(mesh, options);
  std::vector<Problem> refused;
  for (const OptionProblem& problem : problems) refused.push_back({{}, "picture: " + problem.text});
  if (!refused.empty()) throw InputError(refused);
  return layout_of(options, options.window ? *options.window : shown_of(mesh, options));
}
double drawing_bytes(const PictureLayout& layout) {
  const double cells = static_cast<double>(fine * fine) * layout.plot_width * layout.plot_height;
  constexpr double of_a_cell = sizeof(double) + sizeof(std::uint8_t) + 2 * sizeof(float) + sizeof(std::uint8_t);
  return of_a_cell * cells + 4.0 * layout.plot_width * layout.plot_height + 4.0 * layout.width * layout.height;
}

FigureLayout layout_figure(const mesh::Mesh& mesh, const Figure& figure) {
  const int columns = std::max(1, figure.columns);
  FigureLayout layout;
  for (PictureOptions picture : figure.pictures) {
    picture.width = figure.width / columns;
    layout.pictures.push_back(layout_picture(mesh, picture));
    if ((layout.pictures.size() - 1) % static_cast<std::size_t>(columns) == 0)
      layout.tops.push_back(layout.tops.back());
    int& bottom = layout.tops.back();
    bottom = std::max(bottom, layout.tops[layout.tops.size() - 2] + layout.pictures.back().height);
  }
  if (layout.tops.back() > tallest_image)
    throw InputError(
        {}, fmt::format("figure: {} pictures in {} would be {} pixels high; {} is the most: choose more "
                        "columns or a smaller width",
                        figure.pictures.size(), columns == 1 ? "one column" : fmt::format("{} columns", columns),
                        layout.tops.back(), tallest_image));
  return layout;
}

}  // namespace galerna::drawing
