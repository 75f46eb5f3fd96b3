/// \file
/// When the next degree of a sequence is due, by the residual that the flow would have there.
#pragma once

#include <memory>
#include <optional>

#include "solver/run/flow_setup.hpp"
#include "solver/run/flow_state.hpp"
#include "solver/run/steady_watch.hpp"

namespace galerna::solver {

class NextDegree {
 public:
  /// All must outlive it.
  NextDegree(const FlowSetup& setup, const FlowState& flow, const SteadyWatch& steady)
      : setup_(setup), flow_(flow), steady_(steady) {}

  /// The next step after `step` at which to look.
  static long next_step(long step) { return (step / interval + 1) * interval; }
  /// Whether the residual of the flow is a tenth of that which it has as a polynomial of the next degree, or less: what
  /// more it falls would be lost there. Never where both degrees together do not fit into memory.
  /// \param next the case at the next degree
  bool is_due(const case_file::Settings& next);
  /// Gives back what is_due() has made.
  void forget();

 private:
  static constexpr long interval = 200;

  /// Of the flow at the next degree; none where it is not physical there.
  std::optional<double> residual();

  const FlowSetup& setup_;
  const FlowState& flow_;
  const SteadyWatch& steady_;
  bool fits_ = true;
  std::unique_ptr<dg::FlowOperator> space_;
  std::unique_ptr<device::Memory> state_, after_;
};

}  // namespace galerna::solver
