#include "solver/outputs/force_averages.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "solver/outputs/walls.hpp"

namespace galerna::solver {

ForceAverages::ForceAverages(const case_file::Settings& settings) : settings_(settings) {
  if (!settings.output.forces) return;
  walls_ = wall_names(settings);
  if (!walls_.empty()) walls_.emplace_back("all");
  for (std::vector<double>* numbers : {&last_, &integrals_, &squares_}) numbers->assign(2 * walls_.size(), 0.0);
}

void ForceAverages::sample(double time, const mesh::Mesh& mesh, const std::vector<analysis::Wall>& walls) {
  if (walls_.empty()) return;
  files::Report now;
  report_walls(now, settings_, mesh, walls);
  std::vector<double> values;
  for (const auto& wall : now.forces) values.insert(values.end(), {wall.coefficients->drag, wall.coefficients->lift});
  values.insert(values.end(), {now.all_coefficients->drag, now.all_coefficients->lift});
  if (!begun_) begin_ = time_ = time;
  begun_ = true;
  const double half = 0.5 * (time - time_);
  for (std::size_t k = 0; k < values.size() && half > 0; ++k) {
    integrals_[k] += half * (last_[k] + values[k]);
    squares_[k] += half * (last_[k] * last_[k] + values[k] * values[k]);
  }
  last_ = values;
  time_ = time;
}

std::vector<files::Report::Averages::Coefficients> ForceAverages::moments() const {
  std::vector<files::Report::Averages::Coefficients> result;
  const double duration = time_ - begin_;
  if (!(duration > 0)) return result;
  const auto moment = [&](std::size_t k) {
    const double mean = integrals_[k] / duration;
    return files::Report::Averages::Moment{mean, std::sqrt(std::max(0.0, squares_[k] / duration - mean * mean))};
  };
  for (std::size_t w = 0; w < walls_.size(); ++w) result.push_back({walls_[w], moment(2 * w), moment(2 * w + 1)});
  return result;
}

std::vector<double> ForceAverages::state() const {
  std::vector<double> all = {begun_ ? 1.0 : 0.0, begin_, time_};
  for (const std::vector<double>* numbers : {&last_, &integrals_, &squares_})
    all.insert(all.end(), numbers->begin(), numbers->end());
  return all;
}

void ForceAverages::restore(const std::vector<double>& state) {
  const std::size_t n = last_.size();
  if (state.size() != 3 + 3 * n) throw std::invalid_argument("averages of forces on other walls");
  begun_ = state[0] != 0;
  begin_ = state[1];
  time_ = state[2];
  auto from = state.begin() + 3;
  for (std::vector<double>* numbers : {&last_, &integrals_, &squares_}) {
    std::copy_n(from, n, numbers->begin());
    from += static_cast<std::ptrdiff_t>(n);
  }
}

}  // namespace galerna::solver
