/// \file
/// Traces beyond the sides where a mesh is cut, from the ranks that have the elements there.
#pragma once

#include <memory>

#include "device/launcher.hpp"
#include "dg/run/cut_exchange.hpp"
#include "dg/run/ranks.hpp"
#include "dg/run/stage_part.hpp"
#include "dg/sides/face_set.hpp"

namespace galerna::dg {

class TraceExchange {
 public:
  /// All must outlive it. By all ranks together.
  TraceExchange(device::Launcher& launcher, const Spec& spec, const FaceSets& faces, const Ranks& ranks);

  /// Of what a phase leaves at sides, which it does in Phase::traces and Phase::viscous.
  void exchange(Phase phase);
  /// CutExchange::leave_room()
  void leave_room() { exchange_->leave_room(); }

 private:
  const FaceSets& faces_;
  std::unique_ptr<CutExchange> exchange_;
};

}  // namespace galerna::dg
