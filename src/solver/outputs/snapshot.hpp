/// \file
/// The flow at one moment: read from the device when it is first asked for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "solver/outputs/moment.hpp"
#include "solver/run/flow_state.hpp"

namespace galerna::solver {

/// Good for as long as the stepper does nothing.
class Snapshot : public Moment {
 public:
  enum class Of { present, kept };
  /// \param flow must outlive it \param stays whether it does not change while the object lives: then it is not copied
  explicit Snapshot(const FlowState& flow, Of of = Of::present, bool stays = false)
      : flow_(flow), of_(of), stays_(stays) {}

  const FlowState& flow() const { return flow_; }
  const kernels::Control& control() const { return kept() ? flow_.stepper().kept_control() : flow_.control(); }
  /// Whether the flow does not change while the object lives.
  bool stays() const { return stays_; }
  /// For time means; null where none is taken.
  device::Memory* integral() const { return kept() ? flow_.stepper().kept_integral() : flow_.stepper().integral(); }
  /// What has left through all boundaries since the start.
  dg::BoundaryTotals boundary_totals() const;

  double time() const override { return control().time; }
  long step() const override { return static_cast<long>(control().steps); }
  // Of the present flow:
  analysis::Solution part(const std::vector<std::vector<mesh::Index>>& positions) override {
    return flow_.part(positions);
  }
  std::optional<analysis::Solution> mean() override { return flow_.mean(); }
  std::vector<double> monitor_row() override;
  std::optional<Treated> treated() override;
  const dg::BoundaryFlow& boundary_flow();
  const std::vector<analysis::Wall>& walls() override;

 private:
  std::function<analysis::Solution()> take() override;
  bool kept() const { return of_ == Of::kept; }

  const FlowState& flow_;
  Of of_;
  bool stays_;
  std::optional<dg::BoundaryFlow> boundary_flow_;
  std::optional<std::vector<analysis::Wall>> walls_;
};

/// Whether slopes are limited, modes filtered or viscosity added at shocks.
bool treats_shocks(const case_file::Settings& settings);

/// The columns of a flow's monitor.csv: those of monitor_row(), then the share of elements that are treated for shocks.
std::vector<std::string> flow_columns(const case_file::Settings& settings);

}  // namespace galerna::solver
