/// \file
/// What equations have, by concepts: of definitions, the structs of kernels/physics and of users' headers, and of the
/// systems that kernels/physics/equation_system.hpp makes of them. Programs hold definitions against these where a case
/// asks for more than every system has (dg/programs/program_equations.cpp).
#pragma once

#include "kernels/array.hpp"

namespace galerna::kernels {

template <class D>
concept HasVariables = requires {
  Array<double, D::variables>();
};

/// F(u)·a for any vector a; or from w = primitive(u) beside the state.
template <class D, int dimension>
concept HasFlux = requires(const Array<double, D::variables>& u, const Array<double, dimension>& a) {
  D::flux(u, a);
}
|| requires(const Array<double, D::variables>& u, const Array<double, dimension>& a) {
  D::flux(u, D::primitive(u), a);
};

template <class D>
concept HasWaveSpeed = requires(const Array<double, D::variables>& u) {
  D::largest_wave_speed(u);
};

template <class D>
concept HasFromPrimitive = requires(const Array<double, D::variables>& values) {
  D::from_primitive(values);
};

template <class D>
concept HasSourceFunction = requires(const Array<double, D::variables>& u, const Array<double, 3>& x, const double& t) {
  D::source(u, x, t);
};

/// F_v(u, ∇u)·a for any vector a; or from w = primitive(u) beside the state.
template <class D, int dimension>
concept HasViscousFlux = requires(const Array<double, D::variables>& u,
                                  const Array<Array<double, D::variables>, dimension>& gradients,
                                  const Array<double, dimension>& a) {
  D::viscous_flux(u, gradients, a);
}
|| requires(const Array<double, D::variables>& u, const Array<Array<double, D::variables>, dimension>& gradients,
            const Array<double, dimension>& a) {
  D::viscous_flux(u, D::primitive(u), gradients, a);
};

template <class D>
concept HasDiffusivity = requires(const Array<double, D::variables>& u) {
  D::largest_diffusivity(u);
};

// Of systems.

/// Density, momentum and energy of a perfect gas.
template <class Equations>
concept IsGas = Equations::variables == Equations::dimension + 2 &&
                requires(const Array<double, Equations::variables>& u) {
  double(Equations::gamma);
  Equations::primitive(u).density;
  Equations::primitive(u).velocity[0];
  Equations::primitive(u).pressure;
  Equations::sound_speed(Equations::primitive(u));
};

/// What positivity keeps positive, beside the first variable.
template <class Equations>
concept HasPressure = requires(const Array<double, Equations::variables>& u) {
  Equations::pressure(u);
};

/// What the entropy filter asks for.
template <class Equations>
concept HasEntropy = requires(const Array<double, Equations::variables>& u) {
  Equations::entropy_ratio(u, u);
};

/// Values of primitive variables, and how small changes of them go with changes of the state.
template <class Equations>
concept HasPrimitiveChanges = requires(const Array<double, Equations::variables>& u) {
  Equations::primitive_values(u);
  Equations::primitive_change(Equations::primitive(u), u);
  Equations::conservative_change(Equations::primitive(u), u);
};

/// Amplitudes of the waves along a direction, which the pressure decides.
template <class Equations>
concept HasWaves = HasPressure<Equations> && HasPrimitiveChanges<Equations> &&
    requires(const Array<double, Equations::variables>& u, const Array<double, Equations::dimension>& n) {
  Equations::wave_amplitudes(Equations::primitive(u), n, u);
  Equations::from_wave_amplitudes(Equations::primitive(u), n, u);
};

/// Of a numerical flux: whether it takes the equations.
template <class Flux, class Equations>
concept TakesEquations = requires(const Array<double, Equations::variables>& u,
                                  const Array<double, Equations::dimension>& n) {
  Flux::template flux<Equations>(u, u, n);
};

}  // namespace galerna::kernels
