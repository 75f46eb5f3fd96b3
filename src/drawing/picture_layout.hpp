/// \file
/// What is asked for in a picture, and how it is laid out.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "drawing/picture_frame.hpp"
#include "drawing/scene.hpp"

namespace galerna::drawing {

struct PictureOptions {
  std::string field = "density";
  std::optional<std::array<double, 2>> range;  ///< of the colours; else the field's over the window
  bool colours = true;                         ///< false: isolines alone, on white

  /// `count` ≥ 1 lines, equally spaced from `min` to `max`, both included.
  struct Isolines {
    double min = 0, max = 1;
    int count = 10;
  };
  std::optional<Isolines> isolines;

  std::optional<Scene> scene;    ///< of space, and needed there; the window is in its coordinates
  std::optional<Window> window;  ///< else the box around the mesh, or what the scene shows of it
  bool mesh_lines = false;
  std::vector<Segment> outlines;  ///< further lines, as those of the mesh
  int streamlines = 0;            ///< about so many across the longer side of the window, evenly spaced; 0: none
  int width = 1200;               ///< of the whole picture, pixels (SVG: points), 200 … 20000; the height follows
  std::string title;              ///< comes before the time, and without colours the field's name
};

/// What is wrong with an option: its name, as in the case file, and why it makes no sense.
struct OptionProblem {
  std::string option, text;
};

/// Everything that a picture of any solution on the mesh would be refused for, but for its field.
std::vector<OptionProblem> picture_problems(const mesh::Mesh& mesh, const PictureOptions& options);

/// \throws InputError with picture_problems(), if there are any
PictureLayout layout_picture(const mesh::Mesh& mesh, const PictureOptions& options);

/// Memory that drawing takes, at most.
double drawing_bytes(const PictureLayout& layout);

/// Several pictures side by side, row by row.
struct Figure {
  std::vector<PictureOptions> pictures;  ///< whose own width counts for nothing
  int columns = 2;                       ///< of at least 200 pixels
  int width = 1600;                      ///< pixels, of the whole
};

/// Where its pictures are.
struct FigureLayout {
  std::vector<PictureLayout> pictures;
  std::vector<int> tops = {0};  ///< of the rows, and the end, pixels
};
/// \throws InputError as layout_picture(), and for a figure that is too high
FigureLayout layout_figure(const mesh::Mesh& mesh, const Figure& figure);

}  // namespace galerna::drawing
