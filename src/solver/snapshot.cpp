#include "solver/snapshot.hpp"

#include "solver/walls.hpp"

namespace galerna::solver {

dg::BoundaryTotals Snapshot::boundary_totals() const {
  return kept() ? flow_.stepper().kept_boundary_totals() : flow_.discretization().boundary_totals();
}

const analysis::Solution& Snapshot::solution() {
  time::Stepper& stepper = flow_.stepper();
  if (!solution_) solution_ = flow_.solution_of(kept() ? stepper.kept_state() : stepper.state(), control());
  return *solution_;
}

const dg::BoundaryFlow& Snapshot::boundary_flow() {
  if (!boundary_flow_) boundary_flow_ = flow_.boundary_flow();
  return *boundary_flow_;
}

const std::vector<analysis::Wall>& Snapshot::walls() {
  const bool none = wall_names(flow_.settings()).empty();
  if (!walls_) walls_ = none ? std::vector<analysis::Wall>() : flow_.walls(boundary_flow());
  return *walls_;
}

}  // namespace galerna::solver
