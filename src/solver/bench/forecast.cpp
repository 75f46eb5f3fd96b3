#include "solver/bench/forecast.hpp"

#include <algorithm>
#include <cmath>

namespace galerna::solver {

double decades_done(double first, double now, double goal) {
  if (!(now > 0) || now <= goal) return 1;
  if (now >= first || !std::isfinite(first)) return 0;
  return std::log(first / now) / std::log(first / goal);
}

void Forecast::add(double seconds, double done) {
  constexpr std::size_t most = 400;
  samples_.emplace_back(seconds, std::max(this->done(), std::min(done, 1.0)));
  if (samples_.size() < most) return;
  for (std::size_t k = 1; 2 * k < most; ++k) samples_[k] = samples_[2 * k];
  samples_.resize(most / 2);
}

std::optional<double> Forecast::left() const {
  if (samples_.empty()) return {};
  const auto [seconds, done] = samples_.back();
  // Of what was done before the first sample the time is not known to be short: the run began with nothing.
  std::pair<double, double> before{0, 0};
  for (const auto& sample : samples_)
    if (sample.first <= 0.5 * seconds) before = sample;
  const double pace = (done - before.second) / (seconds - before.first);
  if (!(pace > 0)) return {};
  return (1 - done) / pace;
}

}  // namespace galerna::solver
