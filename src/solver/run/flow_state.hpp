/// \file
/// The flow of a run: discretization and stepper of the present degree on a device, and their states as numbers.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "analysis/solution.hpp"
#include "analysis/walls.hpp"
#include "base/lazy.hpp"
#include "case/settings.hpp"
#include "device/host_rooms.hpp"
#include "dg/flow_operator.hpp"
#include "files/number_pieces.hpp"
#include "mesh/mesh.hpp"
#include "time/stepper.hpp"

namespace galerna::solver {

class FlowState {
 public:
  /// Both must outlive it. Nothing is on a device yet.
  FlowState(const case_file::Settings& settings, const mesh::Mesh& mesh);

  /// Replaces what is there. Null: its memory is given back.
  void reset(std::unique_ptr<dg::FlowOperator> discretization, std::unique_ptr<time::Stepper> stepper);

  dg::FlowOperator& discretization() const { return *discretization_; }
  time::Stepper& stepper() const { return *stepper_; }
  const kernels::Control& control() const { return stepper_->control(); }
  const case_file::Settings& settings() const { return settings_; }
  const mesh::Mesh& mesh() const { return mesh_; }
  int degree() const { return discretization_->spec().degree; }
  std::uint64_t mesh_hash() const { return mesh_hash_(); }
  /// Of the fields that were shown so far.
  const analysis::FieldFaults& field_faults() const { return *fields_.faults; }

  /// The state as it is now, for as long as it does not change.
  analysis::Solution solution() const { return solution_of(stepper_->state(), control()); }
  analysis::Solution solution_of(device::Memory& state, const kernels::Control& control) const {
    return capture(state, control, true)();
  }
  /// The same, whatever comes.
  analysis::Solution copied_solution() const { return capture(stepper_->state(), control())(); }
  /// Copies the state. \returns what makes a solution of the copy, in any thread, as long as the discretization is
  /// there \param stays whether the state does not change as long as the solution is there: it is not copied then
  std::function<analysis::Solution()> capture(device::Memory& state, const kernels::Control& control,
                                              bool stays = false) const;
  /// The present state on the elements with these [block] positions.
  analysis::Solution part(const std::vector<std::vector<mesh::Index>>& positions) const;
  /// The time mean of the conservative variables, which fields are formed of; none before there is one.
  std::optional<analysis::Solution> mean() const;
  /// Values of [output.integral.NAME] now, in the order of OutputSettings::integrals.
  std::vector<double> formula_integrals() const;
  /// [variable] ∫ over the domain now.
  std::vector<double> integrals() const;
  /// Values of report_integrands() now: first those of integrals().
  std::vector<double> report_integrals() const;
  /// What flows through the boundary now.
  dg::BoundaryFlow boundary_flow() const;
  /// The walls of the case and what flows through them.
  std::vector<analysis::Wall> walls(const dg::BoundaryFlow& flow) const;

  /// Writes a state of any degree as one of the present degree. \param numbers of a checkpoint, in source order
  void write(device::Memory& state, const files::Numbers& numbers, int degree) const;
  /// \param solution of this mesh
  void write(device::Memory& state, const analysis::Solution& solution) const;
  /// \param coefficients in the order of the mesh
  void write(device::Memory& state, const std::vector<double>& coefficients, int degree) const;

 private:
  std::function<analysis::Solution()> read_by(std::shared_ptr<const dg::StateReader> reader,
                                              const kernels::Control& control) const;
  void write_pieces(device::Memory& state, int from, const dg::StateArrays::Fill& coefficients_of) const;
  analysis::Solution frame(const kernels::Control& control) const;
  std::vector<double> shock_values() const;

  const case_file::Settings& settings_;
  const mesh::Mesh& mesh_;
  Lazy<std::uint64_t> mesh_hash_;  ///< for checkpoints, which know the mesh by it
  analysis::FieldSet fields_;
  bool shows_shock_fields_;
  std::unique_ptr<dg::FlowOperator> discretization_;
  std::unique_ptr<time::Stepper> stepper_;
  device::HostRooms rooms_;  ///< for copies of states
};

}  // namespace galerna::solver
