/// \file
/// Lists of numbers held against each other.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

namespace galerna::tests {

inline double largest(const std::vector<double>& values) {
  double result = 0;
  for (double value : values) result = std::max(result, std::abs(value));
  return result;
}

/// Largest difference relative to the largest value of `a`; infinite where something is not a number, which no maximum
/// would show.
inline double relative_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double d = std::abs(a[i] - b.at(i));
    difference = std::max(difference, std::isnan(d) ? INFINITY : d);
  }
  return difference / largest(a);
}

}  // namespace galerna::tests
