/// \file
/// Operations of the equations and the numerical flux at one point (counted.hpp). Host only.
#pragma once

#include "kernels/counted.hpp"

namespace galerna::kernels {

/// Of one call of each.
struct OperationCounts {
  double primitive = 0, flux = 0;  ///< of the equations: F(u)·a with the primitive state known
  double riemann = 0;              ///< of the numerical flux
  double viscous_flux = 0;         ///< F_v(u, ∇u)·a with the primitive state known
};

template <class F>
double operations_of(const F& f) {
  const double before = Counted::counting->operations;
  f();
  return Counted::counting->operations - before;
}

/// With Counted::counting set.
template <class Equations, class Flux>
OperationCounts count_operations() {
  const Array<Counted, Equations::variables> u = {};
  const Array<Counted, Equations::dimension> a = {};
  [[maybe_unused]] const Array<Array<Counted, Equations::variables>, Equations::dimension> gradients = {};
  const auto w = Equations::primitive(u);
  OperationCounts counts;
  counts.primitive = operations_of([&] { Equations::primitive(u); });
  counts.flux = operations_of([&] { Equations::flux(u, w, a); });
  counts.riemann = operations_of([&] { Flux::template flux<Equations>(u, u, a); });
  if constexpr (requires { Equations::viscous_flux(u, w, gradients, a); })
    counts.viscous_flux = operations_of([&] { Equations::viscous_flux(u, w, gradients, a); });
  return counts;
}

}  // namespace galerna::kernels
