/// \file
/// A font drawn with a pen of constant width: pictures look the same on every machine, whatever fonts it has.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace galerna::drawing {

/// A piece of a path: begins a stroke, goes on straight, or along a cubic Bézier curve. Coordinates x, y; y downward.
struct PenMove {
  enum class Kind { begin, line, curve } kind;
  std::array<double, 6> to;  ///< the end; of a curve the two control points and the end
};

/// Width of text in UTF-8 from one pen position to the next, for font size 1.
double pen_text_width(const std::string& text);

/// Strokes of a line of text in UTF-8 whose baseline begins at the origin, for font size 1: printable ASCII, Latin
/// letters with accents, dashes, quotes and a few signs; other characters are empty boxes. Capitals are 0.7 high.
/// \param slant dx/dy by which letters lean to the right.
std::vector<PenMove> pen_text(const std::string& text, double slant = 0);

/// Width of the pen for font size 1.
inline constexpr double pen_width = 0.085;

}  // namespace galerna::drawing
