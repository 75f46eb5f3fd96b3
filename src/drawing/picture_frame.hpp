/// \file
/// Where things are in a picture, and the kinds of files it is drawn into.
#pragma once

#include <string>

#include "drawing/raster.hpp"

namespace galerna::drawing {

enum class PictureFormat { png, svg };

/// Where things are in a picture, in pixels from the top left corner.
struct PictureLayout {
  int width = 0, height = 0;
  int left = 0, top = 0, plot_width = 0, plot_height = 0;  ///< the rectangle that shows the window
  bool bar_below = false;                                  ///< colour bar under the plot instead of beside it
  double font = 12;                                        ///< size of text
  Window window;
  std::string across = "x", upward = "y";  ///< names of the axes

  double x(double value) const { return left + (value - window.x0) / window.width() * plot_width; }
  double y(double value) const { return top + (window.y1 - value) / window.height() * plot_height; }
};

}  // namespace galerna::drawing
