/// \file
/// Runs that become steady at low degrees first (time.sequence).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "case/settings.hpp"
#include "files/checkpoint.hpp"
#include "files/report.hpp"
#include "kernels/arguments.hpp"

namespace galerna::solver {

/// All degrees of a run, in order: those of time.sequence, then discretization.order.
std::vector<int> degrees_of(const case_file::Settings& settings);

/// The case at one of its degrees. Constants have no slopes: at degree 0 there is no limiter.
case_file::Settings at_degree(const case_file::Settings& settings, int degree);

/// Where a run stands among its degrees, and what it has done at them.
class Sequence {
 public:
  explicit Sequence(const case_file::Settings& settings) : case_(settings), degrees_(degrees_of(settings)) {}

  /// The level at which a run begins: a checkpoint of a degree of the sequence is continued there, any other one at the
  /// last degree.
  std::size_t first_level(const std::optional<files::Checkpoint>& checkpoint) const;
  void go_to(std::size_t level);
  std::size_t level() const { return level_; }
  bool is_last() const { return level_ + 1 == degrees_.size(); }
  std::size_t size() const { return degrees_.size(); }
  bool has_levels() const { return size() > 1; }
  /// The case at the present degree.
  const case_file::Settings& settings() const { return settings_; }
  /// At the next one, if there is one.
  case_file::Settings next_settings() const { return at_degree(case_, degrees_[level_ + 1]); }

  /// The step at which the present degree began, and the one at which it ends at the latest.
  long first_step() const { return first_step_; }
  void set_first_step(long step) { first_step_ = step; }
  /// Of all right-hand sides, those that had been computed when the present degree began.
  void set_first_evaluation(std::int64_t evaluations) { first_evaluation_ = evaluations; }
  long last_step() const;

  /// Right-hand sides are counted for the present degree from here on, \param evaluations of all so far.
  void count_from(std::int64_t evaluations) { evaluations_ = evaluations; }
  std::int64_t evaluations(const kernels::Control& control) const { return control.rhs_evaluations - evaluations_; }
  /// Numbers of right-hand sides that the run has computed, with so many degrees of freedom now.
  double work(std::int64_t degrees_of_freedom, const kernels::Control& control) const;
  /// Keeps that before the next degree counts anew.
  void keep_work(double work) { work_ = work; }
  /// Notes that a degree is over; the next one begins at this step.
  void finish_level(int degree, const kernels::Control& control);
  const std::vector<files::Report::Level>& finished() const { return finished_; }

  /// Whether the present degree is over: a restart begins the next one at once.
  bool is_over() const { return over_; }
  void set_over(bool over) { over_ = over; }

  /// For restore() of degrees that are over.
  void write(files::Checkpoint& checkpoint) const;
  void restore(const files::Checkpoint& checkpoint);

 private:
  const case_file::Settings& case_;
  std::vector<int> degrees_;
  std::size_t level_ = 0;
  case_file::Settings settings_;
  bool over_ = false;
  long first_step_ = 0;
  std::int64_t first_evaluation_ = 0;
  std::int64_t evaluations_ = 0;
  double work_ = 0;  ///< at lower degrees
  std::vector<files::Report::Level> finished_;
};

}  // namespace galerna::solver
