/// \file
/// What time stepping knows of a discretization in space: states on a device, and the launches of which a step
/// consists. dg/discretization.hpp is one; others, assembled ones for instance, need no more than this to be advanced
/// in time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "device/launcher.hpp"
#include "kernels/arguments.hpp"

namespace galerna::dg {

/// One stage of a Runge–Kutta step: R is evaluated at `at`; see kernels::StageUpdate.
struct StageCall {
  device::Memory* at = nullptr;
  std::vector<device::Memory*> inputs, outputs;
  std::vector<std::vector<double>> coefficients;  ///< [output][input]
  std::vector<double> rhs;                        ///< [output]
  double abscissa = 0, weight = 0;
  bool first = false;    ///< begins a step
  bool follows = false;  ///< whether a stage at the last output comes next, and nothing changes that state before
};

/// What has left through the boundary since the start. Who goes on from it has the bits of a run without a break.
struct BoundaryTotals {
  std::vector<double> before;  ///< [variable] through all boundaries, before the faces below were counted
  std::vector<double> faces;   ///< [boundary face][variable]; empty: zeros

  /// [variable] the exact sum of all, rounded once.
  std::vector<double> sum() const;
};

/// du/dt = R(u, t) on a device. States are device arrays that the caller owns; all launches obey the control block on
/// the device (kernels/control.hpp), and none waits unless that is said.
class Operator {
 public:
  virtual ~Operator() = default;

  virtual device::Device& device() = 0;
  virtual device::Precision precision() const = 0;

  /// A state array of zeros (layout: kernels/state.hpp). \param purpose for people, where memory is accounted for
  virtual std::unique_ptr<device::Memory> allocate_state(const std::string& purpose) = 0;
  virtual std::size_t state_bytes() const = 0;

  virtual kernels::Control read_control() = 0;
  virtual void write_control(const kernels::Control& control) = 0;

  /// Looks at the state in which a step begins: its largest stable step, whether it is physical; local steps are those
  /// of the last state that was looked at.
  virtual void monitor(device::Memory& state) = 0;
  /// Whether every step must begin with that, even one of a fixed size.
  virtual bool monitors_every_step() const { return false; }
  virtual void begin_step(bool monitored) = 0;
  virtual void stage(const StageCall& call) = 0;
  /// Whether finish() may change a state.
  virtual bool finishes() const = 0;
  /// What is done to a stage's result, or an initial state, in place: limiting. \param abscissa of the time at which it
  /// stands \param monitored whether the result is to be looked at as by monitor(), if that costs no launch \return
  /// whether it was
  virtual bool finish(device::Memory& state, double abscissa, bool monitored) = 0;
  /// How much the step changed the state; `previous` becomes the state.
  virtual void change(device::Memory& state, device::Memory& previous) = 0;
  virtual void embedded_error(device::Memory& state, device::Memory& candidate, device::Memory& error) = 0;
  virtual void embedded_commit(device::Memory& state, device::Memory& candidate) = 0;
  /// integral += weight · state, for time means; after begin_step or next_step.
  virtual void accumulate(device::Memory& state, device::Memory& integral) = 0;
  virtual void end_step(int stages, bool changed, bool embedded) = 0;
  /// end_step and the next begin_step in one launch, for steps that are always accepted.
  virtual void next_step(int stages, bool changed, bool monitored) = 0;

  /// First element whose state is not physical; −1 if all are. Waits.
  virtual std::int64_t first_inadmissible(device::Memory& state) = 0;

  /// [variable] flux out of the domain through all boundaries, integrated over time since the start. Waits.
  virtual std::vector<double> boundary_flux() = 0;
  /// The same as it is added up, for those who go on from it. Waits.
  virtual BoundaryTotals boundary_totals() = 0;
  /// Goes on from totals that were left when the present state was reached. \throws std::invalid_argument for those of
  /// another mesh
  virtual void set_boundary_totals(const BoundaryTotals& totals) = 0;
  /// What launches add up over a run: pending and total boundary fluxes, sums of parts of stages. Waits.
  using Sums = std::array<std::vector<double>, 3>;
  virtual Sums read_sums() = 0;
  virtual void write_sums(const Sums& sums) = 0;

  /// Records the launches that `body` makes.
  virtual std::unique_ptr<device::Graph> record(const std::function<void()>& body) = 0;
  /// While `times` is not null every launch is waited for and its seconds are added under the kernel's name.
  virtual void profile(device::KernelTimes* times) = 0;
};

}  // namespace galerna::dg
