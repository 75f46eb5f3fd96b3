/// \file
/// What elements tell their neighbours of the state, and where sensors find shocks by it (kernels/filter/summary.hpp,
/// sensor.hpp): on a device, and its launches.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "device/launcher.hpp"
#include "dg/run/cut_exchange.hpp"
#include "dg/run/element_numbers.hpp"
#include "dg/run/overlap.hpp"
#include "dg/run/ranks.hpp"
#include "dg/run/state_arrays.hpp"
#include "dg/sides/summary_offsets.hpp"

namespace galerna::dg {

class Summaries {
 public:
  /// All must outlive it. \param spec that senses shocks \param ranks null but where the mesh is a part
  /// \param between_steps as SummaryArguments::between_steps
  Summaries(device::Launcher& launcher, const mesh::Mesh& mesh, const Spec& spec, const std::vector<ElementSet>& sets,
            const FaceSets& faces, const StateArrays& states, kernels::Control* control, const Ranks* ranks,
            const Overlap& overlap, bool between_steps);

  /// Of a state, with what the sensors find. \param abscissa of the time at which it stands
  void sense(device::Memory& state, double abscissa) const;
  /// For the kernels that read them, in a part of a set, or from its first element on.
  kernels::FilterArguments arguments(device::Memory& state, std::size_t set, const SetPart& part = {}) const;
  /// [element of the mesh] what the sensors found last, from 0 to 1. Waits.
  std::vector<double> trouble() const;
  using Launch = std::function<void(std::size_t set, const SetPart& part)>;
  /// Exchanges what has been found since the last time, where there are other ranks, and launches for all elements.
  void pass(const Launch& launch) const;

 private:
  void exchange() const;
  void* summaries(std::int64_t first) const;

  device::Launcher& launcher_;
  const Spec& spec_;
  const std::vector<ElementSet>& sets_;
  const FaceSets& faces_;
  const StateArrays& states_;
  kernels::Control* control_;
  const Overlap& overlap_;
  bool between_steps_;
  SummaryOffsets offsets_;
  std::unique_ptr<device::Memory> summaries_;
  std::unique_ptr<CutExchange> exchange_;                ///< of summaries; null on one rank
  std::vector<std::unique_ptr<device::Memory>> beyond_;  ///< [set]
  std::vector<std::unique_ptr<device::Memory>> inside_;  ///< [face set]
};

}  // namespace galerna::dg
