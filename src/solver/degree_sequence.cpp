#include "solver/degree_sequence.hpp"

#include <algorithm>
#include <limits>

namespace galerna::solver {

std::vector<int> degrees_of(const case_file::Settings& settings) {
  std::vector<int> degrees = settings.time.sequence;
  degrees.push_back(settings.discretization.order);
  return degrees;
}

case_file::Settings at_degree(const case_file::Settings& settings, int degree) {
  case_file::Settings result = settings;
  if (degree == settings.discretization.order) return result;
  result.discretization.order = degree;
  if (settings.time.sequence_steady) result.time.steady = settings.time.sequence_steady;
  if (result.shock && degree == 0) result.shock->limiter = result.shock->method = "none";
  return result;
}

std::size_t Sequence::first_level(const std::optional<files::Checkpoint>& checkpoint) const {
  if (!checkpoint) return 0;
  const auto at = std::find(degrees_.begin(), degrees_.end(), checkpoint->degree);
  return at == degrees_.end() ? degrees_.size() - 1 : static_cast<std::size_t>(at - degrees_.begin());
}

void Sequence::go_to(std::size_t level) {
  level_ = level;
  settings_ = at_degree(case_, degrees_[level]);
}

long Sequence::last_step() const {
  return is_last() || !case_.time.sequence_steps ? std::numeric_limits<long>::max()
                                                 : first_step_ + *case_.time.sequence_steps;
}

double Sequence::work(std::int64_t degrees_of_freedom, const kernels::Control& control) const {
  return work_ + static_cast<double>(degrees_of_freedom) * static_cast<double>(evaluations(control));
}

void Sequence::write(files::Checkpoint& checkpoint) const {
  if (!has_levels()) return;
  if (over_) checkpoint.state["level_over"] = {1};
  checkpoint.state["level_step"] = {static_cast<double>(first_step_)};
  std::vector<double> numbers;
  for (const files::Report::Level& level : finished_)
    numbers.insert(numbers.end(), {static_cast<double>(level.order), static_cast<double>(level.steps), level.change});
  checkpoint.state["levels"] = numbers;
  std::vector<double>& evaluations = checkpoint.state["level_evaluations"];
  evaluations = {static_cast<double>(first_evaluation_)};
  for (const files::Report::Level& level : finished_) evaluations.push_back(static_cast<double>(level.rhs_evaluations));
}

void Sequence::restore(const files::Checkpoint& checkpoint) {
  over_ = !is_last() && checkpoint.degree == degrees_[level_] && checkpoint.state.contains("level_over");
  const auto levels = checkpoint.state.find("levels");
  if (levels == checkpoint.state.end()) return;
  const std::vector<double>& numbers = levels->second;
  for (std::size_t k = 0; k + 2 < numbers.size(); k += 3)
    finished_.push_back({static_cast<int>(numbers[k]), static_cast<std::int64_t>(numbers[k + 1]), numbers[k + 2]});
  const auto evaluations = checkpoint.state.find("level_evaluations");
  if (evaluations == checkpoint.state.end()) return;  // of older versions
  for (std::size_t k = 0; k < finished_.size() && k + 1 < evaluations->second.size(); ++k)
    finished_[k].rhs_evaluations = static_cast<std::int64_t>(evaluations->second[k + 1]);
}

void Sequence::finish_level(int degree, const kernels::Control& control) {
  over_ = false;
  finished_.push_back(
      {degree, control.steps - first_step_, control.change, control.rhs_evaluations - first_evaluation_});
  first_step_ = static_cast<long>(control.steps);
  first_evaluation_ = control.rhs_evaluations;
}

}  // namespace galerna::solver
