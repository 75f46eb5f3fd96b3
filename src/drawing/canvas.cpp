#include "drawing/canvas.hpp"

#include <cairo-svg.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "drawing/colormap.hpp"
#include "drawing/pen_font.hpp"

namespace galerna::drawing {
namespace {

constexpr std::array<double, 3> ink = {0.13, 0.13, 0.15};

cairo_status_t append_bytes(void* text, const unsigned char* bytes, unsigned int count) {
  static_cast<std::string*>(text)->append(reinterpret_cast<const char*>(bytes), count);
  return CAIRO_STATUS_SUCCESS;
}

void check(cairo_status_t status) {
  if (status != CAIRO_STATUS_SUCCESS)
    throw std::runtime_error(std::string("Cairo could not draw the picture: ") + cairo_status_to_string(status));
}

/// How many ticks fit along `length` pixels, `spacing` pixels apart.
int tick_count(double length, double spacing) {
  return std::clamp(static_cast<int>(length / spacing), 2, 10);
}

/// Width of thin lines, which grows with the picture.
double hairline(const PictureLayout& layout) {
  return layout.font / 16;
}

}  // namespace

Canvas::Canvas(int width, int height, PictureFormat format)
    : format_(format),
      surface_(format == PictureFormat::png
                   ? cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height)
                   : cairo_svg_surface_create_for_stream(append_bytes, &written_, width, height)),
      context_(cairo_create(surface_.get())) {
  check(cairo_surface_status(surface_.get()));
  cairo_set_source_rgb(context(), 1, 1, 1);
  cairo_paint(context());
}

std::string Canvas::bytes() {
  check(cairo_status(context()));
  if (format_ == PictureFormat::png) check(cairo_surface_write_to_png_stream(surface_.get(), append_bytes, &written_));
  cairo_surface_finish(surface_.get());
  check(cairo_surface_status(surface_.get()));
  return written_;
}

void Canvas::write(const std::string& text, double size, double slant) {
  cairo_scale(context(), size, size);
  for (const PenMove& move : pen_text(text, slant)) {
    const auto& [a, b, c, d, e, f] = move.to;
    if (move.kind == PenMove::Kind::begin) cairo_move_to(context(), a, b);
    if (move.kind == PenMove::Kind::line) cairo_line_to(context(), a, b);
    if (move.kind == PenMove::Kind::curve) cairo_curve_to(context(), a, b, c, d, e, f);
  }
  cairo_set_source_rgb(context(), ink[0], ink[1], ink[2]);
  cairo_set_line_width(context(), pen_width);
  cairo_set_line_cap(context(), CAIRO_LINE_CAP_ROUND);
  cairo_set_line_join(context(), CAIRO_LINE_JOIN_ROUND);
  cairo_stroke(context());
}

void Canvas::text(double x, double y, const std::string& text, double size, Align align, bool italic) {
  const double width = size * pen_text_width(text);
  cairo_save(context());
  cairo_translate(context(), x - (align == Align::left ? 0 : align == Align::centre ? width / 2 : width), y);
  write(text, size, italic ? 0.2 : 0);
  cairo_restore(context());
}

void Canvas::upward_text(double x, double y, const std::string& text, double size) {
  cairo_save(context());
  cairo_translate(context(), x, y + 0.5 * size * pen_text_width(text));
  cairo_rotate(context(), -0.5 * std::numbers::pi);
  write(text, size, 0);
  cairo_restore(context());
}

void Canvas::segments(const PictureLayout& layout, const std::vector<Segment>& segments, double width,
                      std::array<double, 4> colour) {
  constexpr std::size_t batch = 200;  // Cairo's stroker slows down on long paths
  cairo_save(context());
  cairo_rectangle(context(), layout.left, layout.top, layout.plot_width, layout.plot_height);
  cairo_clip(context());
  cairo_set_source_rgba(context(), colour[0], colour[1], colour[2], colour[3]);
  cairo_set_line_width(context(), width);
  cairo_set_line_cap(context(), CAIRO_LINE_CAP_ROUND);
  cairo_set_line_join(context(), CAIRO_LINE_JOIN_ROUND);
  const Segment* last = nullptr;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const Segment& s = segments[i];
    if (!last || last->x1 != s.x0 || last->y1 != s.y0) cairo_move_to(context(), layout.x(s.x0), layout.y(s.y0));
    cairo_line_to(context(), layout.x(s.x1), layout.y(s.y1));
    last = &s;
    if ((i + 1) % batch != 0) continue;
    cairo_stroke(context());
    last = nullptr;
  }
  cairo_stroke(context());
  cairo_restore(context());
}

