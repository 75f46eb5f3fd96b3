/// \file
/// What is found over all elements: stable steps, changes, errors of steps, integrals; and the controller of steps,
/// which looks at it (kernels/control.hpp).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "device/launcher.hpp"
#include "dg/run/inboxes.hpp"
#include "dg/run/ranks.hpp"
#include "dg/run/state_arrays.hpp"

namespace galerna::dg {

/// The first variable of the vector that each variable belongs to, or its own number: components have names NAME_x,
/// NAME_y, NAME_z, one behind the other.
std::vector<int> vectors_among(const std::vector<std::string>& variables);

class Reductions {
 public:
  /// Allocates; what else is passed must outlive it.
  /// \param ranks null but where the sets are those of a part of a mesh
  Reductions(device::Launcher& launcher, const Spec& spec, std::vector<ElementSet>& sets, const StateArrays& states,
             const Ranks* ranks = nullptr);

  kernels::Control* control() const { return static_cast<kernels::Control*>(address(control_)); }
  kernels::Control read_control() const;
  void write_control(const kernels::Control& control) const;

  // As in Operator:
  /// \param tiles of TileArguments \param sets_local_steps whether elements' own steps are left, too
  void monitor(device::Memory& state, const double* tiles, bool sets_local_steps) const;
  /// What the monitor of a set is given, whatever kernel it is part of.
  kernels::MonitorArguments watch_of(const ElementSet& set, device::Memory& state, bool sets_local_steps) const;
  std::int64_t first_inadmissible(device::Memory& state, const double* tiles) const;
  void change(device::Memory& state, device::Memory& previous) const;
  void embedded_error(device::Memory& state, device::Memory& candidate, device::Memory& error) const;
  void embedded_commit(device::Memory& state, device::Memory& candidate) const;
  void accumulate(device::Memory& state, device::Memory& integral) const;
  std::vector<double> integrals(device::Memory& state) const;
  /// \param entry begin_step, end_step or next_step
  void control_step(const std::string& entry, bool monitored, int stages, bool changed, bool embedded) const;

 private:
  template <class Arguments>
  void launch(const ElementSet& set, const std::string& entry, const Arguments& arguments) const;
  template <class Arguments>
  void launch_groups(const std::string& entry, const Arguments& arguments, int groups) const;
  double* partials_of(const ElementSet& set) const;
  // Where there are other ranks on CPUs, what they found joins what stands here, for the kernel that reads it next; on
  // GPUs the control kernels do it (kernels/rank_totals.hpp).
  void join_limits() const;
  void join_lost_means() const;
  /// \param first row of so many maxima, behind which so many sums of three rows each stand
  void join_partials(int first, int maxima, int sums) const;
  /// The least of a copy of step_limits_, of all ranks, with the number of the whole mesh where it is of a bad element.
  double least_limit(std::span<const double> limits) const;
  void make_rank_totals();
  /// EmbeddedArguments::partials of all sets.
  double* errors() const;

  device::Launcher& launcher_;
  device::Device& device_;
  const std::vector<ElementSet>& sets_;
  const StateArrays& states_;
  const Ranks* ranks_;
  std::unique_ptr<device::Memory> control_, step_limits_, partials_, integrals_;
  std::unique_ptr<device::Memory> shares_, arrived_;  ///< of ControlArguments, on Cuda
  /// kernels::RankTotals on GPUs, and what it points to.
  std::unique_ptr<Inboxes> inboxes_;
  std::vector<std::unique_ptr<device::Memory>> rank_totals_;
  std::int64_t block_count_, step_limit_count_;  ///< of all sets
  std::vector<std::int64_t> first_side_group_;   ///< [set] in step_limits_, of `side_monitor`; empty without it
  bool loses_means_;                             ///< whether kernels look after means (limiter/positivity.hpp)
  int error_rows_;                               ///< how many rows of partials_ lie before those of errors()
  std::vector<int> vectors_;                     ///< vectors_among() of the case's variables
};

}  // namespace galerna::dg
