/// \file
/// Colours for values: perceptually uniform, readable in grey and by the colour-blind.
#pragma once

#include <array>

namespace galerna::drawing {

/// Red, green and blue in [0, 1] of the share in [0, 1] of the range (clamped). Approximates viridis by S. van der Walt
/// and N. Smith (matplotlib 2.0, released under CC0) with polynomials fitted to its 256 entries, to 3/255.
std::array<double, 3> colour_of(double share);

}  // namespace galerna::drawing
