/// \file
/// Step-size control from an embedded error estimate: a proportional–integral controller (K. Gustafsson, ACM Trans.
/// Math. Softw. 17 (1991) 533; E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, sect. IV.2).
#pragma once

#include "kernels/lane.hpp"

namespace galerna::kernels {

/// Factor by which the next step differs from this one,
///   0.9 · error^{−0.7/k} · previous_error^{0.4/k},  k = order + 1,
/// between 0.2 and 5; after a rejection only the error itself counts and the step never grows.
/// \param error weighted norm of this step, accepted if ≤ 1; \param previous_error of the last accepted step;
/// \param order of the embedded method. An error that is not a number gives 0.2.
inline double next_step_factor(double error, double previous_error, int order) {
  const double smallest = 0.2, largest = 5, safety = 0.9, k = order + 1;
  if (!(error >= 0) || error > 1e30) return smallest;
  const double e = error > 1e-10 ? error : 1e-10, last = previous_error > 1e-4 ? previous_error : 1e-4;
  double factor = safety * pow(e, -0.7 / k) * pow(last, 0.4 / k);
  if (error > 1) factor = safety * pow(e, -1 / k);
  if (error > 1 && factor > safety) factor = safety;
  return factor < smallest ? smallest : (factor > largest ? largest : factor);
}

}  // namespace galerna::kernels
