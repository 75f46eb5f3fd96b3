/// \file
/// The flow at one moment, for all that is written of it: read from the device when it is first asked for.
#pragma once

#include <optional>
#include <vector>

#include "solver/flow_state.hpp"

namespace galerna::solver {

/// Good for as long as the stepper does nothing.
class Snapshot {
 public:
  enum class Of { present, kept };
  /// \param flow must outlive it
  explicit Snapshot(const FlowState& flow, Of of = Of::present) : flow_(flow), of_(of) {}

  const FlowState& flow() const { return flow_; }
  const kernels::Control& control() const { return kept() ? flow_.stepper().kept_control() : flow_.control(); }
  /// For time means; null where none is taken.
  device::Memory* integral() const { return kept() ? flow_.stepper().kept_integral() : flow_.stepper().integral(); }
  /// What has left through all boundaries since the start.
  dg::BoundaryTotals boundary_totals() const;
  const analysis::Solution& solution();
  // Of the present flow:
  const dg::BoundaryFlow& boundary_flow();
  const std::vector<analysis::Wall>& walls();

 private:
  bool kept() const { return of_ == Of::kept; }

  const FlowState& flow_;
  Of of_;
  std::optional<analysis::Solution> solution_;
  std::optional<dg::BoundaryFlow> boundary_flow_;
  std::optional<std::vector<analysis::Wall>> walls_;
};

}  // namespace galerna::solver
