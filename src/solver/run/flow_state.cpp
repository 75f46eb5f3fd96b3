#include "solver/run/flow_state.hpp"

#include "analysis/source_order.hpp"
#include "mesh/hash.hpp"
#include "solver/outputs/fields.hpp"
#include "solver/outputs/walls.hpp"

namespace galerna::solver {

FlowState::FlowState(const case_file::Settings& settings, const mesh::Mesh& mesh)
    : settings_(settings),
      mesh_(mesh),
      mesh_hash_([&mesh] { return mesh::hash(mesh); }),
      fields_(case_fields(settings)) {}

void FlowState::reset(std::unique_ptr<dg::FlowOperator> discretization, std::unique_ptr<time::Stepper> stepper) {
  stepper_ = std::move(stepper);
  discretization_ = std::move(discretization);
}

/// All but the coefficients.
analysis::Solution FlowState::frame(const kernels::Control& control) const {
  analysis::Solution s;
  s.mesh = &mesh_;
  s.degree = degree();
  s.variables = discretization_->spec().variables;
  s.fields = fields_;
  s.time = control.time;
  s.accurate = !settings_.time.local;
  s.step = static_cast<long>(control.steps);
  return s;
}

std::function<analysis::Solution()> FlowState::capture(device::Memory& state, const kernels::Control& control) const {
  const dg::StateArrays& states = discretization_->states();
  device::Memory& whole = discretization_->whole(state);
  const std::shared_ptr<std::byte[]> copy = rooms_.take(discretization_->device(), states.bytes());
  states.copy(whole, copy.get());
  return [this, copy, empty = frame(control)] {
    analysis::Solution s = empty;
    for (const dg::ElementSet& set : discretization_->sets())
      s.pieces.push_back({discretization_->states().unpack(copy.get(), set)});
    return s;
  };
}

analysis::Solution FlowState::part(const std::vector<std::vector<mesh::Index>>& positions) const {
  analysis::Solution s = frame(control());
  const auto& sets = discretization_->sets();
  device::Memory& whole = discretization_->whole(stepper_->state());
  for (std::size_t b = 0; b < sets.size(); ++b)
    s.pieces.push_back({discretization_->states().read(whole, sets[b], positions[b]), positions[b]});
  return s;
}

std::optional<analysis::Solution> FlowState::mean() const {
  const std::optional<double> since = stepper_->averages_since();
  if (!since) return {};
  analysis::Solution mean = solution_of(*stepper_->integral(), control());
  const analysis::Solution now = solution();
  const double duration = (control().time - *since) + control().time_low;
  for (std::size_t b = 0; b < mean.pieces.size(); ++b) {
    std::vector<double>& values = mean.pieces[b].coefficients;
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = (values[i] + control().average_pending * now.pieces[b].coefficients[i]) / duration;
  }
  return mean;
}

std::vector<double> FlowState::formula_integrals() const {
  return discretization_->formula_integrals(stepper_->state(), control().time);
}

std::vector<double> FlowState::integrals() const {
  std::vector<double> values = report_integrals();
  values.resize(discretization_->spec().variables.size());
  return values;
}

std::vector<double> FlowState::report_integrals() const {
  return discretization_->report_integrals(stepper_->state(), control().time);
}

dg::BoundaryFlow FlowState::boundary_flow() const {
  return discretization_->boundary_flow(stepper_->state(), control().time);
}

std::vector<analysis::Wall> FlowState::walls(const dg::BoundaryFlow& flow) const {
  return walls_of(settings_, mesh_, *discretization_, flow);
}

void FlowState::write(device::Memory& state, const std::vector<double>& coefficients, int degree) const {
  const int now = this->degree();
  const std::size_t variables = discretization_->spec().variables.size();
  discretization_->write(
      state, degree == now ? coefficients : analysis::project_degree(coefficients, mesh_, variables, degree, now));
}

}  // namespace galerna::solver
