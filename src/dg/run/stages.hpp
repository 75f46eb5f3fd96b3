/// \file
/// The launches of a stage: what the residual reads of sides, then the residual with the stage's update.
#pragma once

#include <string>
#include <vector>

#include "dg/run/launcher.hpp"
#include "dg/run/set_uploads.hpp"
#include "dg/run/state_arrays.hpp"
#include "dg/sides/face_set.hpp"

namespace galerna::dg {

class Stages {
 public:
  /// All must outlive it. \param control on the device
  Stages(Launcher& launcher, const Spec& spec, const std::vector<ElementSet>& sets, const StateArrays& states,
         FaceSets& faces, const kernels::Control* control)
      : launcher_(launcher), spec_(spec), sets_(sets), states_(states), faces_(faces), control_(control) {}

  void stage(const StageCall& call);
  /// What the residual reads of sides. \param reports whether boundary faces leave what BoundaryFlow holds, and sums
  /// stay
  void sides(const StageCall& call, bool reports);
  /// A state may have been written since the last stage.
  void forget_traces() { traced_ = nullptr; }

  void set_tiles(TileArrays tiles) { tiles_ = std::move(tiles); }
  const kernels::TileArguments& tiles() const { return tiles_.arguments; }

 private:
  kernels::StageUpdate update_of(const StageCall& call, const ElementSet& set) const;
  kernels::ResidualArguments simplex_arguments(const StageCall& call, const ElementSet& set) const;
  kernels::ElementArguments element_arguments(const StageCall& call, const ElementSet& set) const;
  void launch_traces(const ElementSet& set, const StageCall& call);
  void launch_faces(const std::string& entry, FaceSet::Report which, const StageCall& call, bool reports);
  void launch_edges(const ElementSet& set, const StageCall& call);
  LaunchRequest launch_of(const ElementSet& set) const { return {set, set.blocks, spec_, kind()}; }
  device::Kind kind() const { return launcher_.device().kind(); }

  Launcher& launcher_;
  const Spec& spec_;
  const std::vector<ElementSet>& sets_;
  const StateArrays& states_;
  FaceSets& faces_;
  const kernels::Control* control_;
  TileArrays tiles_;
  const device::Memory* traced_ = nullptr;  ///< state of which the traces are; null: of none
};

}  // namespace galerna::dg
