/// \file
/// What the entropy filter (kernels/filter) has on a device, and its launches.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "dg/run/cut_exchange.hpp"
#include "dg/run/launcher.hpp"
#include "dg/run/ranks.hpp"
#include "dg/run/stage_part.hpp"
#include "dg/run/state_arrays.hpp"
#include "dg/sides/summary_offsets.hpp"

namespace galerna::dg {

class EntropyFilter : public ShockPart {
 public:
  /// All must outlive it. \param spec with an entropy filter \param ranks null but where the mesh is a part
  EntropyFilter(Launcher& launcher, const mesh::Mesh& mesh, const Spec& spec, const std::vector<ElementSet>& sets,
                const FaceSets& faces, const StateArrays& states, kernels::Control* control, const Ranks* ranks);

  void before(Phase phase, const StageCall& call) override;
  void finish(device::Memory& state, double abscissa) override;
  std::vector<device::Memory*> sums() const override;
  std::array<double, 2> counts() const override;

 private:
  struct SetArrays {
    std::unique_ptr<device::Memory> beyond, counts;
  };
  kernels::FilterArguments arguments(device::Memory& state, std::size_t set) const;
  /// Of launches for a set. \param shared whether threads of a GPU share elements
  device::Range range(std::size_t set, bool shared) const;
  void summarize(device::Memory& state, double abscissa);
  /// What has been found since the last time, where there are other ranks.
  void exchange() const;
  void* summaries(std::int64_t first) const;

  Launcher& launcher_;
  const Spec& spec_;
  const std::vector<ElementSet>& sets_;
  const FaceSets& faces_;
  const StateArrays& states_;
  kernels::Control* control_;
  SummaryOffsets offsets_;
  std::unique_ptr<device::Memory> summaries_;
  std::unique_ptr<CutExchange> exchange_;  ///< of summaries; null on one rank
  std::vector<SetArrays> of_sets_;
  std::vector<std::unique_ptr<device::Memory>> inside_;  ///< [face set]
  bool summarized_ = false;  ///< whether summaries are those of the state before the stage that ends next
};

}  // namespace galerna::dg
