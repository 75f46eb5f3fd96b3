/// \file
/// Boundary conditions that do not fit the flow: subsonic at a supersonic outflow or inflow, inwards at an outflow.
/// Such runs go on, and what they find is wrong without a word.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "files/report.hpp"
#include "solver/outputs/snapshot.hpp"
#include "solver/run/observer.hpp"

namespace galerna::solver {

/// Warns once of each boundary and kind. What a side's flow is, its mean state says.
class BoundaryWatch {
 public:
  /// Both must outlive it. \param said warnings of the start, which are not given again
  BoundaryWatch(const FlowState& flow, Observer& observer, const std::vector<files::Report::Warning>& said);

  /// Looks at the flow now, if enough steps have gone by since the last look for it to cost nothing beside them, and at
  /// the end of a run (`last`). States in which a run begins are let pass.
  void look(Snapshot& now, bool last);
  const std::vector<files::Report::Warning>& warnings() const { return warnings_; }

 private:
  /// How a condition can fail to fit.
  struct Kind;
  static const std::vector<Kind>& kinds();
  struct Watched {
    std::size_t boundary;  ///< of the mesh
    const case_file::BoundarySettings* settings;
    const Kind* kind;
  };
  /// The flow through a side.
  struct SideFlow {
    double normal_mach = 0;  ///< outwards, of an inflow inwards
    double mach = 0, area = 0;
  };
  /// What does not fit: shares of sides and of their area.
  struct Finding {
    double share = 0, area = 0, least_normal_mach = 0;
  };
  SideFlow side_flow(const Watched& watched, std::size_t face, const dg::BoundaryFlow& flow, double time) const;
  Finding find(const Watched& watched, const dg::BoundaryFlow& flow, double time) const;
  void warn(const Watched& watched, const Finding& finding, const kernels::Control& control);

  const FlowState& flow_;
  Observer& observer_;
  std::vector<Watched> watched_;
  std::vector<files::Report::Warning> warnings_;
  std::int64_t next_step_ = 1;
};

}  // namespace galerna::solver
