#include "solver/run/recovery.hpp"

#include <algorithm>

#include "time/stepper.hpp"

namespace galerna::solver {
namespace {

constexpr long launch_steps = time::Stepper::steps_per_launch();
constexpr long keep_interval = 16 * launch_steps, fewest_reduced_steps = 4 * launch_steps;

}  // namespace

void Recovery::begin(const kernels::Control& failed, const kernels::Control& kept) {
  const double until = failed.time + (failed.time - kept.time);
  until_ = factor_ < 1 ? std::max(until_, until) : until;
  count_ += 1;
  factor_ *= 0.5;
  reduced_steps_ = since_kept_ = 0;
}

long Recovery::launch(long wanted) const {
  if (attempts_ == 0) return wanted;
  const long whole = (std::max(1L, wanted) + launch_steps - 1) / launch_steps * launch_steps;
  return factor_ < 1 ? launch_steps : std::min(whole, keep_interval - since_kept_);
}

void Recovery::launched(long steps) {
  since_kept_ += steps;
  reduced_steps_ += steps;
}

bool Recovery::over(const kernels::Control& control) {
  if (factor_ == 1 || control.time < until_ || reduced_steps_ < fewest_reduced_steps) return false;
  factor_ = 1;
  since_kept_ = keep_interval;
  return true;
}

bool Recovery::keeps(bool stopped) {
  if (attempts_ > 0 && !stopped && (factor_ < 1 || since_kept_ < keep_interval)) return false;
  since_kept_ = 0;
  return true;
}

}  // namespace galerna::solver
