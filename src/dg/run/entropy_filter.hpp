/// \file
/// What the entropy filter (kernels/filter) has on a device, and its launches.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "dg/run/stage_part.hpp"
#include "dg/run/summaries.hpp"

namespace galerna::dg {

class EntropyFilter : public ShockPart {
 public:
  /// All must outlive it. \param spec with an entropy filter \param ranks null but where the mesh is a part
  EntropyFilter(device::Launcher& launcher, const mesh::Mesh& mesh, const Spec& spec,
                const std::vector<ElementSet>& sets, const FaceSets& faces, const StateArrays& states,
                kernels::Control* control, const Ranks* ranks, const Overlap& overlap);

  void before(Phase phase, const StageCall& call) override;
  bool finish(device::Memory& state, double abscissa, bool monitored) override;
  std::vector<device::Memory*> sums() const override;
  std::array<double, 2> counts() const override;
  ElementNumbers fields() const override;

 private:
  void pass(const std::string& kernel, device::Memory& state) const;
  void summarize(device::Memory& state, double abscissa);

  device::Launcher& launcher_;
  const Spec& spec_;
  const std::vector<ElementSet>& sets_;
  Summaries summaries_;
  std::vector<std::unique_ptr<device::Memory>> counts_, strengths_;  ///< [set]
  bool summarized_ = false;  ///< whether summaries are those of the state before the stage that ends next
};

}  // namespace galerna::dg