void draw_raster(Canvas& canvas, const PictureLayout& layout, const Raster& raster, int fine,
                 std::array<double, 2> range) {
  constexpr std::array<double, 3> not_a_number = {0.85, 0.1, 0.1};
  const std::unique_ptr<cairo_surface_t, void (*)(cairo_surface_t*)> image(
      cairo_image_surface_create(CAIRO_FORMAT_ARGB32, layout.plot_width, layout.plot_height), cairo_surface_destroy);
  check(cairo_surface_status(image.get()));
  cairo_surface_flush(image.get());
  unsigned char* const pixels = cairo_image_surface_get_data(image.get());
  const std::size_t stride = static_cast<std::size_t>(cairo_image_surface_get_stride(image.get()));
  for (int row = 0; row < layout.plot_height; ++row)
    for (int column = 0; column < layout.plot_width; ++column) {
      // Mean colour of the pixel's covered cells; the share of covered ones is its opacity, premultiplied as Cairo
      // wants it.
      std::array<double, 4> sum = {0, 0, 0, 0};
      for (int cell = 0; cell < fine * fine; ++cell) {
        const std::size_t at =
            static_cast<std::size_t>(row * fine + cell / fine) * raster.columns + column * fine + cell % fine;
        if (!raster.covered[at]) continue;
        const double value = raster.values[at];
        const auto colour = std::isfinite(value) ? colour_of((value - range[0]) / (range[1] - range[0])) : not_a_number;
        const double line = raster.lines.empty() || raster.lines[at] == 0 ? 1 : 0.45;
        const double brightness = line * (raster.shades.empty() ? 1 : raster.shades[at]);
        for (std::size_t channel = 0; channel < 3; ++channel) sum[channel] += brightness * colour[channel];
        sum[3] += 1;
      }
      std::uint32_t pixel = 0;
      for (std::size_t channel : {3, 0, 1, 2})
        pixel = pixel << 8 | static_cast<std::uint32_t>(std::lround(255 * sum[channel] / (fine * fine)));
      std::copy_n(reinterpret_cast<const unsigned char*>(&pixel), 4,
                  pixels + static_cast<std::size_t>(row) * stride + 4 * column);
    }
  cairo_surface_mark_dirty(image.get());
  cairo_set_source_surface(canvas.context(), image.get(), layout.left, layout.top);
  cairo_pattern_set_filter(cairo_get_source(canvas.context()), CAIRO_FILTER_NEAREST);
  cairo_rectangle(canvas.context(), layout.left, layout.top, layout.plot_width, layout.plot_height);
  cairo_fill(canvas.context());
}

namespace {

void stroke_line(Canvas& canvas, double x0, double y0, double x1, double y1) {
  cairo_move_to(canvas.context(), x0, y0);
  cairo_line_to(canvas.context(), x1, y1);
  cairo_stroke(canvas.context());
}

void use_ink(Canvas& canvas, const PictureLayout& layout) {
  cairo_set_source_rgb(canvas.context(), ink[0], ink[1], ink[2]);
  cairo_set_line_width(canvas.context(), hairline(layout));
}

}  // namespace

void draw_axes(Canvas& canvas, const PictureLayout& layout) {
  const double f = layout.font, tick = 0.35 * f, bottom = layout.top + layout.plot_height;
  const Ticks x_ticks = make_ticks(layout.window.x0, layout.window.x1, tick_count(layout.plot_width, 7 * f));
  const Ticks y_ticks = make_ticks(std::min(layout.window.y0, layout.window.y1),
                                   std::max(layout.window.y0, layout.window.y1), tick_count(layout.plot_height, 4 * f));
  double label_width = 0;
  for (double value : y_ticks.values) label_width = std::max(label_width, f * pen_text_width(y_ticks.label(value)));
  use_ink(canvas, layout);
  cairo_rectangle(canvas.context(), layout.left, layout.top, layout.plot_width, layout.plot_height);
  cairo_stroke(canvas.context());
  for (double value : x_ticks.values) {
    use_ink(canvas, layout);
    stroke_line(canvas, layout.x(value), bottom, layout.x(value), bottom + tick);
    canvas.text(layout.x(value), bottom + tick + 1.1 * f, x_ticks.label(value), f, Canvas::Align::centre);
  }
  for (double value : y_ticks.values) {
    use_ink(canvas, layout);
    stroke_line(canvas, layout.left - tick, layout.y(value), layout.left, layout.y(value));
  }
  const double letters_height = 1.2 * f / layout.plot_height * std::abs(layout.window.height());
  for (double value : y_ticks.apart(letters_height))
    canvas.text(layout.left - 2 * tick, layout.y(value) + 0.36 * f, y_ticks.label(value), f, Canvas::Align::right);
  canvas.text(layout.left + layout.plot_width / 2.0, bottom + tick + 2.5 * f, layout.across, 1.1 * f,
              Canvas::Align::centre, true);
  canvas.text(layout.left - 3.2 * tick - label_width, layout.top + layout.plot_height / 2.0 + 0.3 * f, layout.upward,
              1.1 * f, Canvas::Align::right, true);
}

