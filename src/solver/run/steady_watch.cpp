#include "solver/run/steady_watch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/vectors.hpp"

namespace galerna::solver {
namespace {

constexpr long samples_of_window = 10;

/// Steps between two looks at the residual.
long residual_interval(const case_file::Settings& settings) {
  return settings.time.newton ? 1 : 100;
}

long multiple_after(long interval, long step) {
  return (step / interval + 1) * interval;
}

}  // namespace

/// Density by the mass M, energy by the whole energy E, momentum by √(M E): whatever the units, none counts for
/// nothing.
void SteadyWatch::begin(const std::vector<double>& integrals) {
  weights_.assign(integrals.size(), 1.0);
  if (!settings_.equations.gas) return;
  const double mass = integrals.front(), energy = integrals.back();
  std::fill(weights_.begin(), weights_.end(), 1 / std::sqrt(mass * energy));
  weights_.front() = 1 / mass;
  weights_.back() = 1 / energy;
}

void SteadyWatch::begin_degree() {
  forces_.clear();
  met_.clear();
  residual_.reset();
  force_change_.reset();
}

long SteadyWatch::force_interval() const {
  return settings_.time.steady_window / samples_of_window;
}

long SteadyWatch::next_step(long step) const {
  long next = std::numeric_limits<long>::max();
  if (settings_.time.steady_residual) next = first_ ? multiple_after(residual_interval(settings_), step) : step + 1;
  if (settings_.time.steady_forces) next = std::min(next, multiple_after(force_interval(), step));
  return next;
}

bool SteadyWatch::look(Snapshot& now) {
  const long step = static_cast<long>(now.control().steps);
  const case_file::TimeSettings& time = settings_.time;
  met_.clear();
  if (time.steady_residual && (!first_ || step % residual_interval(settings_) == 0) && residual_is_small(now.control()))
    met_ = "residual";
  else if (time.steady_forces && step % force_interval() == 0 && forces_stay(now))
    met_ = "forces";
  return !met_.empty();
}

double SteadyWatch::residual_norm(const kernels::Control& control) const {
  double square = 0;
  for (std::size_t v = 0; v < weights_.size(); ++v)
    square += (weights_[v] * control.residual[v]) * (weights_[v] * control.residual[v]);
  return std::sqrt(square);
}

std::optional<double> SteadyWatch::relative(const kernels::Control& control) const {
  if (!first_) return {};
  const double now = residual_norm(control);
  return now > 0 ? now / *first_ : 0.0;
}

bool SteadyWatch::residual_is_small(const kernels::Control& control) {
  if (!first_) first_ = residual_norm(control);
  residual_ = relative(control);
  return *residual_ <= *settings_.time.steady_residual;
}

bool SteadyWatch::forces_stay(Snapshot& now) {
  const long step = static_cast<long>(now.control().steps);
  std::array<double, 3> sum{};
  for (const analysis::Wall& wall : now.walls()) sum = plus(sum, analysis::wall_force(wall).total());
  while (!forces_.empty() && forces_.back().step >= step) forces_.pop_back();  // a run that failed went back
  forces_.push_back({step, sum});
  while (forces_.front().step < step - settings_.time.steady_window) forces_.pop_front();
  if (forces_.front().step > step - settings_.time.steady_window) return false;
  std::array<double, 3> least = sum, most = sum;
  double largest = 0;
  for (const Force& sample : forces_) {
    largest = std::max(largest, norm(sample.force));
    for (std::size_t d = 0; d < 3; ++d) {
      least[d] = std::min(least[d], sample.force[d]);
      most[d] = std::max(most[d], sample.force[d]);
    }
  }
  const std::array<double, 3> change = minus(most, least);
  force_change_ = largest > 0 ? std::max({change[0], change[1], change[2]}) / largest : 0.0;
  return *force_change_ <= *settings_.time.steady_forces;
}

void SteadyWatch::write(files::Checkpoint& checkpoint) const {
  if (settings_.time.steady_residual && first_) {
    std::vector<double>& numbers = checkpoint.state["steady_residual"] = {*first_};
    numbers.insert(numbers.end(), weights_.begin(), weights_.end());
  }
  if (!settings_.time.steady_forces) return;
  std::vector<double>& numbers = checkpoint.state["steady_forces"] = {};
  for (const Force& sample : forces_) {
    numbers.push_back(static_cast<double>(sample.step));
    numbers.insert(numbers.end(), sample.force.begin(), sample.force.end());
  }
}

void SteadyWatch::restore(const files::Checkpoint& checkpoint, bool same_degree) {
  const auto residual = checkpoint.state.find("steady_residual"), forces = checkpoint.state.find("steady_forces");
  if (residual != checkpoint.state.end() && residual->second.size() == 1 + weights_.size()) {
    first_ = residual->second.front();
    weights_.assign(residual->second.begin() + 1, residual->second.end());
  }
  if (!same_degree || forces == checkpoint.state.end()) return;
  const std::vector<double>& numbers = forces->second;
  for (std::size_t k = 0; k + 3 < numbers.size(); k += 4)
    forces_.push_back({static_cast<long>(numbers[k]), {numbers[k + 1], numbers[k + 2], numbers[k + 3]}});
}

}  // namespace galerna::solver
