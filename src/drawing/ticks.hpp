/// \file
/// Round numbers for axes.
#pragma once

#include <string>
#include <vector>

namespace galerna::drawing {

struct Ticks {
  double step = 1;             ///< 1, 2 or 5 times a power of ten
  std::vector<double> values;  ///< ascending

  /// The value with as many decimals as the step needs, as a power of ten where that is shorter.
  std::string label(double value) const;

  /// The first value and those of the others that stand at least `distance` apart: an axis has room for their labels.
  std::vector<double> apart(double distance) const;
};

/// Multiples of a round step in [low, high]: at most about `most` ≥ 2 of them, and two at least, without which a scale
/// cannot be read. Where the range is too narrow or too wide for doubles to have such numbers, its ends.
Ticks make_ticks(double low, double high, int most);

}  // namespace galerna::drawing