namespace {

/// The field's name beyond the bar's labels, smaller where there is little room.
void draw_bar_name(Canvas& canvas, const PictureLayout& layout, const std::string& name, double label_width) {
  const double f = layout.font, room = layout.bar_below ? layout.plot_width : layout.height - 2 * f;
  const double size = std::min(1.1 * f, room / std::max(pen_text_width(name), 1e-9));
  if (layout.bar_below) {
    canvas.text(layout.left + layout.plot_width / 2.0, layout.top + layout.plot_height + 8.5 * f, name, size,
                Canvas::Align::centre);
    return;
  }
  const double beyond_labels = layout.left + layout.plot_width + 4 * f + label_width + 1.1 * f;
  const double middle = layout.top + layout.plot_height / 2.0, half = 0.5 * size * pen_text_width(name);
  canvas.upward_text(std::min(beyond_labels, layout.width - 0.5 * f),
                     std::clamp(middle, half + f, std::max(half + f, layout.height - half - f)), name, size);
}

}  // namespace

BarNumbers bar_numbers(const PictureLayout& layout, std::array<double, 2> range) {
  const double f = layout.font;
  const bool below = layout.bar_below;
  const double length = below ? layout.plot_width : layout.plot_height;
  BarNumbers numbers;
  numbers.ticks = make_ticks(range[0], range[1], tick_count(length, (below ? 7 : 4) * f));
  numbers.written = numbers.ticks.values;
  const double pixels = length / (range[1] - range[0]);
  if (!below) {
    numbers.written = numbers.ticks.apart(1.2 * f / pixels);
    if (numbers.written.size() < 2) numbers.written = {numbers.ticks.values.front(), numbers.ticks.values.back()};
  }
  double widest = 0;  // of letters of size 1
  for (const double value : numbers.written) widest = std::max(widest, pen_text_width(numbers.ticks.label(value)));
  const double apart = pixels * (numbers.written[1] - numbers.written[0]);
  // Beside the bar numbers have the space up to the field's name, under it that between two of them, and on their right
  // that of the last one up to the end of the picture.
  const double at_right = layout.width - layout.left - layout.plot_width;
  const double space = below ? std::min(apart - 0.5 * f, 2 * at_right) : 4.6 * f;
  numbers.size = std::min(f, space / widest);
  if (!below) numbers.size = std::min(numbers.size, apart / 1.1);
  return numbers;
}

void draw_colour_bar(Canvas& canvas, const PictureLayout& layout, std::array<double, 2> range,
                     const std::string& name) {
  constexpr int stops = 64;
  const double f = layout.font, tick = 0.35 * f, thickness = 1.2 * f;
  const bool below = layout.bar_below;
  const double x = below ? layout.left : layout.left + layout.plot_width + 1.5 * f;
  const double y = below ? layout.top + layout.plot_height + 4.3 * f : layout.top;
  const double length = below ? layout.plot_width : layout.plot_height;
  const double width = below ? length : thickness, height = below ? thickness : length;
  const std::unique_ptr<cairo_pattern_t, void (*)(cairo_pattern_t*)> gradient(
      below ? cairo_pattern_create_linear(x, 0, x + length, 0) : cairo_pattern_create_linear(0, y + length, 0, y),
      cairo_pattern_destroy);
  for (int i = 0; i <= stops; ++i) {
    const double share = static_cast<double>(i) / stops;
    const auto colour = colour_of(share);
    cairo_pattern_add_color_stop_rgb(gradient.get(), share, colour[0], colour[1], colour[2]);
  }
  cairo_rectangle(canvas.context(), x, y, width, height);
  cairo_set_source(canvas.context(), gradient.get());
  cairo_fill_preserve(canvas.context());
  use_ink(canvas, layout);
  cairo_stroke(canvas.context());
  const BarNumbers numbers = bar_numbers(layout, range);
  double label_width = 0;
  for (const double value : numbers.ticks.values) {
    const double share = (value - range[0]) / (range[1] - range[0]), at = y + (1 - share) * length;
    use_ink(canvas, layout);
    if (below)
      stroke_line(canvas, x + share * length, y + height, x + share * length, y + height + tick);
    else
      stroke_line(canvas, x + width, at, x + width + tick, at);
  }
  for (const double value : numbers.written) {
    const double share = (value - range[0]) / (range[1] - range[0]), at = y + (1 - share) * length;
    const std::string text = numbers.ticks.label(value);
    if (below)
      canvas.text(x + share * length, y + height + tick + 1.1 * f, text, numbers.size, Canvas::Align::centre);
    else
      canvas.text(x + width + 2 * tick, at + 0.36 * numbers.size, text, numbers.size);
    label_width = std::max(label_width, numbers.size * pen_text_width(text));
  }
  draw_bar_name(canvas, layout, name, label_width);
}

}  // namespace galerna::drawing
