/// \file
/// What a run does about a state that is not physical: goes back and takes smaller steps, or says and writes what is
/// known of the failure.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "files/report.hpp"
#include "solver/outputs/outputs.hpp"
#include "solver/run/failure.hpp"
#include "solver/run/flow_state.hpp"
#include "solver/run/observer.hpp"
#include "solver/run/recovery.hpp"
#include "solver/run/run_history.hpp"

namespace galerna::solver {

class FailureHandler {
 public:
  /// All must outlive it.
  FailureHandler(const FlowState& flow, Observer& observer)
      : flow_(flow),
        observer_(observer),
        diagnostics_(diagnostics(flow.settings().equations)),
        recovery_(flow.settings().time.recover) {}

  /// A checkpoint that the state comes from.
  struct Origin {
    std::filesystem::path file;
    int degree = 0;
  };
  /// \param origin nothing where the state is that of [initial] \throws InputError for a state that is not physical
  void require_physical_start(const std::optional<Origin>& origin) const;

  Recovery& recovery() { return recovery_; }
  const Recovery& recovery() const { return recovery_; }
  /// Back to the kept state and on with smaller steps.
  void go_back();

  /// Writes the last good state and the failed one, as far as the failure can be repeated stage by stage, and tells
  /// what is known of it.
  files::Failure give_up(Outputs& outputs, const RunHistory& history) const;

 private:
  std::string trouble() const;
  void blame(files::Failure& failure, const BadElement& bad) const;
  void blame_formulas(files::Failure& failure) const;

  const FlowState& flow_;
  Observer& observer_;
  Diagnostics diagnostics_;
  Recovery recovery_;
};

}  // namespace galerna::solver
