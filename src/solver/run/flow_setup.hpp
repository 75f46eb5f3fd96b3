/// \file
/// Makes the discretization and the stepper of a case at one of its degrees, on the device of the run.
#pragma once

#include <memory>
#include <optional>

#include "device/counting.hpp"
#include "files/checkpoint.hpp"
#include "solver/run/flow_state.hpp"
#include "solver/run/observer.hpp"
#include "solver/run/wall_clock.hpp"
#include "steady/newton.hpp"

namespace galerna::solver {

class FlowSetup {
 public:
  /// Opens the device. All must outlive it.
  FlowSetup(const case_file::Settings& settings, const mesh::Mesh& mesh, RunOptions& options, WallClock& clock);

  /// Holds the kernels that are asked for against the case; without such a wish they are those of the checkpoint.
  /// \throws InputError where no set of the mesh can have them.
  void require_structure(const files::Checkpoint* checkpoint);
  /// Knows what the case at a degree will allocate. \throws SystemError if that is more than there is
  void require_memory(const case_file::Settings& at_degree);
  /// Puts discretization and stepper in place of those that are there; the state is zero.
  /// \param at_degree the case at a degree of its sequence. \param checkpoint that the run begins with, or null
  void set_up(FlowState& flow, const case_file::Settings& at_degree, const files::Checkpoint* checkpoint);

  /// The discretization of the case at a degree, beside that which is there. \throws SystemError without memory for it
  std::unique_ptr<dg::FlowOperator> make_discretization(const case_file::Settings& at_degree) const;

  device::Device& device() { return *device_; }
  const device::MemoryPlan& memory() const { return memory_; }
  /// As it fits into memory at the degree of the last require_memory(); none where the case has another scheme.
  const std::optional<steady::NewtonSettings>& newton() const { return newton_; }

 private:
  std::unique_ptr<dg::FlowOperator> make_discretization(const dg::Spec& spec) const;
  void require_memory(const dg::Spec& spec, const time::StepSettings& step_settings);
  /// Compiles for all degrees and Newton's method at once where a GPU computes: its host has the processors for that.
  void compile_for_all_degrees() const;

  const case_file::Settings& settings_;
  const mesh::Mesh& mesh_;
  RunOptions& options_;
  WallClock& clock_;
  const time::Scheme& scheme_;
  std::unique_ptr<device::Device> device_;
  device::MemoryPlan memory_;
  std::optional<steady::NewtonSettings> newton_;
};

}  // namespace galerna::solver
