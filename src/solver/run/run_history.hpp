/// \file
/// What a run remembers of its way to the present state, beside that state itself: where it began, its degrees, what it
/// adds up over time. Checkpoints carry it over a restart.
#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "case/settings.hpp"
#include "files/checkpoint.hpp"
#include "solver/degree_sequence.hpp"
#include "solver/outputs/snapshot.hpp"
#include "solver/outputs/time_means.hpp"
#include "solver/run/observer.hpp"
#include "solver/run/steady_watch.hpp"
#include "steady/newton.hpp"

namespace galerna::solver {

/// Elements whose slopes were limited, elements scaled for positivity, and how often all elements were looked at.
struct LimiterCounts {
  double slopes = 0, positivity = 0, calls = 0;
};

/// State and circumstances that the blocks of Newton's method belong to.
struct NewtonBlocks {
  std::vector<double> coefficients;  ///< in the mesh's order, of the present degree
  steady::BlockOrigin origin;
};

class RunHistory {
 public:
  /// Both must outlive it.
  RunHistory(const case_file::Settings& settings, const RunOptions& options)
      : settings_(settings), options_(options), sequence_(settings), steady_(settings), means_(settings) {}

  /// The run begins with the state that the flow has, at t = 0.
  void begin(FlowState& flow);
  /// The run goes on from options.restart: the state, the clock and all that was added up.
  /// \throws InputError for a checkpoint of another mesh or other equations, or at or beyond the end
  void restart(const files::Checkpoint& checkpoint, FlowState& flow);
  /// Of the snapshot's state, for restart(). \returns what makes it of a copy, in any thread
  std::function<files::Checkpoint()> checkpoint(Snapshot& flow) const;

  /// Sets the flow's clock. \param same_degree whether it is the controller's of the present degree
  void start_clock(FlowState& flow, double time, long step, const time::ControllerState& controller, bool same_degree);

  /// Where this run began, or the checkpoint it goes on from stands.
  double start_time() const { return start_time_; }
  long start_step() const { return start_step_; }
  /// The step at which the run ends at the latest; the largest number without a limit. Newton's method counts its own
  /// steps, not those in time of a checkpoint that it goes on from.
  long step_limit() const;
  /// Where the steps of Newton's method began.
  long newton_start() const { return newton_start_; }
  /// [variable] over the domain, at the beginning of what boundary fluxes are summed up over.
  const std::vector<double>& start_integrals() const { return start_integrals_; }
  /// Numbers of right-hand sides that the run has computed.
  double work(const FlowState& flow) const;
  /// What the limiter has done at the present degree, before a restart, too.
  LimiterCounts limiter(const FlowState& flow) const;
  /// How often the run went back to its last good state, before a restart, too.
  int recoveries() const { return recoveries_; }
  void count_recovery() { ++recoveries_; }

  /// What Newton's method needs to go on; empty at the beginning of a degree.
  const std::vector<double>& newton() const { return newton_; }
  void keep_newton(std::vector<double> numbers) { newton_ = std::move(numbers); }
  /// The blocks that the checkpoint of a restart has, once.
  std::optional<NewtonBlocks> take_newton_blocks() { return std::exchange(newton_blocks_, std::nullopt); }
  /// \param blocks asked for those that the next step will use, when a checkpoint is taken; none: it computes them
  void set_newton_blocks(std::function<std::optional<NewtonBlocks>()> blocks) { present_blocks_ = std::move(blocks); }
  /// What Newton's method has done at each degree, before a restart, too.
  std::vector<files::Report::Newton::Degree>& newton_degrees() { return newton_degrees_; }
  const std::vector<files::Report::Newton::Degree>& newton_degrees() const { return newton_degrees_; }

  const Sequence& sequence() const { return sequence_; }
  Sequence& sequence() { return sequence_; }
  const SteadyWatch& steady() const { return steady_; }
  SteadyWatch& steady() { return steady_; }
  const TimeMeans& means() const { return means_; }
  TimeMeans& means() { return means_; }

 private:
  void require_fitting(const files::Checkpoint& checkpoint, const FlowState& flow) const;
  void restart_balance(const files::Checkpoint& checkpoint, FlowState& flow);
  void restart_newton(const files::Checkpoint& checkpoint, const FlowState& flow);
  void write_newton(files::Checkpoint& checkpoint, const FlowState& flow) const;
  void restart_limiter(const files::Checkpoint& checkpoint, const FlowState& flow);

  const case_file::Settings& settings_;
  const RunOptions& options_;
  Sequence sequence_;
  SteadyWatch steady_;
  TimeMeans means_;
  std::vector<double> start_integrals_;
  LimiterCounts limiter_before_;  ///< what the discretization does not count itself
  std::vector<double> newton_;
  std::vector<files::Report::Newton::Degree> newton_degrees_;
  std::optional<NewtonBlocks> newton_blocks_;
  std::function<std::optional<NewtonBlocks>()> present_blocks_;
  int recoveries_ = 0;
  double start_time_ = 0;
  long start_step_ = 0;
  long newton_start_ = 0;
};

}  // namespace galerna::solver
