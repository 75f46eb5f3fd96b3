/// \file
/// What far fields with lift_centre hear of the lift (kernels/boundary/lifting_far_field.hpp): the force on all walls,
/// from the fluxes through them in the last step. It is refreshed at counts of steps, never by the clock, so that a run
/// repeats itself bit for bit, and halfway each time, so that waves of the start do not go round between far field and
/// body. The control block carries it into checkpoints and through recoveries. Newton's method, in which no waves go
/// round, has the force of each state as it is.
#pragma once

#include <array>
#include <vector>

#include "case/settings.hpp"
#include "dg/flow_operator.hpp"
#include "mesh/mesh.hpp"
#include "solver/outputs/snapshot.hpp"
#include "time/stepper.hpp"

namespace galerna::solver {

class LiftFeedback {
 public:
  LiftFeedback() = default;  ///< for runs in which nobody listens
  LiftFeedback(const case_file::Settings& settings, const mesh::Mesh& mesh);

  bool is_heard() const { return !walls_.empty(); }
  /// On all walls, of the state as it is.
  static std::array<double, 2> force(Snapshot& now);

  /// Steps between two refreshes.
  static constexpr long interval = 2 * time::Stepper::steps_per_launch();
  /// The first count of steps after `steps` at which the force is refreshed; the largest number if it never is.
  long next(long steps) const;
  /// Right after a step. Waits.
  void refresh(dg::FlowOperator& discretization, time::Stepper& stepper) const;

 private:
  std::vector<bool> walls_;  ///< [boundary]; empty: nobody listens
};

}  // namespace galerna::solver
