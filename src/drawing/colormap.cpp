#include "drawing/colormap.hpp"

#include <algorithm>

namespace galerna::drawing {

std::array<double, 3> colour_of(double share) {
  // Coefficients of 1, t, t², …: fits of degree 6 in the maximum norm.
  static constexpr std::array<std::array<double, 7>, 3> polynomials = {
      {{0.27688, -0.13611, 2.07703, -13.15394, 20.13417, -5.88879, -2.32586},
       {0.00375, 1.48939, -0.72948, -2.0177, 7.30084, -7.89936, 2.75737},
       {0.33767, 0.95527, 5.11471, -40.504, 97.25955, -101.26202, 38.23449}}};
  const double t = std::clamp(share, 0.0, 1.0);
  std::array<double, 3> colour = {};
  for (std::size_t channel = 0; channel < 3; ++channel) {
    double value = 0;
    for (std::size_t i = 7; i-- > 0;) value = value * t + polynomials[channel][i];
    colour[channel] = std::clamp(value, 0.0, 1.0);
  }
  return colour;
}

}  // namespace galerna::drawing
