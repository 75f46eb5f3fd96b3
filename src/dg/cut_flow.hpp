/// \file
/// A flow whose mesh is cut among ranks: each computes the steps of its part, and all know the results of the whole.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "dg/discretization.hpp"

namespace galerna::dg {

/// All ranks call the same functions in the same order. Each holds the whole mesh in the memory of its host.
class CutFlow : public FlowOperator {
 public:
  /// As make_flow_operator().
  CutFlow(device::Device& device, const mesh::Mesh& mesh, Spec spec, const std::vector<std::optional<WallShape>>& walls,
          const std::set<std::pair<int, int>>& stage_shapes, parallel::Team& team);

  // FlowOperator, of the whole mesh
  const Spec& spec() const override { return spec_; }
  const std::vector<SetPlan>& plans() const override { return ranks_.plans; }
  const std::vector<ElementSet>& sets() const override { return sets_; }
  const StateArrays& states() const override { return states_; }
  double domain_measure() const override { return own_->domain_measure(); }
  std::optional<RankParts> rank_parts() const override { return parts_; }
  device::Memory& whole(device::Memory& state) override;
  void write(device::Memory& state, const std::vector<double>& coefficients) override;
  void write(device::Memory& state, const StateArrays::Fill& fill) override;
  void project_initial(device::Memory& state, double time) override { own_->project_initial(state, time); }
  std::vector<ErrorNorms> errors(device::Memory& state, double time) override { return own_->errors(state, time); }
  std::vector<double> integrals(device::Memory& state) override { return own_->integrals(state); }
  std::vector<double> formula_integrals(device::Memory& state, double time) override {
    return own_->formula_integrals(state, time);
  }
  std::vector<double> report_integrals(device::Memory& state, double time) override {
    return own_->report_integrals(state, time);
  }
  std::array<double, 2> limiter_counts() override;
  ElementNumbers shock_fields() override;
  std::vector<double> shock_viscosity() const override;
  void set_shock_viscosity(const std::vector<double>& values) override;
  void find_shock_viscosity(device::Memory& state) override { own_->find_shock_viscosity(state); }
  double share_of_shock_viscosity() const override;
  int vertex_slots() const override { return own_->vertex_slots(); }
  BoundaryFlow boundary_flow(device::Memory& state, double time) override;
  const BoundaryPoints& boundary_points() const override { return points_(); }
  std::vector<double> flux_of_last_step(const std::vector<bool>& chosen) override {
    return own_->flux_of_last_step(chosen);
  }
  const std::map<std::string, std::unique_ptr<device::Kernel>>& kernels() const override { return own_->kernels(); }

  // Operator, of this rank's part but for what is said of the whole
  device::Device& device() override { return own_->device(); }
  device::Precision precision() const override { return own_->precision(); }
  std::unique_ptr<device::Memory> allocate_state(const std::string& purpose = "states") override {
    return own_->allocate_state(purpose);
  }
  std::size_t state_bytes() const override { return own_->state_bytes(); }
  kernels::Control read_control() override { return own_->read_control(); }
  void write_control(const kernels::Control& control) override { own_->write_control(control); }
  void monitor(device::Memory& state) override { own_->monitor(state); }
  bool monitors_every_step() const override { return own_->monitors_every_step(); }
  void begin_step(bool monitored) override { own_->begin_step(monitored); }
  void stage(const StageCall& call) override { own_->stage(call); }
  bool finishes() const override { return own_->finishes(); }
  bool finish(device::Memory& state, double abscissa, bool monitored) override {
    return own_->finish(state, abscissa, monitored);
  }
  void change(device::Memory& state, device::Memory& previous) override { own_->change(state, previous); }
  void embedded_error(device::Memory& state, device::Memory& candidate, device::Memory& error) override {
    own_->embedded_error(state, candidate, error);
  }
  void embedded_commit(device::Memory& state, device::Memory& candidate) override {
    own_->embedded_commit(state, candidate);
  }
  void accumulate(device::Memory& state, device::Memory& integral) override { own_->accumulate(state, integral); }
  void end_step(int stages, bool changed, bool embedded) override { own_->end_step(stages, changed, embedded); }
  void next_step(int stages, bool changed, bool monitored) override { own_->next_step(stages, changed, monitored); }
  std::int64_t first_inadmissible(device::Memory& state) override { return own_->first_inadmissible(state); }
  std::vector<double> boundary_flux() override { return boundary_totals().sum(); }
  BoundaryTotals boundary_totals() override;
  void set_boundary_totals(const BoundaryTotals& totals) override;
  Sums read_sums() override { return own_->read_sums(); }
  void write_sums(const Sums& sums) override { own_->write_sums(sums); }
  std::unique_ptr<device::Graph> record(const std::function<void()>& body) override { return own_->record(body); }
  void profile(device::KernelTimes* times) override { own_->profile(times); }

 private:
  /// Numbers of boundary faces of the part, `count(face)` of each, as those of the whole boundary.
  template <class Count>
  std::vector<double> of_whole_boundary(const std::vector<double>& own, const Count& count) const;
  std::size_t numbers_of(std::size_t set) const;
  /// Numbers of the part's elements as those of the whole mesh.
  std::vector<double> of_whole_mesh(const std::vector<double>& own) const;

  const mesh::Mesh& mesh_;
  Spec spec_;
  parallel::Team& team_;
  Ranks ranks_;
  mesh::OwnPart part_;
  RankParts parts_;
  Lazy<BoundaryPoints> points_;
  std::unique_ptr<Discretization> own_;
  std::vector<ElementSet> sets_;  ///< of the whole mesh, with nothing on the device
  StateArrays states_;
  std::vector<std::vector<mesh::Index>> elements_, faces_;  ///< [rank] of the whole mesh, in the order of its part
  std::unique_ptr<device::Memory> whole_;
};

}  // namespace galerna::dg
