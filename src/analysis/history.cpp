#include "analysis/history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <vector>

#include "base/error.hpp"

namespace galerna::analysis {
namespace {

using std::numbers::pi;

/// Trapezoidal integral of f(t, value) from index `first` on, between the times a and b, with values interpolated at
/// both.
template <class F>
auto integrate(const History& h, double a, double b, const F& f) {
  decltype(f(0.0, 0.0)) sum = {};
  for (std::size_t i = 0; i + 1 < h.times.size(); ++i) {
    const double t0 = std::max(a, h.times[i]), t1 = std::min(b, h.times[i + 1]);
    if (!(t1 > t0)) continue;
    const auto at = [&](double t) {
      const double share = (t - h.times[i]) / (h.times[i + 1] - h.times[i]);
      return h.values[i] + share * (h.values[i + 1] - h.values[i]);
    };
    sum += 0.5 * (t1 - t0) * (f(t0, at(t0)) + f(t1, at(t1)));
  }
  return sum;
}

double half_range(const History& h, double a, double b) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (std::size_t i = 0; i < h.times.size(); ++i)
    if (h.times[i] >= a && h.times[i] <= b) {
      low = std::min(low, h.values[i]);
      high = std::max(high, h.values[i]);
    }
  return high >= low ? 0.5 * (high - low) : 0;
}

/// Times of upward crossings of `level`. After one the signal must rise `wiggle` above the level and fall as far below
/// before the next counts.
std::vector<double> upward_crossings(const History& h, double level, double wiggle) {
  std::vector<double> crossings;
  bool armed = false;  // the signal has been below level − wiggle since the last crossing
  double candidate = 0;
  bool pending = false;
  for (std::size_t i = 0; i < h.times.size(); ++i) {
    const double value = h.values[i] - level;
    if (value < -wiggle) {
      armed = true;
      pending = false;
    }
    if (armed && !pending && i > 0 && h.values[i - 1] < level && value >= 0) {
      const double share = (level - h.values[i - 1]) / (h.values[i] - h.values[i - 1]);
      candidate = h.times[i - 1] + share * (h.times[i] - h.times[i - 1]);
      pending = true;
    }
    if (pending && value > wiggle) {
      crossings.push_back(candidate);
      armed = pending = false;
    }
  }
  return crossings;
}

/// |∫ (value − mean) Hann(t) e^{−2πi f t} dt|
double spectrum(const History& h, double a, double b, double mean, double f) {
  return std::abs(integrate(h, a, b, [&](double t, double value) {
    const double window = 0.5 * (1 - std::cos(2 * pi * (t - a) / (b - a)));
    return window * (value - mean) * std::exp(std::complex<double>(0, -2 * pi * f * (t - a)));
  }));
}

/// Golden-section search for the peak within one resolution 1/(b − a) of the guess.
double peak_near(const History& h, double a, double b, double mean, double guess) {
  const double golden = 0.5 * (std::sqrt(5.0) - 1);
  double low = guess - 1 / (b - a), high = guess + 1 / (b - a);
  while (high - low > 1e-9 * guess) {
    const double left = high - golden * (high - low), right = low + golden * (high - low);
    const bool falls = spectrum(h, a, b, mean, left) > spectrum(h, a, b, mean, right);
    (falls ? high : low) = falls ? right : left;
  }
  return 0.5 * (low + high);
}

[[noreturn]] void too_short(int periods, std::size_t found) {
  throw InputError({}, fmt::format("the signal has {} whole periods, fewer than the {} asked for; run longer, or ask "
                                   "for fewer (--periods)",
                                   found, periods));
}

}  // namespace

Oscillation analyse_oscillation(const History& h, int periods) {
  if (periods < 2)
    throw InputError({}, "at least 2 periods are needed to tell how periodic a signal is: raise --periods");
  if (h.times.size() < 4) too_short(periods, 0);
  // The level at first is that of the second half of the signal, then the mean over the periods found.
  const double middle = 0.5 * (h.times.front() + h.times.back()), end = h.times.back();
  double level = integrate(h, middle, end, [](double, double v) { return v; }) / (end - middle);
  std::vector<double> last;
  for (int sweep = 0; sweep < 4; ++sweep) {
    const auto all = upward_crossings(h, level, 0.1 * half_range(h, middle, end));
    if (all.size() < static_cast<std::size_t>(periods) + 1) too_short(periods, all.empty() ? 0 : all.size() - 1);
    last.assign(all.end() - periods - 1, all.end());
    level = integrate(h, last.front(), last.back(), [](double, double v) { return v; }) / (last.back() - last.front());
  }
  const double a = last.front(), b = last.back(), period = (b - a) / periods;
  Oscillation o;
  o.periods = periods;
  o.frequency = 1 / period;
  o.mean = level;
  o.amplitude = half_range(h, a, b);
  o.rms = std::sqrt(integrate(h, a, b, [&](double, double v) { return (v - level) * (v - level); }) / (b - a));
  o.peak_frequency = peak_near(h, a, b, level, o.frequency);
  for (std::size_t i = 1; i < last.size(); ++i)
    o.period_spread = std::max(o.period_spread, std::abs((last[i] - last[i - 1]) / period - 1));
  const double split = last[static_cast<std::size_t>(periods / 2)];
  o.amplitude_drift = std::abs(half_range(h, split, b) - half_range(h, a, split)) / o.amplitude;
  return o;
}

}  // namespace galerna::analysis
