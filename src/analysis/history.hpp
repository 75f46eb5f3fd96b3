/// \file
/// Oscillations in histories: frequency, mean and amplitude of a signal that has become periodic, such as the lift of a
/// cylinder that sheds vortices.
#pragma once

#include <vector>

namespace galerna::analysis {

/// A signal at ascending times.
struct History {
  std::vector<double> times, values;
};

struct Oscillation {
  int periods = 0;            ///< whole periods at the end of the signal that the numbers below are taken over
  double frequency = 0;       ///< periods over the time between upward crossings of the mean
  double peak_frequency = 0;  ///< where the Fourier transform over the same periods peaks
  double mean = 0;            ///< over those periods
  double amplitude = 0;       ///< half of largest minus least value
  double rms = 0;             ///< of value − mean
  /// How periodic the signal is: the largest relative deviation of one period from the mean of all, and of the
  /// half range in the first and second half of the periods. Both vanish for a periodic signal.
  double period_spread = 0, amplitude_drift = 0;
};

/// Looks at the last `periods` ≥ 2 whole periods. Crossings are those of the signal's mean over these periods,
/// interpolated linearly; wiggles smaller than a tenth of the amplitude make no crossing. The signal may have steps of
/// any size. The Fourier transform has a Hann window and trapezoidal weights, and is searched for its largest value
/// around `frequency`. \throws InputError when the signal has fewer periods.
Oscillation analyse_oscillation(const History& history, int periods = 10);

/// f L / U.
inline double strouhal(double frequency, double length, double velocity) {
  return frequency * length / velocity;
}

}  // namespace galerna::analysis
