/// \file
/// The time step of an element: that of all elements or, with Config::local_steps, the element's own (docs/theory.md,
/// Local time steps).
#pragma once

#include "kernels/arguments.hpp"
#include "kernels/layout.hpp"

namespace galerna::kernels {

/// \tparam local whether elements have steps of their own.
template <class Config, bool local = Config::local_steps>
class ElementStep {
 public:
  using V = typename Config::Value;
  ElementStep(const Control& control, const void*, const Item&) : dt_(control.dt) {}

  /// factor · dt
  V times(double factor) const { return V(typename Config::Real(factor * dt_)); }
  /// Control::dt over dt
  V ratio(const Control&) const { return V(1); }

 private:
  double dt_;
};

template <class Config>
class ElementStep<Config, true> {
 public:
  using V = typename Config::Value;
  using Real = typename Config::Real;
  /// \param limits MonitorArguments::element_limits of the state at the beginning of the step.
  ElementStep(const Control& control, const void* limits, const Item& item)
      : dt_(V(Real(control.cfl)) * load<Config>(limits, item, 1, 0)) {}

  V times(double factor) const { return V(Real(factor)) * dt_; }
  V ratio(const Control& control) const { return V(Real(control.dt)) / dt_; }

 private:
  V dt_;
};

}  // namespace galerna::kernels
