/// \file
/// A discontinuous Galerkin discretization on a device: sets of elements and of faces, the compiled kernels, and the
/// objects that launch them. States are device arrays that the caller owns.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/lazy.hpp"
#include "dg/flow_operator.hpp"
#include "dg/run/boundary_sums.hpp"
#include "dg/run/formula_integrals.hpp"
#include "dg/run/formulas.hpp"
#include "dg/run/ranks.hpp"
#include "dg/run/reductions.hpp"
#include "dg/run/shock_viscosity.hpp"
#include "dg/run/stages.hpp"

namespace galerna::dg {

class Discretization : public FlowOperator {
 public:
  /// As make_flow_operator(). \param ranks where `mesh` is the part of this rank: states and reports are those of its
  /// elements and faces, sums, steps and their control those of the whole mesh. All ranks call the same functions in
  /// the same order. \throws InputError where the part lacks elements of a block
  Discretization(device::Device& device, const mesh::Mesh& mesh, Spec spec,
                 const std::vector<std::optional<WallShape>>& walls, const std::set<std::pair<int, int>>& stage_shapes,
                 const Ranks* ranks = nullptr);

  /// StateArrays::write() and read() of all elements.
  void write_state(device::Memory& state, const std::vector<double>& coefficients) {
    states_.write(state, coefficients);
  }
  std::vector<double> read_state(device::Memory& state) { return states_.read(state); }

  /// Hangs a part on all stages. It must outlive the discretization.
  void add(StagePart& part) { stages_.add(part); }

  // FlowOperator
  const Spec& spec() const override { return spec_; }
  const std::vector<SetPlan>& plans() const override { return plans_; }
  const std::vector<ElementSet>& sets() const override { return sets_; }
  const StateArrays& states() const override { return states_; }
  double domain_measure() const override;
  std::shared_ptr<const StateReader> reader(device::Memory& state, const device::HostRooms& rooms) override;
  void project_initial(device::Memory& state, double time) override { formulas_.project(state, time); }
  std::vector<ErrorNorms> errors(device::Memory& state, double time) override { return formulas_.errors(state, time); }
  std::vector<double> integrals(device::Memory& state) override { return reductions_.integrals(state); }
  std::vector<double> formula_integrals(device::Memory& state, double time) override {
    return formula_integrals_.values(state, time);
  }
  std::vector<double> report_integrals(device::Memory& state, double time) override {
    return formulas_.report_integrals(state, time);
  }
  std::array<double, 2> limiter_counts() override { return shocks_ ? shocks_->counts() : std::array<double, 2>{}; }
  int vertex_slots() const override { return shocks_ ? shocks_->vertex_slots() : 0; }
  ElementNumbers shock_fields() override {
    return viscosity_ ? viscosity_->fields() : shocks_ ? shocks_->fields() : ElementNumbers();
  }
  std::vector<double> shock_viscosity() const override {
    return viscosity_ ? viscosity_->values() : std::vector<double>();
  }
  void set_shock_viscosity(const std::vector<double>& values) override {
    if (viscosity_) viscosity_->restore(values);
  }
  void find_shock_viscosity(device::Memory& state) override {
    if (viscosity_) viscosity_->find(state);
  }
  double share_of_shock_viscosity() const override { return viscosity_ ? viscosity_->share() : 0; }
  BoundaryFlow boundary_flow(device::Memory& state, double time) override;
  const BoundaryPoints& boundary_points() const override { return boundary_points_(); }
  std::vector<double> flux_of_last_step(const std::vector<bool>& chosen) override {
    return boundary_sums_.of_last_step(chosen);
  }
  const std::map<std::string, std::unique_ptr<device::Kernel>>& kernels() const override { return launcher_.kernels(); }

  // Operator
  device::Device& device() override { return launcher_.device(); }
  device::Precision precision() const override { return spec_.precision; }
  std::unique_ptr<device::Memory> allocate_state(const std::string& purpose = "states") override {
    return states_.allocate(purpose);
  }
  std::size_t state_bytes() const override { return states_.bytes(); }
  kernels::Control read_control() override { return reductions_.read_control(); }
  void write_control(const kernels::Control& control) override { reductions_.write_control(control); }
  void monitor(device::Memory& state) override {
    if (viscosity_) viscosity_->find(state);
    reductions_.monitor(state, stages_.tiles().operators, true);
  }
  bool monitors_every_step() const override { return viscosity_ != nullptr; }
  void begin_step(bool monitored) override;
  void stage(const StageCall& call) override { stages_.stage(call); }
  bool finishes() const override { return stages_.finishes(); }
  bool finish(device::Memory& state, double abscissa, bool monitored) override {
    return stages_.finish(state, abscissa, monitored);
  }
  void change(device::Memory& state, device::Memory& previous) override { reductions_.change(state, previous); }
  void embedded_error(device::Memory& state, device::Memory& candidate, device::Memory& error) override {
    reductions_.embedded_error(state, candidate, error);
  }
  void embedded_commit(device::Memory& state, device::Memory& candidate) override {
    reductions_.embedded_commit(state, candidate);
  }
  void accumulate(device::Memory& state, device::Memory& integral) override { reductions_.accumulate(state, integral); }
  void end_step(int stages, bool changed, bool embedded) override {
    reductions_.control_step("end_step", false, stages, changed, embedded);
  }
  void next_step(int stages, bool changed, bool monitored) override {
    reductions_.control_step("next_step", monitored, stages, changed, false);
  }
  std::int64_t first_inadmissible(device::Memory& state) override {
    return reductions_.first_inadmissible(state, stages_.tiles().operators);
  }
  std::vector<double> boundary_flux() override { return boundary_totals().sum(); }
  BoundaryTotals boundary_totals() override;
  void set_boundary_totals(const BoundaryTotals& totals) override { boundary_sums_.set(totals); }
  Sums read_sums() override;
  void write_sums(const Sums& sums) override;
  std::unique_ptr<device::Graph> record(const std::function<void()>& body) override { return launcher_.record(body); }
  void profile(device::KernelTimes* times) override { launcher_.profile(times); }

 private:
  void load_programs(const std::set<std::pair<int, int>>& stage_shapes);
  void upload_neighbours(std::size_t set);
  std::vector<double> read_report(FaceSet::Report which, std::size_t quantity);
  /// The arrays of Sums; null where there are none.
  std::array<std::vector<device::Memory*>, 3> sums() const;

  device::Launcher launcher_;
  const mesh::Mesh& mesh_;
  const Ranks* ranks_;  ///< null but where the mesh is a part
  Spec spec_;
  std::vector<SetPlan> plans_;
  std::vector<ElementSet> sets_;
  FaceSets faces_;  ///< one for each shape of sides
  Lazy<BoundaryPoints> boundary_points_;
  StateArrays states_;
  Reductions reductions_;
  Stages stages_;
  Formulas formulas_;
  FormulaIntegrals formula_integrals_;
  BoundarySums boundary_sums_;
  std::unique_ptr<TraceExchange> exchange_;    ///< null but where the mesh is a part
  std::unique_ptr<ShockPart> shocks_;          ///< null where there is neither limiter nor filter
  std::unique_ptr<ShockViscosity> viscosity_;  ///< null without artificial viscosity
};

}  // namespace galerna::dg
