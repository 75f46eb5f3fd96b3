#include "analysis/history.hpp"

#include <cmath>
#include <fstream>
#include <numbers>
#include <random>

#include "base/error.hpp"
#include "solutions.hpp"

namespace galerna::analysis {
namespace {

using std::numbers::pi;

/// Sampled at steps of about `step`, which vary by a fifth.
History signal(double end, double step, const std::function<double(double)>& f) {
  History history;
  double t = 0;
  for (int i = 0; t < end; t += step * (1 + 0.2 * std::sin(1.7 * i++))) {
    history.times.push_back(t);
    history.values.push_back(f(t));
  }
  return history;
}

TEST(Oscillation, OfASineHasItsFrequencyMeanAndAmplitude) {
  const Oscillation o =
      analyse_oscillation(signal(100, 0.02, [](double t) { return 1.5 + 0.3 * std::sin(2 * pi * 0.1643 * t + 0.4); }));
  EXPECT_EQ(o.periods, 10);
  EXPECT_NEAR(o.frequency, 0.1643, 1e-7);
  EXPECT_NEAR(o.peak_frequency, 0.1643, 1e-5);
  EXPECT_NEAR(o.mean, 1.5, 1e-6);
  EXPECT_NEAR(o.amplitude, 0.3, 1e-5);
  EXPECT_NEAR(o.rms, 0.3 / std::sqrt(2), 1e-5);
  EXPECT_LT(o.period_spread, 1e-5);
  EXPECT_LT(o.amplitude_drift, 1e-4);
  EXPECT_NEAR(strouhal(o.frequency, 2, 0.5), 4 * 0.1643, 1e-6);
}

TEST(Oscillation, TakesTheEndOfASignalThatGrowsUp) {
  const auto f = [](double t) {
    const double grown = 1 / (1 + std::exp(-(t - 60) / 5));
    return 3 * std::exp(-t / 4) + 0.2 * (1 - grown) + grown * std::cos(2 * pi * 0.2 * t);
  };
  const Oscillation o = analyse_oscillation(signal(200, 0.05, f), 12);
  EXPECT_NEAR(o.frequency, 0.2, 1e-6);
  EXPECT_NEAR(o.mean, 0, 1e-5);
  const Oscillation early = analyse_oscillation(signal(90, 0.05, f), 5);
  EXPECT_GT(early.amplitude_drift, 0.05) << "not yet periodic";
}

TEST(Oscillation, HarmonicsAndNoiseMakeNoPeriods) {
  std::mt19937 random(3);
  std::normal_distribution<double> noise(0, 0.01);
  const Oscillation o = analyse_oscillation(signal(120, 0.03, [&](double t) {
    return std::sin(2 * pi * 0.25 * t) + 0.3 * std::sin(2 * pi * 0.5 * t + 1) + noise(random);
  }));
  EXPECT_NEAR(o.frequency, 0.25, 1e-4);
  EXPECT_NEAR(o.peak_frequency, 0.25, 1e-4);
  EXPECT_LT(o.period_spread, 0.01);
  EXPECT_GT(o.period_spread, 0);
}

TEST(Oscillation, NeedsEnoughPeriods) {
  const History history = signal(10, 0.01, [](double t) { return std::sin(2 * pi * t); });
  EXPECT_NO_THROW(analyse_oscillation(history, 8));
  EXPECT_THROW(analyse_oscillation(history, 11), InputError);
  EXPECT_THROW(analyse_oscillation(history, 1), InputError);
  EXPECT_THROW(analyse_oscillation(signal(10, 0.1, [](double) { return 1.0; })), InputError);
  EXPECT_THROW(analyse_oscillation({}), InputError);
}

}  // namespace
}  // namespace galerna::analysis
