/// \file
/// What hangs on a stage next to its own launches, as limiters and filters do. A Discretization adds those of its case
/// to its Stages.
#pragma once

#include <array>
#include <vector>

#include "dg/operator.hpp"
#include "dg/run/element_numbers.hpp"

namespace galerna::dg {

/// The phases of a stage, in their order. Within one, launches of different sets of elements may run at the same time.
enum class Phase {
  traces,           ///< of elements, where they are stored
  ghosts,           ///< states and inviscid fluxes at the boundary
  viscous,          ///< with viscosity: fluxes at sides, from lifted jumps
  boundary_fluxes,  ///< with viscosity: fluxes at the boundary
  residual          ///< and what the stage makes of it
};

class StagePart {
 public:
  virtual ~StagePart() = default;

  // Launches before and after those of a phase. Phases that the equations do not have are left out.
  virtual void before(Phase, const StageCall&) {}
  virtual void after(Phase, const StageCall&) {}

  /// Whether finish() may change a state.
  virtual bool finishes() const { return false; }
  /// Works on a stage's result, or an initial state, in place, as Operator::finish().
  virtual bool finish(device::Memory&, double /*abscissa*/, bool /*monitored*/) { return false; }

  /// Arrays of doubles that launches add up over a run; checkpoints keep them.
  virtual std::vector<device::Memory*> sums() const { return {}; }
};

/// A part that changes the results of stages where there are shocks.
class ShockPart : public StagePart {
 public:
  bool finishes() const override { return true; }
  /// Elements whose slopes were limited or whose modes were filtered, and elements scaled for positivity, of all calls
  /// of finish(). Waits.
  virtual std::array<double, 2> counts() const = 0;
  /// "sensor", from 0 to 1, where it looks for shocks, and "filter", 1 − f of the entropy filter, in the last call of
  /// finish(). Waits.
  virtual ElementNumbers fields() const { return {}; }
  /// Elements around a vertex that it looks at, at most.
  virtual int vertex_slots() const { return 0; }
};

}  // namespace galerna::dg
