/// \file
/// Means over time of drag and lift, from samples at the times of monitor.csv.
#pragma once

#include <string>
#include <vector>

#include "analysis/walls.hpp"
#include "case/settings.hpp"
#include "files/report.hpp"

namespace galerna::solver {

/// Integrates by the trapezoidal rule between samples.
class ForceAverages {
 public:
  explicit ForceAverages(const case_file::Settings& settings);

  /// Coefficients of all walls now. Does nothing if the case has no walls or no [output.forces].
  void sample(double time, const mesh::Mesh& mesh, const std::vector<analysis::Wall>& walls);
  /// "averages.coefficients" of the report; empty if there are no two samples at different times.
  std::vector<files::Report::Averages::Coefficients> moments() const;

  /// All of it as numbers, for checkpoints.
  std::vector<double> state() const;
  /// \throws std::invalid_argument for numbers of another case.
  void restore(const std::vector<double>& state);

 private:
  const case_file::Settings& settings_;
  std::vector<std::string> walls_;  ///< and "all"; empty if nothing is sampled
  bool begun_ = false;
  double begin_ = 0, time_ = 0;
  std::vector<double> last_, integrals_, squares_;  ///< [wall][drag, lift]: last sample, ∫ c dt, ∫ c² dt
};

}  // namespace galerna::solver
