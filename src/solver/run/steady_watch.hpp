/// \file
/// Steady states by what the host looks at now and then (time.steady_residual, time.steady_forces). When it looks,
/// counts of steps say, so that a run ends at the same step wherever it was interrupted.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "case/settings.hpp"
#include "files/checkpoint.hpp"
#include "solver/outputs/snapshot.hpp"

namespace galerna::solver {

class SteadyWatch {
 public:
  /// Must outlive it.
  explicit SteadyWatch(const case_file::Settings& settings) : settings_(settings) {}

  /// The run begins. \param integrals [variable] over the domain: what the residuals of a gas are weighed by
  void begin(const std::vector<double>& integrals);
  /// A run goes on at another degree, of which nothing is known yet: forces are other ones there, and what was met was
  /// met by another flow. The first residual stays what residuals are measured by.
  void begin_degree();

  /// The next step after `step` at which to look.
  long next_step(long step) const;
  /// Looks, if the step is due: whether the flow is steady now.
  bool look(Snapshot& now);
  /// The criterion that was met at the last look: "residual", "forces", or "".
  const std::string& met() const { return met_; }

  /// As last seen: the residual relative to the first one; the largest change of a component of the force over the
  /// window, relative to the force.
  std::optional<double> residual() const { return residual_; }
  std::optional<double> force_change() const { return force_change_; }
  /// The residual of a step, relative to the first one; none before there is one.
  std::optional<double> relative(const kernels::Control& control) const;

  /// The residual of a step, with each variable in units of its weight.
  double residual_norm(const kernels::Control& control) const;
  /// [variable] in units of which residuals count alike.
  const std::vector<double>& weights() const { return weights_; }

  void write(files::Checkpoint& checkpoint) const;
  /// \param same_degree whether the checkpoint's is the run's present one
  void restore(const files::Checkpoint& checkpoint, bool same_degree);

 private:
  bool residual_is_small(const kernels::Control& control);
  bool forces_stay(Snapshot& now);
  long force_interval() const;

  struct Force {
    long step;
    std::array<double, 3> force;
  };

  const case_file::Settings& settings_;
  std::vector<double> weights_;  ///< [variable] of residuals
  std::optional<double> first_, residual_, force_change_;
  std::deque<Force> forces_;  ///< of the window
  std::string met_;
};

}  // namespace galerna::solver
