/// \file
/// Right-hand sides of discretizations, and formulas for their specs, for tests.
#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "dg/discretization.hpp"
#include "dg/fixtures.hpp"
#include "dg/reference.hpp"
#include "numbers.hpp"

namespace galerna::tests {

inline dg::FunctionText text(const std::string& expression) {
  return [expression](const std::string& name) {
    return "template <class V> V " + name +
           "([[maybe_unused]] const V& x, [[maybe_unused]] const V& y, const V&, const V&) { return " + expression +
           "; }";
  };
}

template <int variables>
dg::StateFunctions conservative(const kernels::Array<double, variables>& u) {
  dg::StateFunctions state{false, {}};
  for (int v = 0; v < variables; ++v) state.functions.push_back(text("number<V>(" + std::to_string(u[v]) + ")"));
  return state;
}

/// Lets a state lie beyond all boundaries.
template <int variables>
void surround(dg::Spec& spec, const mesh::Mesh& mesh, const kernels::Array<double, variables>& beyond) {
  dg::BoundaryCondition fixed;
  fixed.kernel = {"kernels/boundary/dirichlet.hpp", "Dirichlet"};
  fixed.takes_data = true;
  fixed.state = conservative(beyond);
  spec.boundaries.assign(mesh.boundaries.size(), fixed);
}

/// A discretization with a state and room for a result.
class Computation {
 public:
  Computation(const mesh::Mesh& mesh, const dg::Spec& spec, const std::string& device = "cpu")
      : Computation(mesh, spec, device::open_device(device)) {}

  Computation(const mesh::Mesh& mesh, const dg::Spec& spec, std::unique_ptr<device::Device> device)
      : device_(std::move(device)),
        discretization_(*device_, mesh, spec, std::vector<std::optional<dg::WallShape>>(mesh.boundaries.size()),
                        {{1, 1}}),
        state_(discretization_.allocate_state()),
        result_(discretization_.allocate_state()) {
    kernels::Control control{};
    control.active = 1;
    control.dt = 1;
    discretization_.write_control(control);
  }

  /// R(c): a stage u_1 = dt R(u_0) with dt = 1.
  std::vector<double> residual(const std::vector<double>& c) {
    discretization_.write_state(*state_, c);
    discretization_.stage({state_.get(), {state_.get()}, {result_.get()}, {{0}}, {1}, 0, 1, true});
    device_->synchronize();
    return discretization_.read_state(*result_);
  }

  /// What two stages of Euler's method of length dt each make of a state, the second with what the first left on the
  /// device.
  std::vector<double> after_two_stages(const std::vector<double>& c, double dt) {
    const auto last = discretization_.allocate_state();
    kernels::Control control{};
    control.active = 1;
    control.dt = dt;
    discretization_.write_control(control);
    discretization_.write_state(*state_, c);
    discretization_.stage({state_.get(), {state_.get()}, {result_.get()}, {{1}}, {1}, 0, 1, true, true});
    discretization_.stage({result_.get(), {result_.get()}, {last.get()}, {{1}}, {1}, 0, 1, false});
    return discretization_.read_state(*last);
  }

  /// The largest stable step from a state.
  double stable_step(const std::vector<double>& c) { return monitored(c).largest_stable; }

  /// What a step that begins at a state knows of it.
  kernels::Control monitored(const std::vector<double>& c) {
    discretization_.write_state(*state_, c);
    return begun([this] { discretization_.monitor(*state_); });
  }

  /// The same of the present state, which `look` lets the step limits be found of.
  template <class Look>
  kernels::Control begun(const Look& look) {
    const kernels::Control control = discretization_.read_control();
    kernels::Control step = control;
    step.cfl = 1;
    step.step_limit = 1;
    step.stop_time = 1e9;
    step.status = static_cast<int>(kernels::RunStatus::running);
    discretization_.write_control(step);
    look();
    discretization_.begin_step(true);
    step = discretization_.read_control();
    discretization_.write_control(control);
    return step;
  }

  dg::Discretization& operator*() { return discretization_; }
  dg::Discretization* operator->() { return &discretization_; }
  device::Memory& state() { return *state_; }

 private:
  std::unique_ptr<device::Device> device_;
  dg::Discretization discretization_;
  std::unique_ptr<device::Memory> state_, result_;
};

}  // namespace galerna::tests
