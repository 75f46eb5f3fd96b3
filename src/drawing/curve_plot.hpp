/// \file
/// Plots of curves y over x, as PNG or SVG.
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "drawing/picture_frame.hpp"

namespace galerna::drawing {

struct CurvePlot {
  std::vector<std::vector<std::array<double, 2>>> curves;  ///< [curve][point] (x, y)
  std::string title, across = "x", upward = "y";           ///< and names of the axes
  bool downward = false;                                   ///< y grows downward, as pressure coefficients are drawn
  int width = 1200;                                        ///< of the whole plot, pixels (SVG: points)
};

/// The plot as bytes of a file; its axes go round all points.
std::string render_plot(const CurvePlot& plot, PictureFormat format);

/// Writes a .png or .svg file, as its name says. \throws SystemError when it cannot be written.
void write_plot(const CurvePlot& plot, const std::filesystem::path& file);

}  // namespace galerna::drawing
