/// \file
/// Times at which a run stops for its outputs. Multiples of an interval are rounded, and so are the end of the run and
/// other multiples: times that rounding alone tells apart are one.
#pragma once

#include <algorithm>
#include <cmath>

namespace galerna::solver {

/// Relative: what rounding does to times at most.
constexpr double time_rounding = 1e-12;

/// Whether the times differ by rounding at most.
inline bool same_time(double a, double b) {
  return a == b || (std::isfinite(a - b) && std::abs(a - b) <= time_rounding * std::max(std::abs(a), std::abs(b)));
}

/// The first multiple of `interval` later than `time` ≥ 0.
inline double multiple_after(double interval, double time) {
  return (std::floor(time * (1 + time_rounding) / interval) + 1) * interval;
}

inline bool on_multiple(double interval, double time) {
  return same_time(std::round(time / interval) * interval, time);
}

/// The earlier one of a time that is given and of one that follows from an interval; that which is given, if they are
/// the same.
inline double next_of(double given, double multiple) {
  return multiple < given && !same_time(given, multiple) ? multiple : given;
}

}  // namespace galerna::solver
