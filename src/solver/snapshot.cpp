#include "solver/snapshot.hpp"

namespace galerna::solver {

std::vector<double> Snapshot::boundary_flux() const {
  return kept() ? flow_.stepper().kept_boundary_flux() : flow_.discretization().boundary_flux();
}

const analysis::Solution& Snapshot::solution() {
  time::Stepper& stepper = flow_.stepper();
  if (!solution_) solution_ = flow_.solution_of(kept() ? stepper.kept_state() : stepper.state(), control());
  return *solution_;
}

const std::vector<analysis::Wall>& Snapshot::walls() {
  if (!walls_) walls_ = flow_.walls();
  return *walls_;
}

}  // namespace galerna::solver
