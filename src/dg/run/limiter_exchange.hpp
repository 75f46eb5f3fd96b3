/// \file
/// Copies of other ranks' elements and boundary faces, for limiters of slopes that look at them.
#pragma once

#include <memory>

#include "device/launcher.hpp"
#include "dg/run/cut_exchange.hpp"
#include "dg/run/ranks.hpp"
#include "dg/run/state_arrays.hpp"
#include "dg/sides/neighbour_places.hpp"

namespace galerna::dg {

class LimiterExchange {
 public:
  /// The launcher must outlive it. By all ranks together.
  /// \param derivatives kernels::LimitArguments::derivatives of an element; 0: there are none
  LimiterExchange(device::Launcher& launcher, const Spec& spec, const ElementSet& set, const StateArrays& states,
                  const NeighbourPlaces& places, const Ranks& ranks, int derivatives);

  /// Of a state the means, all modes where limiters look at jumps, and of the boundary means.
  void states(void* state, void* boundary_means);
  void derivatives(void* derivatives);

 private:
  std::unique_ptr<CutExchange> states_, derivatives_;
};

}  // namespace galerna::dg
