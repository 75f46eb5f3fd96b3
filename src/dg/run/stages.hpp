/// \file
/// The launches of a stage, phase by phase: what the residual reads of sides, then the residual with the stage's
/// update.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "device/launcher.hpp"
#include "dg/run/overlap.hpp"
#include "dg/run/set_uploads.hpp"
#include "dg/run/stage_part.hpp"
#include "dg/run/state_arrays.hpp"
#include "dg/run/trace_exchange.hpp"
#include "dg/sides/face_set.hpp"

namespace galerna::dg {

class Stages {
 public:
  /// All must outlive it. \param control on the device
  Stages(device::Launcher& launcher, const Spec& spec, const std::vector<ElementSet>& sets, const StateArrays& states,
         FaceSets& faces, const kernels::Control* control)
      : launcher_(launcher),
        spec_(spec),
        sets_(sets),
        states_(states),
        faces_(faces),
        control_(control),
        overlap_(launcher, spec, sets) {}

  /// Exchanges traces with other ranks. It must outlive them.
  void set_exchange(TraceExchange& exchange) { exchange_ = &exchange; }
  /// From now on stages compute elements while traces are exchanged, where that pays: Overlap::plan().
  void overlap(const std::vector<std::int64_t>& outer, const std::string& residual);
  const Overlap& overlap() const { return overlap_; }

  /// Hangs a part on all stages. It must outlive them.
  void add(StagePart& part) { parts_.push_back(&part); }

  void stage(const StageCall& call);
  /// What the residual reads of sides. \param reports whether boundary faces leave what BoundaryFlow holds, and sums
  /// stay
  void sides(const StageCall& call, bool reports);
  /// What parts make of a stage's result: Operator::finish().
  bool finish(device::Memory& state, double abscissa, bool monitored);
  /// Whether they may change it.
  bool finishes() const;
  /// StagePart::sums() of all parts.
  std::vector<device::Memory*> sums() const;
  /// A state may have been written since the last stage.
  void forget_traces() { traced_ = nullptr; }

  void set_tiles(TileArrays tiles) { tiles_ = std::move(tiles); }
  const kernels::TileArguments& tiles() const { return tiles_.arguments; }

 private:
  kernels::StageUpdate update_of(const StageCall& call, const ElementSet& set) const;
  kernels::ResidualArguments simplex_arguments(const StageCall& call, const ElementSet& set, const SetPart& part) const;
  kernels::ElementArguments element_arguments(const StageCall& call, const ElementSet& set, const SetPart& part) const;
  void sides(const StageCall& call, bool reports, bool overlaps);
  /// Fetches what a phase has left beyond cuts, at once or while the next launches for elements compute inner ones.
  void fetch(Phase phase, const StageCall& call, bool later);
  void exchange(Phase phase, const StageCall& call);
  /// Launches for all elements, and fetches what is still to come.
  void launch_elements(const StageCall& call, device::Range SetPart::*range, const Overlap::Launch& launch);
  /// Launches of a phase, with those of parts before and after them.
  void run(Phase phase, const StageCall& call, bool reports);
  void launch_phase(Phase phase, const StageCall& call, bool reports);
  void launch_viscous(const StageCall& call);
  void launch_residuals(const StageCall& call);
  void launch_traces(const ElementSet& set, const StageCall& call);
  void launch_faces(const std::string& entry, FaceSet::Report which, const StageCall& call, bool reports);
  void launch_edges(const ElementSet& set, const StageCall& call);
  LaunchRequest launch_of(const ElementSet& set) const { return {set, set.blocks, spec_, kind()}; }
  device::Kind kind() const { return launcher_.device().kind(); }

  device::Launcher& launcher_;
  const Spec& spec_;
  const std::vector<ElementSet>& sets_;
  const StateArrays& states_;
  FaceSets& faces_;
  const kernels::Control* control_;
  TileArrays tiles_;
  std::vector<StagePart*> parts_;
  Overlap overlap_;
  TraceExchange* exchange_ = nullptr;       ///< null on one rank
  std::optional<Phase> to_fetch_;           ///< what fetch() is to bring later
  const device::Memory* traced_ = nullptr;  ///< state of which the traces are; null: of none
};

}  // namespace galerna::dg
