/// \file
/// Pictures of solutions: a field in colour, isolines, the mesh, axes and a colour bar, as PNG or SVG; of space a cut
/// by a plane, or boundaries from a direction of view.
#pragma once

#include <filesystem>
#include <string>

#include "analysis/solution.hpp"
#include "drawing/picture_layout.hpp"

namespace galerna::drawing {

/// The picture as bytes of a file.
/// \throws InputError when the field is unknown or an option makes no sense.
std::string render_picture(const analysis::Solution& solution, const PictureOptions& options, PictureFormat format);

/// Writes a .png or .svg file, as its name says, as a whole or not at all.
/// \throws InputError as above and for another ending; SystemError when the file cannot be written.
void write_picture(const analysis::Solution& solution, const std::filesystem::path& file,
                   const PictureOptions& options = {});

/// As render_picture() and write_picture().
std::string render_figure(const analysis::Solution& solution, const Figure& figure, PictureFormat format);
void write_figure(const analysis::Solution& solution, const std::filesystem::path& file, const Figure& figure);

}  // namespace galerna::drawing
