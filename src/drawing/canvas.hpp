/// \file
/// Drawing with Cairo: what pictures are made of.
#pragma once

#include <cairo.h>

#include <memory>
#include <string>
#include <vector>

#include "drawing/picture_frame.hpp"
#include "drawing/ticks.hpp"

namespace galerna::drawing {

/// A PNG or SVG surface that gives its bytes at the end.
class Canvas {
 public:
  Canvas(int width, int height, PictureFormat format);

  cairo_t* context() { return context_.get(); }
  /// The finished file; nothing may be drawn after that.
  std::string bytes();

  enum class Align { left, centre, right };
  /// Text with its baseline at y, in the strokes of pen_font.hpp: no font of the machine is looked for.
  void text(double x, double y, const std::string& text, double size, Align align = Align::left, bool italic = false);
  /// Text that runs upward along its baseline at x, its middle at y.
  void upward_text(double x, double y, const std::string& text, double size);

  /// Segments given in the coordinates of the solution, drawn in the plot and clipped to it.
  void segments(const PictureLayout& layout, const std::vector<Segment>& segments, double width,
                std::array<double, 4> colour);

 private:
  struct Destroy {
    void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
    void operator()(cairo_t* context) const { cairo_destroy(context); }
  };
  /// Strokes of text whose baseline begins at the origin of the context.
  void write(const std::string& text, double size, double slant);

  PictureFormat format_;
  std::string written_;  // receives what an SVG surface writes
  std::unique_ptr<cairo_surface_t, Destroy> surface_;
  std::unique_ptr<cairo_t, Destroy> context_;
};

/// What stands beside a colour bar.
struct BarNumbers {
  Ticks ticks;
  std::vector<double> written;  ///< ticks that bear their number, two at least
  double size = 0;              ///< of the numbers, pixels: smaller than other letters where they need it to fit
};
BarNumbers bar_numbers(const PictureLayout& layout, std::array<double, 2> range);

/// Colours of the raster, whose cells are `fine` × `fine` to a pixel, as the plot's background.
void draw_raster(Canvas& canvas, const PictureLayout& layout, const Raster& raster, int fine,
                 std::array<double, 2> range);
/// The y of the window may fall upward: y0 > y1.
void draw_axes(Canvas& canvas, const PictureLayout& layout);
/// \param name of the field, written beside the bar
void draw_colour_bar(Canvas& canvas, const PictureLayout& layout, std::array<double, 2> range, const std::string& name);

}  // namespace galerna::drawing
