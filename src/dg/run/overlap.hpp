/// \file
/// Launches for elements while numbers come from other ranks. Outer elements, those at cuts, wait for these numbers;
/// inner ones are computed meanwhile.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "device/launcher.hpp"
#include "dg/element_set.hpp"

namespace galerna::dg {

/// Consecutive elements of a set that a launch is for.
struct SetPart {
  std::int64_t first = 0;  ///< a multiple of 128
  Blocks blocks;
  device::Range residual, viscous;  ///< of launches

  std::int64_t last() const { return first + blocks.padded(); }
};

class Overlap {
 public:
  /// All must outlive it.
  Overlap(device::Launcher& launcher, const Spec& spec, const std::vector<ElementSet>& sets)
      : launcher_(launcher), spec_(spec), sets_(sets) {}

  /// Splits the sets that have enough inner elements. No other rank needs to know.
  /// \param outer [set] elements at its front among which all at cuts are \param residual a kernel, without label
  void plan(const std::vector<std::int64_t>& outer, const std::string& residual);
  /// Whether a set is split.
  bool pays() const { return !splits_.empty(); }
  /// Whether exchanges of traces leave room for inner elements. Thread blocks that loop over elements need none.
  bool leaves_room() const;

  SetPart whole(const ElementSet& set) const;
  using Launch = std::function<void(const ElementSet&, const SetPart&)>;
  /// Calls exchange() and then launch() for outer elements. What launch() starts for inner elements may run at the same
  /// time. Those whose thread blocks loop over elements begin first. \param range of launches; null: none loops
  void run(const std::function<void()>& exchange, device::Range SetPart::*range, const Launch& launch) const;

 private:
  struct Split {
    SetPart outer, inner;
  };
  SetPart part(const ElementSet& set, std::int64_t first, std::int64_t items) const;
  Split split(const ElementSet& set, std::int64_t outer, const std::string& residual) const;

  device::Launcher& launcher_;
  const Spec& spec_;
  const std::vector<ElementSet>& sets_;
  std::vector<Split> splits_;  ///< [set]; none where none is split
};

}  // namespace galerna::dg
