/// \file
/// How far a run is, and how long it will take.
#pragma once

#include <optional>
#include <utility>
#include <vector>

namespace galerna::solver {

/// The way from `first` down to `goal` that is behind a quantity which decays, 0 … 1: by decades.
double decades_done(double first, double now, double goal);

class Forecast {
 public:
  /// After `seconds` the share `done` of the way seems to be behind. It may fall, as residuals rise; what is told does
  /// not.
  void add(double seconds, double done);
  double done() const { return samples_.empty() ? 0 : samples_.back().second; }
  /// Seconds to the end at the pace of the latter half of the time so far; nothing before anything is done.
  std::optional<double> left() const;

 private:
  std::vector<std::pair<double, double>> samples_;  ///< seconds, done; the older ones are thinned out
};

}  // namespace galerna::solver
